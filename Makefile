# make app         the app in a browser              make app PORT=9000 ADDRESS=0.0.0.0
# make test        lint and the tests                make test ARGS="-k beam"
# make test ALL=1  the slow ones too, as in continuous integration
# make lint        ruff and mypy
# make benchmarks  the side-by-side measurements     make benchmarks ARGS="--help"
# make clean       remove the environment and caches
#
# The first run of a target builds .venv; later runs find it ready and start at once.

VENV ?= .venv
PORT ?= 8501
# With localhost only this computer can see the app; 0.0.0.0 opens it to the network.
ADDRESS ?= localhost
ARGS ?=
# The first interpreter on PATH that is new enough; name another with PYTHON=...
IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(or $(shell for python in python3 python3.13 python3.12 python3.11 python3.14; do \
	"$$python" -c "$(IS_NEW_ENOUGH)" 2>/dev/null && echo "$$python" && break; done),python3)

RUN := $(VENV)/bin/python
ENVIRONMENT = "$(PYTHON)" scripts/environment.py --venv "$(VENV)"

# Packages meant for another interpreter must not leak into the environment.
unexport PYTHONPATH PYTHONHOME

.PHONY: help app test lint benchmarks clean python dev-environment

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

python:
	@command -v "$(PYTHON)" >/dev/null || { echo "No Python found as '$(PYTHON)'." \
	"Install Python 3.11 or newer, or name one: make app PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c "$(IS_NEW_ENOUGH)" || { echo "Python 3.11 or newer is needed, but" \
	"'$(PYTHON)' is $$("$(PYTHON)" --version 2>&1 | head -n 1). Install a newer one, or name one:" \
	"make app PYTHON=/path/to/python3" >&2; exit 1; }

dev-environment: python
	@$(ENVIRONMENT) requirements-dev.txt

# The port comes first: nobody should wait for an installation to learn that it is taken.
# One thread a translation: sessions run side by side, and on a busy machine threads that wait for
# each other cost more than they bring.
app: python
	@"$(PYTHON)" scripts/check_port.py "$(PORT)"
	@$(ENVIRONMENT) requirements.txt
	@export OMP_NUM_THREADS=$${OMP_NUM_THREADS:-1}; exec "$(RUN)" -m ui.serve \
	--server.headless true --server.fileWatcherType none --server.port "$(PORT)" --server.address "$(ADDRESS)" --browser.gatherUsageStats false

lint: dev-environment
	@"$(RUN)" -m ruff check .
	@"$(RUN)" -m ruff format --check .
	@"$(RUN)" -m mypy

# A worker for each core; ARGS="-n 0" runs the tests in one process, for a debugger. Slow is, above all,
# every checkpoint on every page and every view under the rules of access.
test: lint
	@CHROMIUM=$$("$(RUN)" scripts/find_chromium.py) && export CHROMIUM && \
	"$(RUN)" -m pytest -n logical --maxprocesses 8 --dist loadfile \
	$(if $(ALL),,-m "not slow") $(ARGS)

benchmarks: dev-environment
	@"$(RUN)" -m benchmarks $(ARGS)

clean:
	rm -rf "$(VENV)" "$(VENV).lock" .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
