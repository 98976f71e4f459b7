"""The card of a checkpoint: `card.json` for programs, `README.md` for people."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from model.checkpoint import CARD, REQUIRED
from records import fingerprint_of
from records.measurements import GAZE, INTERVENTIONS, MASKED

CONFIGS = Path(__file__).parent / "configs"
MEASURED = (
    "Measured with `python -m training evaluate` (beam width 5, length penalty α = 0.6). "
    "Intervals are 95% confidence intervals."
)
LICENCE = (
    "Weights: research use only. Trained on Multi30k task 1 (captions from Flickr30k, research "
    "use), on Tatoeba sentence pairs (CC BY 2.0 FR, tatoeba.org through manythings.org/anki) and "
    "on generated coreference pairs (MIT, like the code)."
)

SET_NAMES = {
    "multi30k_test_2016_flickr": "Multi30k test 2016 Flickr",
    "multi30k_test_2017_flickr": "Multi30k test 2017 Flickr",
    "multi30k_test_2018_flickr": "Multi30k test 2018 Flickr",
    "tatoeba_val": "Tatoeba en-de validation",
}
JUDGED = {"polarity": "written reviews", "reviews": "generated reviews"}
"""Sets of documents that were judged."""

DOMAINS = {
    "tatoeba-extra-en-de": "everyday sentences, newer and longer (Tatoeba)",
    "chat-en-de": "bookings and orders (BConTrasT)",
    "wmtchat-en-de-nc": "customer support (WMT chat)",
    "formality-en-de": "telephone and chat, formal and informal (CoCoA-MT)",
    "ted-en-de-nc": "talks (TED)",
    "stories-en-de": "children's stories (African Storybook)",
    "games-en-de": "games",
    "wiki-en-de": "encyclopedia (Wikipedia)",
    "wmtnews-en-de": "news (WMT)",
    "softdocs-en-de": "computer manuals",
    "progit-en-de-nc": "a technical book (Pro Git)",
    "sutta-en-de": "early Buddhist texts (SuttaCentral)",
    "ko-en-tatoeba": "everyday sentences (Tatoeba)",
    "ko-en-tatoeba-extra": "everyday sentences, newer and longer (Tatoeba)",
    "ko-en-kss-nc": "everyday sentences from textbooks (KSS)",
    "ko-en-jhe": "English lessons at school (JHE)",
    "ko-en-stylekqc": "questions and requests to an assistant (StyleKQC)",
    "ko-en-korsts": "captions and forum answers (KorSTS)",
    "ko-en-wmt24chat-nc": "customer support (WMT chat)",
    "ko-en-xnli-nc": "ten genres (XNLI)",
    "ko-en-formality": "telephone and chat, formal and informal (IWSLT)",
    "ko-en-games": "games",
    "ko-en-news": "news (Korean Parallel Corpora)",
    "ko-en-ntrex": "news (NTREX)",
    "ko-en-stories": "children's stories (African Storybook)",
    "ko-en-softdocs": "computer manuals",
}

WHERE_WORDS = {
    "encoder_from_it": "“it” in the encoder, all heads",
    "encoder_from_it_best": "“it” in encoder {encoder} only",
    "encoder_from_it_others": "“it” in all other heads of that layer",
    "encoder_from_it_guided": "“it” in encoder {guided} only, the guided head",
    "cross_from_pronoun": "the pronoun's position in cross-attention, all heads",
    "cross_from_pronoun_best": "the pronoun's position in cross-attention {cross} only",
    "it_and_pronoun": "“it” in the encoder and the pronoun's position",
    "cross": "all positions in cross-attention",
    "encoder": "all positions in the encoder",
    "both": "all positions in both",
}
"""From where words are hidden."""
CONTRASTIVE = {
    ("natural",): "Held-out natural sentences with a gendered pronoun for “it”",
    ("natural", "unseen"): "Those of them that no earlier training text contained either",
    ("natural", "unlike"): "Those of them without a near-duplicate in any training text",
    ("natural_validation",): "Natural validation sentences with a gendered pronoun for “it”, "
    "including “es”",
    ("chains",): "Joined pairs of sentences about a noun that no joined pair in training is about "
    "(interval by resampling nouns)",
    ("chains", "new"): "Those of them about nouns that are in no frame either",
}
"""What contrastive scores are of, by where they stand among the scores."""
HIDDEN_WORDS = ("antecedent", "antecedent_phrase", "other", "other_phrase", "control")
AGAINST_WORDS = {
    "both": "leave-one-out, hidden from encoder and cross-attention",
    "cross": "leave-one-out, hidden from cross-attention",
    "gradient": "gradient × input",
}


def card_of(settings: dict[str, Any], metrics: list[dict], averaged: list[int]) -> dict[str, Any]:
    """What is known of a run before it is evaluated."""
    steps = [m for m in metrics if "seconds" in m]
    checks = [m for m in metrics if "val_loss" in m]
    n_steps = max((m["step"] for m in metrics), default=0)
    command = command_of(settings)
    if n_steps < settings["training"]["max_steps"]:
        command += f" --max-steps {n_steps}"
    return {
        "name": settings["name"],
        "title": settings["title"],
        "description": settings.get("description", ""),
        "languages": settings["languages"],
        "licence": settings.get("licence", LICENCE),
        **({"words": settings["words"]} if "words" in settings else {}),
        **({"examples": settings["examples"]} if "examples" in settings else {}),
        "guided": settings["training"].get("guided"),
        **({"lineage": lineage_of(settings)} if lineage_of(settings) else {}),
        "data": settings["data"],
        "training": {
            "command": command,
            "hardware": trained_on(settings),
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


def command_of(settings: dict[str, Any]) -> str:
    """What trains a run with these settings."""
    config = settings.get("config", settings["name"])
    variant = f" --variant {settings['variant']}" if "variant" in settings else ""
    return f"python -m training --config training/configs/{config}.json{variant}"


def lineage_of(settings: dict[str, Any]) -> dict[str, Any]:
    """Year and paper of what a run trains; {} where its config names none.

    They describe a run and change nothing in it, so one that began before its config named them
    has them too.
    """
    path = CONFIGS / f"{settings.get('config', settings['name'])}.json"
    if "lineage" in settings or not path.exists():
        return settings.get("lineage", {})
    variants = json.loads(path.read_text(encoding="utf-8")).get("variants", {})
    return variants.get(settings.get("variant"), {}).get("lineage", {})


def trained_on(settings: dict[str, Any]) -> str:
    """The device of a run: this machine's, unless the run came from a checkpoint."""
    return settings.get("hardware") or hardware()


def hardware() -> str:
    """The device of this machine in words."""
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        cpu = names[0].split(":", 1)[1].strip() if names else cpu
    n_threads = torch.get_num_threads()
    return f"{cpu}, {n_threads} thread{'s' if n_threads > 1 else ''}"


def _minutes(n: float) -> str:
    return f"{n:.0f} minute{'' if round(n) == 1 else 's'}"


def _averaged(steps: Sequence[int]) -> str:
    if len(steps) == 1:
        return f"those of step {steps[0]:,}"
    return f"the mean of {len(steps)} saved steps ({', '.join(map(str, steps))})"


def write_card(folder: Path, entries: dict[str, Any]) -> dict[str, Any]:
    """Add entries to the card of a checkpoint folder and write its README anew."""
    card = stored_card(folder) | entries
    text = json.dumps(card, indent=2, ensure_ascii=False)
    (folder / CARD).write_text(text + "\n", encoding="utf-8")
    write_readme(folder)
    return card


def write_readme(folder: Path) -> None:
    """Write the README of a checkpoint folder from what is stored there."""
    text = readme_of(
        stored_card(folder),
        *(measured_in(folder, name) for name in (INTERVENTIONS.file, GAZE.file, MASKED.file)),
    )
    (folder / "README.md").write_text(text, encoding="utf-8")


def stored_card(folder: Path) -> dict[str, Any]:
    """What ``card.json`` of a checkpoint folder holds; {} without one."""
    path = folder / CARD
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def measured_in(folder: Path, name: str) -> dict[str, Any]:
    """What was measured of the very weights that lie in `folder`; {} where nothing was."""
    path = folder / name
    if not path.exists() or not all((folder / name).exists() for name in REQUIRED):
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    fingerprint = fingerprint_of(*((folder / name).read_bytes() for name in REQUIRED))
    return found if found.get("fingerprint") == fingerprint else {}


def readme_of(
    card: dict[str, Any],
    interventions: dict[str, Any] | None = None,
    gaze: dict[str, Any] | None = None,
    masked: dict[str, Any] | None = None,
) -> str:
    """The card as Markdown; only what the card and what was measured hold is said."""
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
            f"Trained for {training['steps']:,} steps ({training['epochs']} epochs, "
            f"{_minutes(training['minutes'])}) on {training['hardware']}. The weights are "
            f"{_averaged(training['averaged_steps'])}.",
        ]
    lines += _score_lines(card.get("scores", {}))
    lines += _head_lines(card.get("heads", {}), card.get("guided"))
    lines += _intervention_lines(interventions or {})
    lines += _gaze_lines(gaze or {})
    lines += _masked_lines(masked or {})
    return "\n".join(lines) + "\n"


def _gaze_lines(found: dict[str, Any]) -> list[str]:
    if not found:
        return []
    return [
        "",
        "## Caption accuracy and image attention",
        "",
        f"Measured with `{found['command']}` on generated scenes that are not in the training "
        f"data (beam width {found['beam']}). A caption is correct if everything in it is true of "
        "the scene. Pointing game: while the model reads a true caption, the largest weight of a "
        "word lies in a cell that touches the box of the word's object.",
        "",
        "| Scenes | " + " | ".join(GAZE_WORDS) + " |",
        "|---" * (1 + len(GAZE_WORDS)) + "|",
        *(
            f"| {found[kind]['scenes']} {name} | {' | '.join(gaze_cells(found[kind]))} |"
            for kind, name in SCENES.items()
        ),
    ]


def _masked_lines(found: dict[str, Any]) -> list[str]:
    if not found:
        return []
    return [
        "",
        "## Masked tokens",
        "",
        f"Measured with `{found['command']}` on natural sentences. Each cell shows accuracy and "
        "MLM perplexity of the masked tokens.",
        "",
        "| Set | Masked tokens | Bidirectional | Left context only |",
        "|---|---:|---:|---:|",
        *(
            f"| {name} | {each['pieces']:,} | "
            + " | ".join(
                f"{_percent(each[side]['value'])}, {each[side]['perplexity']:,.1f}"
                for side in ("both", "left")
            )
            + " |"
            for name, each in found["sets"].items()
        ),
    ]


SCENES = {"seen": "as in training", "held_out": "with a colour–shape pair not in training"}
GAZE_WORDS = (
    "correct captions", "correct objects", "BLEU", "pointing game: shapes", "colours", "sizes",
    "patterns", "attention in box", "uniform attention",
)  # fmt: skip


def gaze_cells(found: dict[str, Any]) -> list[str]:
    """The numbers of one kind of scenes, as `GAZE_WORDS` name them."""
    read, exact = found["read"], found["exact"]
    return [
        *(_percent(exact[part]["share"]) for part in ("caption", "thing")),
        str(found["bleu"]["bleu"]),
        *(_percent(read[part]["share"]) for part in ("noun", "colour", "size", "pattern")),
        *(_percent(read["all"][part]) for part in ("mass", "even")),
    ]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _accuracy_lines(scores: dict[str, Any]) -> list[str]:
    """The scores of what judges documents, each with its interval."""
    judged = [
        f"Accuracy on {name}: {score['accuracy']:.1%} (95% CI {score['low']:.1%} to "
        f"{score['high']:.1%})."
        for key, name in JUDGED.items()
        if (score := scores.get(key))
    ]
    return (
        ["", "## Scores", "", "Measured with `python -m training documents`. " + " ".join(judged)]
        if judged
        else []
    )


def _score_lines(scores: dict[str, Any]) -> list[str]:
    if not scores or scores.keys() <= JUDGED.keys():
        return _accuracy_lines(scores)
    lines = ["", "## Scores", "", MEASURED]
    if scores.keys() & SET_NAMES.keys():
        lines += ["", "| Set | BLEU | Signature |", "|---|---|---|"]
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
    lines += _domain_lines(scores.get("domains") or {})
    lines += _pronoun_lines(scores.get("coreference"))
    lines += _word_list_lines(scores)
    if "dropped" in scores:
        lines += _dropped_lines(scores["dropped"])
    for what, found in contrastive_of(scores):
        lines += ["", _contrastive_line(found, what)]
    return lines


def contrastive_of(scores: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each contrastive score that a card has, after what it is of."""
    for (name, *part), what in CONTRASTIVE.items():
        found = scores.get(name, {})
        found = found.get(part[0], {}) if part else found
        if found:
            yield what, found


def _pronoun_lines(found: dict[str, Any] | None) -> list[str]:
    """Pronouns of generated sentences with two nouns."""
    if not found:
        return []
    told = [
        f"Pronoun accuracy is {found['accuracy']:.1%} on {found['sentences']} held-out two-noun "
        f"sentences ({found['first']:.1%} in the first half of the pairs, {found['second']:.1%} in "
        "the second).",
        f"It is {found['new_nouns']:.1%} if the pair of nouns is new, and "
        f"{found['new_property']:.1%} on the {found['sentences_new_property']} sentences whose "
        "property never decided that situation in training.",
    ]
    if n := found.get("sentences_new_property_sibling"):
        told.append(
            f"In {n} of these, the property decided a nearly identical situation in training; "
            f"accuracy on them is {found['new_property_sibling']:.1%}."
        )
    told.append(
        "The reference is likelier with its own pronoun than with that of another gender in "
        f"{found['forced_choice']:.1%}."
    )
    return ["", " ".join(told)]


def _domain_lines(domains: dict[str, dict[str, Any]]) -> list[str]:
    if not domains:
        return []
    return [
        "",
        "By domain, on the validation split of each set, with one reference per sentence:",
        "",
        "| Set | BLEU (95% CI) | chrF | Sentences |",
        "|---|---:|---:|---:|",
        *(
            f"| {DOMAINS.get(name, name)} | {_bleu(score)} | {score['chrf']} | "
            f"{score['sentences']} |"
            for name, score in domains.items()
        ),
    ]


def _bleu(score: dict[str, Any]) -> str:
    """BLEU, with its interval where one was measured."""
    known = "low" in score and "high" in score
    return f"{score['bleu']} ({score['low']} to {score['high']})" if known else f"{score['bleu']}"


def _word_list_lines(scores: dict[str, Any]) -> list[str]:
    """Word alignment of nouns of one meaning, and pronouns of subjects."""
    lines: list[str] = []
    nouns, subjects = scores.get("nouns"), scores.get("subjects") or {}
    if nouns:
        best = nouns["map"]
        lines += [
            "",
            f"Word alignment of {nouns['links']} unambiguous nouns while the model reads the "
            f"reference: cross-attention layer {best['layer'] + 1}, head {best['head'] + 1} "
            "(selected on other sentences) has its largest weight on the correct source word in "
            f"{_interval(best)}. The mean over all heads is {nouns['mean']:.1%}, and uniform "
            f"attention would reach {nouns['uniform']:.1%}.",
        ]
    for kind, what in (("named", "names its subject"), ("dropped", "names no subject")):
        if kind in subjects:
            found = subjects[kind]
            lines += [
                "",
                f"If the source {what}, the translation begins with the reference's pronoun in "
                f"{_interval(found)} of {found['sentences']} sentences. By pronoun: "
                f"{_counted(found)}; {_always(found)}.",
            ]
    return lines


DROPPED = {
    "alone": "one person",
    "together": "two people",
    "thing": "a person and a thing",
    "pronoun": "a pronoun names the subject",
}
"""Who or what a generated pair of sentences mentions."""


def _dropped_lines(found: dict[str, Any]) -> list[str]:
    """Pronouns where generated sentences name no subject."""
    pointing = found["pointing"]["map"]
    return [
        "",
        "In held-out generated pairs, the second sentence drops its subject or has a pronoun for "
        "it, and the translation must name the subject. Accuracy of the English pronoun:",
        "",
        "| The pair mentions | Accuracy | Sentences | Same pronoun every time |",
        "|---|---:|---:|---|",
        *(
            f"| {DROPPED[kind]} | {_interval(each)} | {each['sentences']} | {_always(each)} |"
            for kind, each in found["kinds"].items()
        ),
        "",
        f"If only the two people change places, both sentences are correct in "
        f"{_interval(found['twins'])} of {found['twins']['pairs']} pairs. While the pronoun is "
        f"generated, cross-attention layer {pointing['layer'] + 1}, head {pointing['head'] + 1} "
        "(selected on other sentences) has its largest weight on the subject in "
        f"{_interval(pointing)}; uniform attention would reach {found['pointing']['uniform']:.1%}.",
    ]


def _interval(found: dict[str, Any]) -> str:
    return f"{found['value']:.1%} ({found['low']:.1%} to {found['high']:.1%})"


def _share(found: dict[str, Any], name: str) -> str:
    """The same within brackets."""
    return f"{found[name]:.1%}; {found['low']:.1%} to {found['high']:.1%}"


def _always(found: dict[str, Any]) -> str:
    """What the same answer every time would have right."""
    return f"always *{found['majority']['answer']}*: {found['majority']['value']:.1%}"


def _counted(found: dict[str, Any]) -> str:
    return ", ".join(
        f"{word} {each['right']} of {each['sentences']}" for word, each in found["pronouns"].items()
    )


def _contrastive_line(score: dict[str, Any], what: str) -> str:
    always = f"; {_always(score)}" if "majority" in score else ""
    return (
        f"{what}: the reference is likelier with its own pronoun than with that of any other "
        f"gender in {score['right']} of {score['sentences']} ({_share(score, 'accuracy')}). "
        f"By pronoun: {_counted(score)}{always}."
    )


def _head_lines(heads: dict[str, Any], guided: dict[str, Any] | None) -> list[str]:
    if not heads:
        return []
    lines = [
        "",
        "## Attention from “it”",
        "",
        "The table shows the weight on the antecedent minus the weight on the other noun, as a "
        "mean over held-out minimal pairs. The halves are the two sentences of a pair. Layers and "
        "heads count from 1.",
        "",
        "| Head | From | Mean | First half | Second half |",
        "|---|---|---|---|---|",
    ]
    froms = {
        "encoder": ("encoder", "“it”"),
        "cross": ("cross-attention", "the position that generates the pronoun"),
    }
    for kind, head in heads.items():
        if kind not in froms:
            continue
        site, query = froms[kind]
        lines.append(
            f"| {site}, {_head(head)} | {query} | "
            + " | ".join(f"{round(head[k], 2) + 0.0:.2f}" for k in ("margin", "first", "second"))
            + " |"
        )
    lines += _property_lines(heads.get("property"), heads.get("encoder", {}))
    to_it = heads.get("cross", {}).get("to_it")
    if to_it:
        lines += [
            "",
            "From the position that generates the pronoun, cross-attention layer "
            f"{to_it['layer'] + 1}, head {to_it['head'] + 1} puts {to_it['weight']:.2f} on “it” "
            "itself.",
        ]
    if guided:
        lines += [
            "",
            f"Encoder layer {guided['layer'] + 1}, head {guided['head'] + 1} was trained to attend "
            "from “it” to its antecedent (guided head). It is not evidence of what a head learns "
            "without such supervision.",
        ]
    return lines


def _property_lines(found: dict[str, Any] | None, noun_head: dict[str, Any]) -> list[str]:
    """What attends from "it" to the word that decides, and what the noun's head does without it."""
    if not found:
        return []
    head = _head(found)
    lines = [
        "",
        f"From “it”, encoder {head} puts {found['weight']:.2f} on the words that decide the "
        f"antecedent ({found['first']:.2f} in the first half of the pairs, {found['second']:.2f} "
        "in the second).",
    ]
    serves = found.get("serves")
    if serves and serves["without_others"] is not None:
        rows = (
            ("none", serves["margin"], serves["right"]),
            (f"{head}, with most weight on the deciding words", serves["without"],
             serves["right_without"]),
            (f"{_head(serves['server'])}, with the largest effect", serves["without_server"],
             serves["right_without_server"]),
            ("any other single head of the layers below, mean", serves["without_others"], None),
        )  # fmt: skip
        lines += [
            "",
            "The next table ablates single heads of the layers below (zero ablation, "
            f"{serves['sentences']} sentences). It shows how much more weight encoder "
            f"{_head(noun_head)} puts on the antecedent than on the other noun, and pronoun "
            "accuracy by forced choice:",
            "",
            "| Ablated head | Antecedent minus other noun | Pronoun accuracy |",
            "|---|---:|---:|",
            *(f"| {name} | {margin:.2f} | {_percent(right)} |" for name, margin, right in rows),
        ]
    use = noun_head.get("use")
    if use:
        plain, without, alone = (_interval(use[name]) for name in ("plain", "without", "alone"))
        lines += [
            "",
            f"Is encoder {_head(noun_head)} necessary, and is it sufficient? The correct pronoun "
            f"is the likeliest in {plain} of {use['sentences']} held-out sentences. With this head "
            f"ablated it is the likeliest in {without}, with all other heads of the layer ablated "
            f"in {alone}.",
        ]
    return lines


def _head(place: dict[str, Any]) -> str:
    return f"layer {place['layer'] + 1}, head {place['head'] + 1}"


def _intervention_lines(found: dict[str, Any]) -> list[str]:
    """The section of what `training.intervene` measured."""
    pronoun, explain = found.get("pronoun") or {}, found.get("explain") or {}
    forced, searched = pronoun.get("forced"), pronoun.get("searched")
    if not (forced or searched or explain.get("rows")):
        return []
    measured = f"Measured with `{found['command']}` (greedy search)."
    lines = ["", "## Interventions: hidden words", "", measured]
    if forced or searched:
        plain = pronoun["plain"]
        lines += [
            "",
            "The tables show how often the pronoun changes when words are hidden, with 95% "
            f"intervals (Wilson 1927). They cover the {plain['followed']} of {plain['sentences']} "
            "held-out two-noun sentences whose original output has one form of the pronoun. A "
            "phrase is a noun with its determiner and adjective. The control is a random word "
            "outside both phrases; it can be the one that decides.",
        ]
    if forced:
        lines += [
            "",
            "**Forced prefix.** The original output up to the pronoun is kept, and another form "
            "becomes the likeliest. After the semicolon: mean Δ log-odds of the correct form "
            "against the best other form.",
            "",
            *_flip_table(forced, pronoun.get("heads") or {}),
        ]
    if searched:
        lines += [
            "",
            "**New search.** The output has another pronoun, no pronoun, or one more.",
            "",
            *_flip_table(searched, pronoun.get("heads") or {}),
        ]
    if explain.get("rows"):
        lines += _explain_lines(explain)
    return lines


def _flip_table(rows: list[dict[str, Any]], heads: dict[str, Any]) -> list[str]:
    names = {kind: _head(place) for kind, place in heads.items() if place}
    cells = {(row["where"], row["word"]): row["all"] for row in rows}
    lines = [
        "| Hidden from | Antecedent | Antecedent phrase | Other noun | Other phrase | Control |",
        "|---|---|---|---|---|---|",
    ]
    for where in dict.fromkeys(row["where"] for row in rows):
        shown = [_flips(cells[where, word]) for word in HIDDEN_WORDS]
        lines.append(f"| {WHERE_WORDS[where].format_map(names)} | " + " | ".join(shown) + " |")
    return lines


def _flips(entry: dict[str, Any]) -> str:
    if not entry["n"]:
        return "no data"
    text = f"{entry['share']:.1%} ({entry['low']:.1%} to {entry['high']:.1%})"
    change = entry.get("log_odds_change")
    return text if change is None else f"{text}; {_two_decimals(change):+.2f}"


def _explain_lines(explain: dict[str, Any]) -> list[str]:
    lines = [
        "",
        "Rank correlation of cross-attention rows with two importance measures of an output "
        "token: leave-one-out, the drop of its log p when a source token is hidden, and gradient × "
        "input. Values are means over the rows of a sentence, then over "
        f"{explain['sentences']} validation sentences and their translations, with the standard "
        "deviation over sentences. A high value does not prove that attention is an explanation, "
        "and a low value does not prove the opposite: neither measure is the ground truth.",
        "",
        "| Attention vs. | Correlation | Best head | Mean of heads | Averaged heads "
        "| Permuted rows | Gradient × input vs. the same |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in explain["rows"]:
        means, stds = row["heads"]["mean"], row["heads"]["std"]
        places = [(i, j) for i, layer in enumerate(means) for j, x in enumerate(layer)
                  if x is not None]  # fmt: skip
        if not places:
            continue
        i, j = max(places, key=lambda place: means[place[0]][place[1]])
        every = sum(means[a][b] for a, b in places) / len(places)
        lines.append(
            f"| {AGAINST_WORDS[row['against']]} | {row['method'].capitalize()} | layer {i + 1}, "
            f"head {j + 1}: {_two_decimals(means[i][j]):.2f} ± {stds[i][j]:.2f} | "
            f"{_two_decimals(every):.2f} | "
            + " | ".join(
                _mean_and_std(row[name]) for name in ("average", "permuted_average", "gradient")
            )
            + " |"
        )
    return lines


def _mean_and_std(entry: dict[str, Any] | None) -> str:
    if not entry or entry["mean"] is None:
        return ""
    return f"{_two_decimals(entry['mean']):.2f} ± {entry['std']:.2f}"


def _two_decimals(value: float) -> float:
    """Rounded; adding zero turns -0.0 into 0.0."""
    return round(value, 2) + 0.0
