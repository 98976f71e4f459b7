"""The card of a checkpoint: `card.json` for programs, `README.md` for people."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

import torch

from model.checkpoint import CARD

LICENCE = (
    "Weights: research use only. Trained on Multi30k task 1 (captions from Flickr30k, research "
    "use), on Tatoeba sentence pairs (CC BY 2.0 FR, tatoeba.org through manythings.org/anki) and "
    "on generated coreference pairs (MIT, as the code)."
)

SET_NAMES = {
    "multi30k_test_2016_flickr": "Multi30k test 2016 Flickr",
    "multi30k_test_2017_flickr": "Multi30k test 2017 Flickr",
    "multi30k_test_2018_flickr": "Multi30k test 2018 Flickr",
    "tatoeba_val": "Tatoeba en-de validation",
}


def card_of(settings: dict[str, Any], metrics: list[dict], averaged: list[int]) -> dict[str, Any]:
    """What is known of a run before it is evaluated."""
    steps = [m for m in metrics if "seconds" in m]
    checks = [m for m in metrics if "val_loss" in m]
    n_steps = max((m["step"] for m in metrics), default=0)
    command = f"python -m training --config training/configs/{settings['name']}.json"
    if n_steps < settings["training"]["max_steps"]:
        command += f" --max-steps {n_steps}"
    return {
        "name": settings["name"],
        "title": settings["title"],
        "description": settings.get("description", ""),
        "languages": settings["languages"],
        "licence": LICENCE,
        "guided": settings["training"].get("guided"),
        "data": settings["data"],
        "training": {
            "command": command,
            "hardware": hardware(),
            "minutes": round(steps[-1]["seconds"] / 60, 1) if steps else 0.0,
            "steps": n_steps,
            "epochs": steps[-1]["epoch"] if steps else 0,
            "averaged_steps": averaged,
            "last_val_loss": checks[-1]["val_loss"] if checks else None,
            "settings": settings["training"],
        },
        "scores": {},
        "heads": {},
    }


def hardware() -> str:
    """The device of this machine in words."""
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        cpu = names[0].split(":", 1)[1].strip() if names else cpu
    return f"{cpu}, {torch.get_num_threads()} threads"


def write_card(folder: Path, entries: dict[str, Any]) -> dict[str, Any]:
    """Add entries to the card of a checkpoint folder and write its README anew."""
    path = folder / CARD
    card = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    card |= entries
    path.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "README.md").write_text(readme_of(card), encoding="utf-8")
    return card


def readme_of(card: dict[str, Any]) -> str:
    """The card as Markdown; only what the card holds is said."""
    lines = [f"# {card.get('name', 'checkpoint')}: {card.get('title', '')}".rstrip(": ")]
    if card.get("description"):
        lines += ["", card["description"]]
    if card.get("licence"):
        lines += ["", card["licence"]]
    training = card.get("training")
    if training:
        lines += [
            "",
            "## Training",
            "",
            f"`{training['command']}`",
            "",
            f"{training['steps']:,} steps, {training['epochs']} epochs, "
            f"{training['minutes']:.0f} minutes on {training['hardware']}. The weights are the "
            f"mean of {len(training['averaged_steps'])} saved steps "
            f"({', '.join(str(s) for s in training['averaged_steps'])}).",
        ]
    lines += _score_lines(card.get("scores", {}))
    lines += _head_lines(card.get("heads", {}), card.get("guided"))
    return "\n".join(lines) + "\n"


def _score_lines(scores: dict[str, Any]) -> list[str]:
    if not scores:
        return []
    lines = ["", "## Scores", "", "`python -m training evaluate`, beam 5, alpha 0.6.", ""]
    lines += ["| Set | BLEU | Signature |", "|---|---|---|"]
    for key, name in SET_NAMES.items():
        if key not in scores:
            continue
        score = scores[key]
        lines.append(f"| {name} | {score['bleu']} | `{score['signature']}` |")
        if "bleu_all_references" in score:
            lines.append(
                f"| {name}, each source once, all its references | "
                f"{score['bleu_all_references']} | `{score['signature_all_references']}` |"
            )
    pronouns = scores.get("coreference")
    if pronouns:
        lines += [
            "",
            f"Right pronoun in {pronouns['accuracy']:.1%} of {pronouns['sentences']} held-out "
            f"two-noun sentences (first half {pronouns['first']:.1%}, second "
            f"{pronouns['second']:.1%}): {pronouns['new_nouns']:.1%} where the pair of nouns is "
            f"new, {pronouns['new_property']:.1%} of the {pronouns['sentences_new_property']} "
            "whose property never decided that situation in training. The reference is likelier "
            "than itself with another gender's pronoun in "
            f"{pronouns['forced_choice']:.1%}.",
        ]
    return lines


def _head_lines(heads: dict[str, Any], guided: dict[str, Any] | None) -> list[str]:
    if not heads:
        return []
    lines = [
        "",
        '## Where "it" looks',
        "",
        "Weight on the antecedent minus weight on the other noun, mean over held-out minimal "
        "pairs; layers and heads count from 1.",
        "",
        "| Head | From | Mean | Antecedent first half | second half |",
        "|---|---|---|---|---|",
    ]
    froms = {"encoder": '"it"', "cross": "the position that writes the pronoun"}
    for kind, head in heads.items():
        lines.append(
            f"| {kind}, layer {head['layer'] + 1}, head {head['head'] + 1} | {froms[kind]} | "
            + " | ".join(f"{round(head[k], 2) + 0.0:.2f}" for k in ("margin", "first", "second"))
            + " |"
        )
    to_it = heads.get("cross", {}).get("to_it")
    if to_it:
        lines += [
            "",
            "From the position that writes the pronoun, cross-attention layer "
            f"{to_it['layer'] + 1}, "
            f'head {to_it["head"] + 1} puts {to_it["weight"]:.2f} on "it" itself.',
        ]
    if guided:
        lines += [
            "",
            f"Encoder layer {guided['layer'] + 1}, head {guided['head'] + 1} was trained to look "
            'from "it" to its antecedent. What it does is no evidence of what training finds by '
            "itself.",
        ]
    return lines
