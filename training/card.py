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
    "encoder_from_it": 'from "it" in the encoder, all heads',
    "encoder_from_it_best": 'from "it" in encoder {encoder} alone',
    "encoder_from_it_others": 'from "it" in all other heads of that layer',
    "encoder_from_it_guided": 'from "it" in encoder {guided} alone, the guided head',
    "cross_from_pronoun": "from the pronoun's position in cross-attention, all heads",
    "cross_from_pronoun_best": "from the pronoun's position in cross-attention {cross} alone",
    "it_and_pronoun": 'from "it" in the encoder and from the pronoun\'s position',
    "cross": "from cross-attention altogether",
    "encoder": "from the encoder altogether",
    "both": "from both altogether",
}
CONTRASTIVE = {
    ("natural",): 'held-out sentences that people wrote, with a gendered pronoun for "it"',
    ("natural", "unseen"): "of these that stood in no text before this training either",
    ("natural", "unlike"): "of these that are not even nearly in any text that trains",
    ("natural_validation",): 'validation sentences with a gendered pronoun for "it", "es" too',
    ("chains",): "pairs of sentences joined by a noun that no joined pair of the training spoke "
    "of (bounds by drawing nouns)",
    ("chains", "new"): "of these about nouns that no frame has either",
}
"""What contrastive scores are of, by where they stand among the scores."""
HIDDEN_WORDS = ("antecedent", "antecedent_phrase", "other", "other_phrase", "control")
AGAINST_WORDS = {
    "both": "drops, hidden from encoder and cross-attention",
    "cross": "drops, hidden from cross-attention",
    "gradient": "gradient times input",
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
            f"{training['steps']:,} steps, {training['epochs']} epochs, "
            f"{training['minutes']:.0f} minutes on {training['hardware']}. The weights are "
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
        "## Captions and gaze",
        "",
        f"`{found['command']}`, generated scenes that training did not have, beam "
        f"{found['beam']}. True is what a caption says; a word points right when the largest "
        "weight lies in a cell that touches the box of the thing that it speaks of, while a true "
        "caption is read.",
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
        "## Masked words",
        "",
        f"`{found['command']}`, pieces hidden in sentences that people wrote; the share guessed "
        "right and perplexity, from both sides and from the left alone.",
        "",
        "| Set | Hidden | Both sides | Left only |",
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


SCENES = {"seen": "as in training", "held_out": "with a thing never seen"}
GAZE_WORDS = (
    "captions true", "things true", "BLEU", "shapes point right", "colours", "sizes", "patterns",
    "weight on the thing", "even gaze",
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
        f"Right on {100 * score['accuracy']:.1f} % of {name} ({100 * score['low']:.1f} to "
        f"{100 * score['high']:.1f})."
        for key, name in JUDGED.items()
        if (score := scores.get(key))
    ]
    return (
        ["", "## Scores", "", "`python -m training documents`. " + " ".join(judged)]
        if judged
        else []
    )


def _score_lines(scores: dict[str, Any]) -> list[str]:
    if not scores or scores.keys() <= JUDGED.keys():
        return _accuracy_lines(scores)
    lines = ["", "## Scores", "", "`python -m training evaluate`, beam 5, alpha 0.6."]
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
    pronouns = scores.get("coreference")
    if pronouns:
        lines += [
            "",
            f"Right pronoun in {pronouns['accuracy']:.1%} of {pronouns['sentences']} held-out "
            f"two-noun sentences (first half {pronouns['first']:.1%}, second "
            f"{pronouns['second']:.1%}): {pronouns['new_nouns']:.1%} where the pair of nouns is "
            f"new, {pronouns['new_property']:.1%} of the {pronouns['sentences_new_property']} "
            "whose property never decided that situation in training"
            f"{_sibling_words(pronouns)}. The reference is likelier "
            "than itself with another gender's pronoun in "
            f"{pronouns['forced_choice']:.1%}.",
        ]
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


def _sibling_words(pronouns: dict[str, Any]) -> str:
    n = pronouns.get("sentences_new_property_sibling")
    if not n:
        return ""
    return (
        f" ({pronouns['new_property_sibling']:.1%} of the {n} of them in which it decided one that "
        "says nearly the same)"
    )


def _domain_lines(domains: dict[str, dict[str, Any]]) -> list[str]:
    if not domains:
        return []
    return [
        "",
        "By domain, on the validation part of each set, one reference a line:",
        "",
        "| Set | BLEU (95 %) | chrF | Sentences |",
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
    """Where it points from nouns of one meaning, and whom it names."""
    lines: list[str] = []
    nouns, subjects = scores.get("nouns"), scores.get("subjects") or {}
    if nouns:
        best = nouns["map"]
        lines += [
            "",
            f"From {nouns['links']} nouns of one meaning, in references that are read, "
            f"cross-attention layer {best['layer'] + 1}, head {best['head'] + 1}, chosen on other "
            f"sentences, has its largest weight on the right source word in {_interval(best)}; the "
            f"mean over all heads is {nouns['mean']:.1%}, and uniform attention would give it "
            f"{nouns['uniform']:.1%}.",
        ]
    for kind, what in (("named", "names the subject"), ("dropped", "names no subject")):
        if kind in subjects:
            found = subjects[kind]
            lines += [
                "",
                f"Where the source {what}, the translation begins with the reference's pronoun in "
                f"{_interval(found)} of {found['sentences']} sentences: {_counted(found)}; "
                f"{_always(found)}.",
            ]
    return lines


DROPPED = {
    "alone": "one person is spoken of",
    "together": "two are",
    "thing": "a person and a thing are",
    "pronoun": "a pronoun says whom",
}


def _dropped_lines(found: dict[str, Any]) -> list[str]:
    """Whom it names where generated sentences name nobody."""
    kinds = "; ".join(
        f"{DROPPED[kind]}: {_interval(each)} of {each['sentences']} ({_always(each)})"
        for kind, each in found["kinds"].items()
    )
    pointing = found["pointing"]["map"]
    return [
        "",
        "In held-out generated pairs the second sentence leaves its subject out, or says it by a "
        f"pronoun, and the translation names somebody. Right pronoun, where {kinds}. With the "
        f"two people exchanged and nothing else, both are right in {_interval(found['twins'])} of "
        f"{found['twins']['pairs']} pairs. While the pronoun is written, cross-attention layer "
        f"{pointing['layer'] + 1}, head {pointing['head'] + 1}, chosen on other sentences, has its "
        f"largest weight on who is meant in {_interval(pointing)}; uniform attention would give it "
        f"{found['pointing']['uniform']:.1%}.",
    ]


def _interval(found: dict[str, Any]) -> str:
    return f"{found['value']:.1%} ({found['low']:.1%} to {found['high']:.1%})"


def _always(found: dict[str, Any]) -> str:
    """What the same answer every time would have right."""
    return f"*{found['majority']['answer']}* every time: {found['majority']['value']:.1%}"


def _counted(found: dict[str, Any]) -> str:
    return ", ".join(
        f"{word} {each['right']} of {each['sentences']}" for word, each in found["pronouns"].items()
    )


def _contrastive_line(score: dict[str, Any], what: str) -> str:
    beside = f"; {_always(score)}" if "majority" in score else ""
    return (
        f"Of {score['sentences']} {what}, the reference is likelier than itself with any other "
        f"gender's pronoun in {score['right']} ({score['accuracy']:.1%}; {score['low']:.1%} to "
        f"{score['high']:.1%}): {_counted(score)}{beside}."
    )


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
        if kind not in froms:
            continue
        lines.append(
            f"| {kind}, layer {head['layer'] + 1}, head {head['head'] + 1} | {froms[kind]} | "
            + " | ".join(f"{round(head[k], 2) + 0.0:.2f}" for k in ("margin", "first", "second"))
            + " |"
        )
    lines += _property_lines(heads.get("property"), heads.get("encoder", {}))
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


def _property_lines(found: dict[str, Any] | None, noun_head: dict[str, Any]) -> list[str]:
    """What looks from "it" at the word that decides, and what the noun's head does without it."""
    if not found:
        return []
    head = f"encoder layer {found['layer'] + 1}, head {found['head'] + 1}"
    lines = [
        "",
        f'From "it", {head} puts {found["weight"]:.2f} on the words that decide which noun is '
        f"meant ({found['first']:.2f} in one half, {found['second']:.2f} in the other).",
    ]
    serves = found.get("serves")
    if serves and serves["without_others"] is not None:
        server = serves["server"]
        lines += [
            "",
            f"Encoder layer {noun_head['layer'] + 1}, head {noun_head['head'] + 1} looks at the "
            f"antecedent by {serves['margin']:.2f} more than at the other noun, over "
            f"{serves['sentences']} sentences. With the head of the property switched off (zero): "
            f"{serves['without']:.2f}; with any one other head of the layers before it, "
            f"{serves['without_others']:.2f} on average; without layer {server['layer'] + 1}, head "
            f"{server['head'] + 1}, the one it needs most, {serves['without_server']:.2f}. Right "
            f"pronouns by forced choice: {serves['right']:.1%}, without the head of the property "
            f"{serves['right_without']:.1%}, without the one that is needed most "
            f"{serves['right_without_server']:.1%}.",
        ]
    use = noun_head.get("use")
    if use:
        plain, without, alone = (_interval(use[name]) for name in ("plain", "without", "alone"))
        lines += [
            "",
            f"Is the head of the noun needed, and does it suffice? The right pronoun is the "
            f"likeliest in {plain} of {use['sentences']} held-out sentences; with that head "
            f"switched off in {without}; with all others of its layer switched off in {alone}.",
        ]
    return lines


def _intervention_lines(found: dict[str, Any]) -> list[str]:
    """The section of what `training.intervene` measured."""
    pronoun, explain = found.get("pronoun") or {}, found.get("explain") or {}
    forced, searched = pronoun.get("forced"), pronoun.get("searched")
    if not (forced or searched or explain.get("rows")):
        return []
    lines = ["", "## Words hidden from the model", "", f"`{found['command']}`, greedy search."]
    if forced or searched:
        plain = pronoun["plain"]
        lines += [
            "",
            "How often the pronoun flips when words are hidden, in the "
            f"{plain['followed']} of {plain['sentences']} held-out two-noun sentences whose plain "
            "output holds one form of the pronoun; in brackets the 95% interval (Wilson 1927). A "
            "phrase is a noun with its determiner and adjective. The control is another word, "
            "drawn at random outside both phrases; it may be the one that decides.",
        ]
    if forced:
        lines += [
            "",
            "With the plain output before the pronoun kept as it is, another form becomes the "
            "likeliest; after the semicolon the mean change in the log-odds of the right form "
            "against the best other one:",
            "",
            *_flip_table(forced, pronoun.get("heads") or {}),
        ]
    if searched:
        lines += [
            "",
            "With a new search, the output has another pronoun, none, or one more:",
            "",
            *_flip_table(searched, pronoun.get("heads") or {}),
        ]
    if explain.get("rows"):
        lines += _explain_lines(explain)
    return lines


def _flip_table(rows: list[dict[str, Any]], heads: dict[str, Any]) -> list[str]:
    names = {
        kind: f"layer {place['layer'] + 1}, head {place['head'] + 1}"
        for kind, place in heads.items()
        if place
    }
    cells = {(row["where"], row["word"]): row["all"] for row in rows}
    lines = [
        "| Hidden | Antecedent | Its whole phrase | Other noun | Its whole phrase | Control |",
        "|---|---|---|---|---|---|",
    ]
    for where in dict.fromkeys(row["where"] for row in rows):
        shown = [_flips(cells[where, word]) for word in HIDDEN_WORDS]
        lines.append(f"| {WHERE_WORDS[where].format_map(names)} | " + " | ".join(shown) + " |")
    return lines


def _flips(entry: dict[str, Any]) -> str:
    if not entry["n"]:
        return "none followed"
    text = f"{entry['share']:.1%} ({entry['low']:.1%} to {entry['high']:.1%})"
    change = entry.get("log_odds_change")
    return text if change is None else f"{text}; {_two_decimals(change):+.2f}"


def _explain_lines(explain: dict[str, Any]) -> list[str]:
    lines = [
        "",
        "Rank correlation of cross-attention rows with two other measures of what a produced "
        "token depends on: the drop of its log p when each source token is hidden in turn, and "
        "gradient times input. Mean over the rows of a sentence, then over "
        f"{explain['sentences']} validation sentences and their translations, with the standard "
        "deviation over sentences. A high number does not prove that attention explains, a low "
        "one does not prove that it fails: the measures are not the truth either.",
        "",
        "| Attention against | Method | Best head | Mean of heads | Averaged heads | Shuffled rows "
        "| Gradient against the same |",
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
