"""Write the tables of docs/ about several stored results, each between two marks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2.runtime import Macro

from core.measurements import GOLD, INTERVENTIONS, LANGUAGE, PROOFS, PRUNING, ROLES
from core.pruning import PrunedSite, pruning_facts
from core.roles import HeadRoles, roles_of
from model.io.checkpoint import checkpoints_folder
from model.verify.claims import CLAIMS, SUMS
from training.card import CARD_FILE, measured_in, stored_card
from training.files import DOCS, write_between
from words import english

from .templating import TEMPLATES, environment

PAGES = TEMPLATES / "pages"
ROUTES = {
    "encoder_from_it_best": "“it”, best encoder head",
    "encoder_from_it_others": "“it”, other heads of that layer",
    "encoder_from_it": "“it”, all encoder heads",
    "cross_from_pronoun_best": "pronoun row, best cross-attention head",
    "cross_from_pronoun": "pronoun row, all cross-attention heads",
    "it_and_pronoun": "“it” and pronoun row",
    "cross": "all rows of cross-attention",
    "encoder": "all rows of the encoder",
    "both": "encoder and cross-attention",
}
"""Labels of the places from which a word is hidden, from the narrowest to the widest."""
HIDDEN = {
    "antecedent": "antecedent",
    "antecedent_phrase": "antecedent phrase",
    "other": "distractor",
    "other_phrase": "distractor phrase",
    "control": "control word",
}
"""Labels of the hidden words."""


def write_pages(docs: Path = DOCS) -> None:
    """Write the tables of every page that has a template.

    Raises CorpusError if a page lacks the marks of one of them.
    """
    cards = sorted(checkpoints_folder().glob(f"*/{CARD_FILE.file}"))
    stored = {path.parent.name: _stored(path.parent) for path in cards}
    for template in sorted(PAGES.glob("*.md.j2")):
        page = docs / template.stem
        for name, table in tables_of(template.name, stored):
            write_between(page, table, (f"<!-- {name} -->", f"<!-- end of {name} -->"))


def tables_of(template: str, stored: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each table: every public macro of a template is one."""

    def flips(name: str, where: str, word: str) -> dict[str, Any]:
        rows = stored[name]["interventions"]["pronoun"]["forced"]
        (row,) = (row for row in rows if (row["where"], row["word"]) == (where, word))
        return row["all"]

    def broken_first(name: str, site: str) -> dict[str, Any]:
        return pruning_facts(PrunedSite.from_values(stored[name]["pruning"]["sites"][site]))

    def differences(claim: str) -> list[tuple[float, str]]:
        """Return the differences of all checkpoints that make the claim, largest first."""
        # A card without proofs has no claims, and makes no difference.
        claims = {name: (of["proofs"] or {}).get("claims", {}) for name, of in stored.items()}
        return sorted(
            ((of[claim], name) for name, of in claims.items() if claim in of), reverse=True
        )

    values = {
        "of": stored,
        "flips": flips,
        "routes": ROUTES,
        "hidden_words": HIDDEN,
        "broken_first": broken_first,
        "claims": (*CLAIMS, *SUMS),
        "differences": differences,
        "say": english,
    }
    # `make_module` runs the template once, with its macros as attributes.
    module = environment().get_template(f"pages/{template}").make_module(values)
    for name, macro in vars(module).items():
        if isinstance(macro, Macro) and not name.startswith("_"):
            yield name, "\n".join(line for line in str(macro()).splitlines() if line)


def _stored(folder: Path) -> dict[str, Any]:
    """Return everything stored about a checkpoint that the tables refer to."""
    roles = measured_in(folder, ROLES)
    heads = HeadRoles.from_values(roles) if roles else None
    return {
        "roles": {site: roles_of(heads, site) for site in heads.sites} if heads else {},
        "card": stored_card(folder),
        "gold": measured_in(folder, GOLD),
        "language": measured_in(folder, LANGUAGE),
        "interventions": measured_in(folder, INTERVENTIONS),
        "pruning": measured_in(folder, PRUNING),
        "proofs": measured_in(folder, PROOFS),
    }
