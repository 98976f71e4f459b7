"""Links from explanations to the glossary, set by a function over their Markdown.

>>> with_terms("The **residual stream** is `x`.", "en")
'The **[residual stream](glossary?glossary_find=Residual+stream&lang=en)** is `x`.'
"""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import urlencode

from words.glossary import glossary

MOST_LINKS = 6
# Code, formulas, links, headings, labels in italics and quoted examples stay as they are.
_UNTOUCHED = re.compile(
    r"```.*?```|`[^`]*`|\$[^$]*\$|!?\[[^\]]*\](?:\([^)]*\))?|^#.*$"
    r"|(?<![*\w])\*(?!\*)[^*\n]+\*(?!\*)|“[^”]*”",
    re.DOTALL | re.MULTILINE,
)
# Headwords that sentences also use in another sense: a score of a head or of a hypothesis.
_EVERYDAY = {
    *("accuracy", "baseline", "bit", "control", "detached", "dimension", "edge", "hook", "key"),
    *("layer", "memory", "norm", "permuted", "position", "probe", "pruned", "query", "samples"),
    *("score", "source", "target", "token", "value", "window", "confidence", "alignment"),
    *("값", "기준선", "노름", "대조군", "메모리", "밸류", "번역문", "비트", "연결", "원문", "위치"),
    *("윈도", "점수", "정렬", "정확도", "차원", "층", "쿼리", "키", "탈락", "토큰", "확신도"),
}
# What may follow a Korean noun: a particle, or the copula.
_PARTICLE = (
    "(?=[^가-힣A-Za-z]|$|[을를이가은는과와의에로도만들란인]|으로|마다|입니다|처럼|보다|까지|부터)"
)


def with_terms(markdown: str, language: str) -> str:
    """Return `markdown` with the first mention of its terms linked to the glossary.

    Of more than `MOST_LINKS` terms the longest are linked, which are the least familiar.
    """
    spans = [match.span() for match in _UNTOUCHED.finditer(markdown)]
    mentions: dict[str, tuple[str, re.Match[str]]] = {}
    for match in _pattern(language).finditer(markdown):
        if not any(start < match.end() and match.start() < end for start, end in spans):
            headword, name = _linked(match[0], language)
            mentions.setdefault(headword, (name, match))
    longest = sorted(mentions.values(), key=lambda mention: -len(mention[0]))[:MOST_LINKS]
    # From the end, so that a link does not move the places of those before it.
    for name, match in sorted(longest, key=lambda mention: -mention[1].start()):
        address = urlencode({"glossary_find": name, "lang": language})
        link = f"[{match[0]}](glossary?{address})"
        markdown = markdown[: match.start()] + link + markdown[match.end() :]
    return markdown


@cache
def _names(language: str) -> dict[str, tuple[str, str]]:
    """Return headword and spelling for each name that is linked, by the name in small letters."""
    names: dict[str, tuple[str, str]] = {}
    for entry in glossary():
        headword = entry.headword(language).replace("`", "")
        outside = re.sub(r"\s*\([^)]*\)", "", headword).split(",")
        inside = ",".join(re.findall(r"\(([^)]*)\)", headword)).split(",")
        for name in map(str.strip, [*outside, *filter(_is_name, inside)]):
            if len(name) > 1 and name.casefold() not in _EVERYDAY:
                names.setdefault(_plain(name), (headword, name))
    return names


def _is_name(bracket: str) -> bool:
    """Return True for an abbreviation or a Korean synonym, False for a remark: "learned"."""
    return bool(re.search(r"[A-Z+]|[가-힣][가-힣 ]{3}", bracket))


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return the expression of all names, the longest first, in every spelling and number."""
    names = sorted(_names(language), key=len, reverse=True)
    spelt = "|".join(re.escape(name).replace(r"\ ", r"[\s-]+") for name in names)
    if language == "ko":
        return re.compile(rf"(?<![가-힣A-Za-z])(?:{spelt}){_PARTICLE}", re.IGNORECASE)
    return re.compile(rf"(?<![\w-])(?:{spelt})(?:s|es)?(?![\w-])", re.IGNORECASE)


def _linked(text: str, language: str) -> tuple[str, str]:
    """Return headword and spelling of a name as it stands in a text, perhaps in the plural."""
    names = _names(language)
    plain = _plain(text)
    singulars = (plain, plain.removesuffix("s"), plain.removesuffix("es"))
    return next(names[name] for name in singulars if name in names)


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name.casefold())
