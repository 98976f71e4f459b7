"""Promises of `deploy/`, as far as they show without Docker or a cluster."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from support.models import ROOT

FOLDER = ROOT / "deploy"
GUIDE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
HEALTH = "/_stcore/health"


@pytest.fixture(scope="module")
def objects() -> dict[str, Any]:
    """The objects of the cluster by their kind."""
    documents = yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text("utf-8"))
    return {document["kind"]: document for document in documents}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))


def container(objects: dict[str, Any]) -> dict[str, Any]:
    (only,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    return only


def environment_of(objects: dict[str, Any]) -> dict[str, str]:
    return {entry["name"]: entry.get("value") for entry in container(objects)["env"]}


def test_every_object_finds_the_one_that_it_is_for(objects):
    labels = objects["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert objects["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert objects["Service"]["spec"]["selector"] == labels
    assert objects["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    (rule,) = objects["Ingress"]["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    service = path["backend"]["service"]
    assert service["name"] == objects["Service"]["metadata"]["name"]
    (port,) = objects["Service"]["spec"]["ports"]
    assert service["port"]["name"] == port["name"]
    (exposed,) = container(objects)["ports"]
    assert port["targetPort"] == exposed["name"]
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert f"EXPOSE {exposed['containerPort']}" in image
    user = objects["Deployment"]["spec"]["template"]["spec"]["securityContext"]["runAsUser"]
    assert f"USER {user}" in image


def test_probes_ask_for_the_health_and_a_process_ends_after_the_next_is_ready(objects):
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container(objects)[probe]["httpGet"]["path"] == HEALTH
    update = objects["Deployment"]["spec"]["strategy"]["rollingUpdate"]
    assert (update["maxSurge"], update["maxUnavailable"]) == (1, 0)
    assert objects["Deployment"]["spec"]["replicas"] > 1
    assert objects["PodDisruptionBudget"]["spec"]["maxUnavailable"] == 1


def test_cookies_keep_a_visitor_at_a_process(objects):
    annotations = objects["Service"]["metadata"]["annotations"]
    assert annotations["traefik.ingress.kubernetes.io/service.sticky.cookie"] == "true"
    assert "lb_policy cookie" in (FOLDER / "Caddyfile").read_text("utf-8")


def test_both_ways_to_start_processes_set_the_same_limits(objects, compose):
    processes = [s for s in compose["services"].values() if s["image"] == "attention-lab"]
    assert len(processes) > 1
    limits = container(objects)["resources"]["limits"]
    assert container(objects)["resources"]["requests"] == limits
    for process in processes:
        assert (str(process["cpus"]), process["mem_limit"]) == (limits["cpu"], "1200m")
        assert limits["memory"] == "1200Mi"
        secret = "STREAMLIT_SERVER_COOKIE_SECRET"
        given, in_cluster = (
            {name: value for name, value in values.items() if name != secret}
            for values in (process["environment"], environment_of(objects))
        )
        assert given == in_cluster
        assert set(given) <= set(re.findall(r"ATTENTION_LAB_\w+", GUIDE))
        assert secret in process["environment"]
        assert secret in environment_of(objects)


def test_the_proxy_of_compose_names_every_process(compose):
    proxy = compose["services"]["proxy"]
    named = proxy["environment"]["LAB_PROCESSES"].split()
    processes = {name for name, s in compose["services"].items() if s["image"] == "attention-lab"}
    assert {each.removesuffix(":8501") for each in named} == processes
    mounted = [volume.split(":")[0] for volume in proxy["volumes"] if volume.startswith("./")]
    assert all((FOLDER / name).is_file() for name in mounted)
    file = (FOLDER / "Caddyfile").read_text("utf-8")
    variables = set(re.findall(r"\{\$(\w+)", file))
    without_default = set(re.findall(r"\{\$(\w+)\}", file))
    assert without_default <= set(proxy["environment"]) <= variables
