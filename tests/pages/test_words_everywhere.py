"""A language made of brackets: whatever a page shows outside of them was left in the code.

Every message comes as ⟦…⟧, and all texts that the model reads and writes are Greek. So a Latin
letter outside of brackets is a word without an id.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from google.protobuf.message import Message as Proto
from streamlit.testing.v1 import AppTest

import ui.frame.messages
import ui.kit.export
import ui.pages.cost.costs
import ui.pages.training.recordings
import ui.shell.language
import words.packs
from core.measurements import COSTS, KNOCK_OUTS
from core.records.tokens import SPACE
from model import save_checkpoint
from model.special_tokens import EOS
from model.tokenizer import build_tokenizer
from support.app import at_address, tables
from support.models import ROOT, make_model, read_json
from ui.pages import pages
from words import Message, Words
from words.packs import ExampleSentence, Pack

PSEUDO = "pseudo"
RIDDLE = "δο ζωο δεν πασε δο δρομο γιατι αυτο ητο πολυ μικρο"
TWIN = "δο ζωο δεν πασε δο δρομο γιατι αυτο ητο πολυ στενο"
GREEK = (RIDDLE, TWIN, "ενας σκυλος τρεχει στο χιονι", "μια γατα κοιμαται στο σπιτι", "αυτος ειναι")
PACK = Pack(
    ("en", "de"),
    "αυτο",
    rivals=(("αυτο", "αυτος"),),
    determiners=frozenset({"δο"}),
    examples=(
        ExampleSentence("word-order", RIDDLE, "αυτο", "ζωο", "δρομο", TWIN),
        ExampleSentence("two-meanings", TWIN, "αυτο", "δρομο", "ζωο", RIDDLE),
        ExampleSentence("idiom", GREEK[2]),
    ),
    second=GREEK[4],
    few_words=GREEK[4],
)
# What is data, a name of a file kind, or a unit; letters that stand for themselves.
DATA = re.compile(
    r"</?s>|\bP(?=\()|\b[qkndr]²?\b|\blog\b|\bd_k\b|<unk>|<pad>|\b(?:en-de|en|de|PNG|SVG|HTML|CSV|NPZ|BertViz|transformer)\b|"
    r"#[0-9a-f]{6}\b|(?<=\d)[eE][+−-]?\d+|(?<=[\d ])(?:ms|s|µs|kB|MB|B)\b"
)
MARKDOWN = re.compile(
    r":material/\w+:|:(?:red|green|violet|orange|gray|blue|grey|yellow)-?(?:badge|background)?(?=\[)|"
    r":small(?=\[)|"
    r"\$[^$]*\$|nrefs\S+|\[\[?(?=⟦)|\]\([^)\s]*\)|https?://\S+|<[^>]*>"
)
PLACE = re.compile(r"(?<!\{)\{\w+\}(?!\})")
SELECTORS = {
    name
    for path in (ROOT / "words" / "en").glob("*.ftl")
    for name in re.findall(r"\$(\w+) ->", path.read_text(encoding="utf-8"))
}
CODE = frozenset({"command", "file", "error"})
"""Places filled with what is the same in every language."""
LETTER = re.compile(r"[A-Za-zÄÖÜäöüß]")
# Fields of Streamlit's messages that hold no words: keys, ids, names of types.
SILENT = frozenset(
    {
        *("id", "key", "user_key", "form_id", "icon"),
        *("url", "query_param_key", "element_id", "type", "format"),
        *("spec", "columns", "selection_mode", "theme", "element_proto"),
        *("json", "html_content", "css", "js", "component_name"),
        *("mime", "file_name", "deferred_file_id", "arrow_data", "body_type"),
        *("language", "use_container_width", "styler", "datasets", "name"),
        *("fragment_id", "script_hash", "page_script_hash", "page", "url_path", "value"),
        *("set_value", "raw_value", "raw_values", "default", "data"),
        *("vega_lite_theme", "identifier", "shortcut", "tag"),
    }
)
# Texts in place of the aligned pair that the view would show, by view.
OWN_TEXTS = {"gold": f"&gold_source={GREEK[2]}&gold_target={GREEK[3]}&gold_links=0-0 1p1"}
# Every view, and what more of it an address opens.
ADDRESSES = (
    *(
        f"{page.id}?{page.key}={view.id}{OWN_TEXTS.get(view.id, '')}"
        for page in pages()
        for view in page.views
    ),
    "attention?look=matrix&kind=decoder",
    "attention?look=pair&kind=cross",
    "attention?look=together&together=rollout&kind=cross&words=true",
    "attention?look=together&together=flow&special=hide",
    "attention?look=arithmetic&kind=decoder&arithmetic_step=scaling&row=2",
    "attention?look=matrix&badge=weight&row=1,2&column=1",
    "attention?look=matrix&row=1&column=1,2&special=renormalise",
    "attention?text=&min_len=9&max_len=2",
    "beam?beam_look=tree&begin=ενας&step=1",
    "beam?beam_look=tree&node=none&begin=ενας",
    f"beam?beam_look=errors&reference={GREEK[2]}",
    f"masks?mask_look=seen&seen_part=padding&seen_second={GREEK[3]}",
    f"masks?mask_look=seen&seen_part=both&seen_second={GREEK[3]}",
    f"masks?mask_look=seen&seen_peek=true&seen_target={GREEK[3]}",
    "masks?mask_look=change&change_tool=cells&change=hide-both-2",
    "masks?mask_look=change&change_tool=heads&change=zero-cross-2.1",
    "masks?mask_look=change&change_tool=row",
    "masks?mask_look=change&change_tool=positions",
    "positions?position_look=encoding&encoding_part=heatmap",
    "positions?position_look=encoding&encoding_part=wavelengths",
    "positions?position_look=encoding&encoding_part=similarity",
    "positions?position_look=encoding&encoding_part=rotation",
    "positions?position_look=order&order_how=shuffled",
    "block?block_look=stream&block_stack=decoder",
    "block?block_look=units&block_stack=decoder",
    "masks?mask_look=change&change_tool=sublayers&change=norm-all-all-all",
    "cost?cost_look=measured&cost_measure=kept",
    "training?training_look=forming&forming_of=checkpoint&knock_of=pronoun",
    "lessons?done=head&projector=1",
    "masks?lesson=knock&mask_look=knockout",
)
LETTERS = string.ascii_letters + "äöüßÄÖÜ"
TO_GREEK = {ord(c): chr(ord("α") + i % 24) for i, c in enumerate(LETTERS)} | {
    ord(c): None for c in "'.,?!\""
}


@pytest.fixture(scope="module")
def greek(tmp_path_factory) -> Path:
    """A folder with a checkpoint that reads and writes Greek, and has all that can be measured."""
    root, shipped = tmp_path_factory.mktemp("greek") / "own", ROOT / "checkpoints" / "en-de"
    tokenizer = build_tokenizer(GREEK * 3, vocab_size=120)
    model = make_model(vocab_size=tokenizer.vocab_size, max_len=160)
    save_checkpoint(root / "en-de", model, tokenizer, card={"languages": ["en", "de"]})
    card, made = (read(folder / "card.json") for folder in (shipped, root / "en-de"))
    for name in ("title", "description", "licence", "name"):
        card.pop(name, None)
    (root / "en-de" / "card.json").write_text(json.dumps(greek_only(card) | made))
    for file in shipped.glob("*.npz"):
        greek_formation(file, root / "en-de" / file.name)
    small, by = root.with_name("small"), {"hardware": GREEK[2]}
    shutil.copytree(ui.pages.training.recordings.SMALL, small)
    greek_formation(small / "formation.npz", small / "formation.npz")
    for file, folder, more in (
        (shipped / KNOCK_OUTS.file, root / "en-de", {"command": "", "run": GREEK[2]}),
        (small / KNOCK_OUTS.file, small, {"command": ""}),
        (small / "runs.json", small, {}),
        (ui.pages.cost.costs.FOLDER / COSTS.file, root / "en-de", {"command": "", "when": "1"}),
    ):
        (folder / file.name).write_text(json.dumps(read(file) | by | more))
    return root


def read(file: Path) -> dict[str, Any]:
    return read_json(file)


def greek_formation(file: Path, target: Path) -> None:
    """A recorded formation whose sentences and pieces are Greek."""
    with np.load(file) as stored:
        arrays = {
            name: np.vectorize(greek_piece)(array) if array.dtype.kind == "U" else array
            for name, array in stored.items()
        }
    np.savez(target, **arrays)


def greek_piece(text: str) -> str:
    """As many Greek letters, another word for another text; ``</s>`` stays."""
    return text if text == EOS else SPACE * text.startswith(SPACE) + text.translate(TO_GREEK)


def greek_only(value: Any) -> Any:
    """Measured records with their sentences in Greek; names of columns and commands stay."""
    if isinstance(value, dict):
        return {
            name: GREEK[2]
            if name in ("sentence", "text", "src", "tgt")
            or (name == "answer" and isinstance(part, str))
            else greek_only(part)
            for name, part in value.items()
        }
    return [greek_only(part) for part in value] if isinstance(value, list) else value


@pytest.fixture(autouse=True)
def brackets(monkeypatch, greek) -> None:
    monkeypatch.setattr(ui.pages.cost.costs, "FOLDER", greek / "en-de")
    monkeypatch.setattr(ui.pages.training.recordings, "SMALL", greek.with_name("small"))
    say, page, name = Words.__call__, Words.page, Words.language_name

    def bracketed(self: Words, id: str, /, **values: Any) -> str:
        if self.language != PSEUDO and id != "language-own-name":
            return say(self, id, **values)
        if id == "language-own-name" and self.language == PSEUDO:
            return f"⟦{PSEUDO}⟧"  # a menu names every language otherwise
        # What is filled in stands outside of the brackets again: it must have its own, or be data.
        given = {
            name: f"⟧{self._value(value)}⟦"
            if isinstance(value, str | Message | tuple) and name not in SELECTORS | CODE
            else value
            for name, value in values.items()
        }
        return f"⟦{say(self, id, **given)}⟧"

    def bracketed_page(self: Words, name: str) -> str:
        text = page(self, name)
        return f"⟦{PLACE.sub(lambda m: f'⟧{m[0]}⟦', text)}⟧" if self.language == PSEUDO else text

    monkeypatch.setattr(Words, "__call__", bracketed)
    monkeypatch.setattr(Words, "page", bracketed_page)
    monkeypatch.setattr(Words, "language_name", lambda self, code: f"⟦{name(self, code)}⟧")
    for module in (ui.frame.messages, ui.shell.language):
        monkeypatch.setattr(module, "languages", lambda: ("en", "ko", PSEUDO))
    monkeypatch.setattr(words.packs, "_packs", lambda: {"en-de": PACK})
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(greek))


@pytest.fixture
def file_names(monkeypatch) -> list[str]:
    """What the figures of a page are called when they are saved."""
    offered, given = ui.kit.export.downloads, []

    def noted(*figure: Any, name: str, **how: Any) -> list:
        given.append(name)
        return offered(*figure, name=name, **how)

    monkeypatch.setattr(ui.kit.export, "downloads", noted)
    return given


# What a person reads


def texts(page: AppTest) -> Iterator[tuple[str, str]]:
    """Every text of a page, with the name of the field that holds it."""
    for element in page:
        proto = getattr(element, "proto", None)
        if proto is None:
            continue
        yield from strings(proto, type(element).__name__)


def strings(proto: Proto, where: str) -> Iterator[tuple[str, str]]:
    name = proto.DESCRIPTOR.name
    if hasattr(proto, "spec"):
        yield f"{where}.alt", proto.alt
        if name == "PlotlyChart":
            yield from plot_texts(json.loads(proto.spec), "plot")
            return
        yield from chart_texts(json.loads(proto.spec), tables(proto))
        return
    if hasattr(proto, "column_order"):
        yield from table_texts(proto)
        return
    if name in ("Code", "Html", "BidiComponent") or where == "Latex":
        return
    for field, value in proto.ListFields():
        if field.name in SILENT:
            continue
        values = value if field.is_repeated else [value]
        for each in values:
            if isinstance(each, str):
                yield f"{where}.{field.name}", each
            elif isinstance(each, Proto):
                yield from strings(each, f"{where}.{field.name}")


def plot_texts(part: Any, where: str) -> Iterator[tuple[str, str]]:
    """Names, titles, labels and hover texts of a figure of Plotly, as they are read."""
    if isinstance(part, list):
        for each in part:
            yield from plot_texts(each, where)
    elif isinstance(part, dict):
        for name, value in part.items():
            written = name in ("name", "text", "hovertext", "hovertemplate", "ticktext", "title")
            for each in value if isinstance(value, list) else [value]:
                if written and isinstance(each, str):
                    yield f"{where}.{name}", html.unescape(re.sub(r"%\{[^}]*\}", " ", each))
            yield from plot_texts(value, f"{where}.{name}")


def chart_texts(spec: Any, drawn: dict[str, pd.DataFrame]) -> Iterator[tuple[str, str]]:
    """Titles, written marks, tooltips, and the columns that they and the axes are filled with."""
    fields: set[str] = set()
    yield from _chart_words(spec, fields, "chart")
    for name, table in drawn.items():
        for column in table.columns.intersection(list(fields)):
            for value in table[column].unique():
                if isinstance(value, str):
                    yield f"chart.{name}.{column}", value


def _chart_words(part: Any, fields: set[str], where: str) -> Iterator[tuple[str, str]]:
    if isinstance(part, list):
        for each in part:
            yield from _chart_words(each, fields, where)
        return
    if not isinstance(part, dict):
        return
    for name, value in part.items():
        if name in ("title", "text", "subtitle") and isinstance(value, str):
            yield f"{where}.{name}", value
        if name in ("title", "text") and isinstance(value, list):
            yield from ((f"{where}.{name}", each) for each in value if isinstance(each, str))
        if name == "encoding":
            yield from _channels(value, fields, where)
        if name not in ("data", "datasets", "transform"):
            yield from _chart_words(value, fields, f"{where}.{name}")


def _channels(encoding: dict, fields: set[str], where: str) -> Iterator[tuple[str, str]]:
    """Where a tooltip has no title, the name of its field is what a person would read."""
    for channel, value in encoding.items():
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, dict) or "field" not in each:
                continue
            guide = each.get("axis" if channel in "xy" else "legend", {})
            if channel == "tooltip" or channel == "text":
                fields.add(each["field"])
            placed = channel in ("x", "y", "color", "row", "column") and guide is not None
            renamed = "labelExpr" in (guide or {})
            if placed and not renamed and each.get("type") in ("nominal", "ordinal"):
                fields.add(each["field"])
            if channel == "tooltip" and "title" not in each:
                yield f"{where}.{channel} has no title", str(each["field"])


def table_texts(proto: Proto) -> Iterator[tuple[str, str]]:
    """Titles, helps and cells of the columns of a table that are shown."""
    config = json.loads(proto.columns) if getattr(proto, "columns", "") else {}
    table = pa.ipc.open_stream(proto.arrow_data.data).read_pandas()
    order = list(getattr(proto, "column_order", ())) or list(table.columns)
    yield "table.alt", getattr(proto, "alt", "")
    for column in order:
        given = config.get(column, {})
        if given is None or given.get("hidden"):
            continue
        yield f"table.{column}.label", str(given.get("label") or column)
        yield f"table.{column}.help", str(given.get("help") or "")
        cells = table.get(column, ())
        for value in dict.fromkeys(cell for cell in cells if isinstance(cell, str)):
            yield f"table.{column}", value


def outside(text: str) -> str:
    """What of a text stands outside of brackets and is neither data nor a sign of Markdown."""
    depth, left = 0, []
    for letter in text:
        depth += letter == "⟦"
        if depth <= 0:
            left.append(letter)
        if letter == "⟧":
            depth -= 1
            left.append(" ")
    return DATA.sub(" ", MARKDOWN.sub(" ", "".join(left).replace("\\", "")))


def leaks(page: AppTest) -> list[str]:
    found = {
        f"{where}: {text[:160]!r}" for where, text in texts(page) if LETTER.search(outside(text))
    }
    return sorted(found)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_word_was_left_in_the_code(address, file_names):
    page = at_address(address, lang=PSEUDO, text=RIDDLE, max_len="12")
    assert len([text for _, text in texts(page) if "⟦" in text]) > 15
    found = [*leaks(page), *(name for name in file_names if LETTER.search(outside(name)))]
    assert found == [], "\n".join(found)


def test_a_word_in_the_code_would_be_found():
    assert LETTER.search(outside("⟦all⟧ weights"))
    assert LETTER.search(outside("**⟦a⟧**: Layer ⟦b⟧"))
    assert not LETTER.search(outside("**⟦From ⟦it⟧⟧**: 0.25 · “αβγ” :red-badge[⟦x⟧ 12]"))
