"""The numbers of docs/reproductions.md against the scripts that make them, without their pictures."""

import re
import sys

import pytest

from places import BUILD, ROOT

NUMBER = r"([+\-−]?[\d,.]*\d)"
QUICK = ("choi_ko_7", "choi_ko_8", "choi_ko_9", "choi_ko_9c", "choi_ko_10", "integrators", "mueller_2", "mueller_10", "mueller_12",
         "mueller_13", "hauser_4", "hauser_6", "hauser_sheet", "hauser_table_1")


@pytest.fixture(scope="module")
def figures():
    sys.path[:0] = [str(ROOT / "docs"), str(BUILD / "python")]
    pytest.importorskip("limber")
    from make_reproductions import FIGURES

    yield FIGURES
    del sys.path[:2]


def section_of(page, name):
    """From the heading that a figure's command stands under to the next one."""
    sections = re.split(r"^#+ ", page, flags=re.M)
    found = [section for section in sections if f"make_reproductions.py {name}`" in section]
    assert len(found) == 1, f"{len(found)} sections name the command of {name}"
    return found[0]


@pytest.mark.parametrize("name", QUICK)
def test_the_page_says_what_the_script_finds(figures, name):
    section = section_of((ROOT / "docs" / "reproductions.md").read_text(), name)
    place = 0
    for text, value in figures[name](pictures=False):
        spec = re.search(r"\{:([^}]*)\}", text)
        before, after = map(re.escape, (text[:spec.start()], text[spec.end():]))
        found = re.compile((before + NUMBER + after).replace(r"\ ", r"\s+")).search(section, place)
        assert found, f"{name}: the page does not say “{text}” behind character {place}"
        place = found.end()
        digits = int(spec.group(1).rstrip("f").split(".")[1])
        said = float(found.group(1).replace("−", "-").replace(",", ""))
        # Half a unit of the last digit, and what other instruction sets change in a motion: 2 %.
        assert abs(said - value) <= 0.5 * 10.0**-digits + 0.02 * abs(value) + 1e-9, (name, text, said, value)
