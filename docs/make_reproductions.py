"""Makes the figures and numbers of docs/reproductions.md with the program itself.

    apt-get install python3-matplotlib python3-scipy
    PYTHONPATH=build/release/python /usr/bin/python3 docs/make_reproductions.py [FIGURE...]

One function a figure, one module a paper (docs/reproduction/). Without names, all are made. The
pictures go to docs/images, the numbers to the terminal.
"""

import sys

from reproduction import choi_ko_2005, garcia_2010, huang_2011, mueller_2002
from reproduction.common import IMAGES

PAPERS = (choi_ko_2005, mueller_2002, huang_2011, garcia_2010)
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
