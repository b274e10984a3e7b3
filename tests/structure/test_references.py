"""What code and pages cite of the five papers is there: equations, sections, figures, tables, footnotes, appendices."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What each paper has, read off the papers.
PAPERS = {
    "Choi & Ko 2005": {
        "eq": range(1, 30), "figure": range(1, 12), "table": ["I"], "footnote": range(1, 5),
        "appendix": ["I", "II", "III"],
        "section": ["I", "II", "III", "III-A", "III-B", "IV", "IV-A", "IV-B", "V", "V-A", "V-B", "V-C", "V-D", "VI", "VII"],
    },
    "Hauser et al. 2003": {
        "eq": range(1, 22), "figure": range(1, 9), "table": range(1, 2), "footnote": [], "appendix": [],
        "section": ["1", "2", "3", "3.1", "3.2", "3.3", "3.4", "4", "5"],
    },
    "Huang et al. 2011": {
        "eq": range(1, 21), "figure": range(1, 14), "table": range(1, 2), "footnote": [], "appendix": [],
        "section": ["1", "1.1", "1.2", "1.3", "1.4", "2", "2.1", "2.2", "2.3", "2.4", "2.5", "3", "4", "4.1", "4.2",
                    "4.3", "4.4", "5"],
    },
    "Müller et al. 2002": {
        "eq": range(1, 17), "figure": range(1, 14), "table": [], "footnote": [], "appendix": [],
        "section": ["1", "1.1", "1.2", "2", "2.1", "2.2", "2.3", "3", "3.1", "3.2", "4", "4.1", "4.2", "4.3", "4.4", "5"],
    },
    "García et al. 2010": {  # its sections have names and no numbers
        "eq": range(1, 16), "figure": range(1, 9), "table": [], "footnote": [], "appendix": [], "section": [],
    },
}
KINDS = {"eq": "eq", "equation": "eq", "section": "section", "figure": "figure", "fig": "figure", "table": "table",
         "footnote": "footnote", "appendix": "appendix", "appendice": "appendix"}
NUMBER = r"(?:\d+(?:\.\d+)?|[IVX]+(?:-[A-D])?|[A-D](?![\w]))"
# "Huang et al. 2011, eqs. 12-13 and section 4.1": the paper, then a list of kinds and numbers.
CITED = re.compile(
    r"(?P<paper>" + "|".join(map(re.escape, PAPERS)) + r")"
    r"(?P<what>(?:(?:,|:| and| \(|;)? ?(?:eqs?|equations?|sections?|[Ff]igures?|[Ff]igs?|[Tt]ables?|footnotes?|appendix|appendices)\.? "
    + NUMBER + r"(?:(?:, | and |, and |-|–| to )" + NUMBER + r")*)+)")
PART = re.compile(r"(eq|equation|section|figure|fig|table|footnote|appendix|appendice)s?\.? ((?:" + NUMBER +
                  r"(?:, | and |, and |-|–| to )?)+)", re.IGNORECASE)


def text_of(path):
    """With comments that go over lines joined."""
    return re.sub(r"\s*\n\s*(?:///?|#|\*)?\s*", " ", path.read_text(encoding="utf-8"))


def numbers_of(listed):
    """As texts: "12-14" are three."""
    for first, last in re.findall(r"(" + NUMBER + r")(?:(?:-|–| to )(" + NUMBER + r"))?", listed):
        if last and first.isdigit() and last.isdigit():
            yield from map(str, range(int(first), int(last) + 1))
        else:
            yield from filter(None, (first, last))


def citations(text):
    for cited in CITED.finditer(text):
        for kind, listed in PART.findall(cited["what"]):
            for number in numbers_of(listed):
                yield cited["paper"], KINDS[kind.lower()], number


SOURCES = sorted(path for top in ("src", "apps", "bindings", "include", "docs", "tests", "benchmarks")
                 for path in (ROOT / top).rglob("*")
                 if path.suffix in {".h", ".cpp", ".py", ".md", ".ts", ".c"}
                 and not {"node_modules", "dist", "build", "prebuilt"} & set(path.relative_to(ROOT).parts)
                 and path != pathlib.Path(__file__).resolve())


def test_every_citation_names_what_its_paper_has():
    wrong = [f"{path.relative_to(ROOT)}: {paper} has no {kind} {number}"
             for path in SOURCES for paper, kind, number in citations(text_of(path))
             if number not in map(str, PAPERS[paper][kind])]
    assert not wrong, "\n".join(wrong)


def test_many_citations_are_found():
    """Were the pattern wrong, the test above would find nothing to complain of."""
    found = [citation for path in SOURCES for citation in citations(text_of(path))]
    assert len(found) > 60
    assert {paper for paper, _, _ in found} == set(PAPERS)


@pytest.mark.parametrize("text, expected", [
    ("Choi & Ko 2005, eq. 19", [("eq", "19")]),
    ("Müller et al. 2002, eqs. 14 and 15", [("eq", "14"), ("eq", "15")]),
    ("Hauser et al. 2003, eqs. 5-7", [("eq", "5"), ("eq", "6"), ("eq", "7")]),
    ("Huang et al. 2011, section 4.1, eq. 12", [("section", "4.1"), ("eq", "12")]),
    ("Müller et al. 2002, sections 3 and 3.1", [("section", "3"), ("section", "3.1")]),
    ("Choi & Ko 2005, appendix II", [("appendix", "II")]),
    ("Choi & Ko 2005, section V", [("section", "V")]),
    ("García et al. 2010, section 4.2", [("section", "4.2")]),
])
def test_citations_are_read(text, expected):
    assert [(kind, number) for _, kind, number in citations(text)] == expected
