"""Makes the figures and numbers of docs/reproductions.md with the program itself.

    apt-get install python3-matplotlib python3-scipy
    PYTHONPATH=build/release/python /usr/bin/python3 docs/make_reproductions.py [FIGURE...]

One function a figure, a module or two a paper (docs/reproduction/). Without names, all are made. The
pictures go to docs/images, the numbers to the terminal.
"""

import sys

from reproduction import (adaptive, bone_and_skin, choi_ko_2005, choi_ko_characters, garcia_2010, hauser_2003, huang_2011, integrators,
                          mueller_2002, overstretch)
from reproduction.common import IMAGES

PAPERS = (choi_ko_2005, choi_ko_characters, integrators, mueller_2002, overstretch, adaptive, bone_and_skin, hauser_2003, huang_2011, garcia_2010)
FIGURES = {figure.__name__: figure for paper in PAPERS for figure in paper.FIGURES}


def main(names):
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        sys.exit(f"no figure {', '.join(unknown)}; there are: {' '.join(FIGURES)}")
    IMAGES.mkdir(exist_ok=True)
    for name in names or FIGURES:
        FIGURES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
