"""``python3 -m metaq.vectors HOST:PORT [FILE or DIRECTORY…]``: exits with 0 if the broker does as the vectors say."""

from __future__ import annotations

import os
import sys
from typing import List

from ..core.settings import parse_address
from .play import play_all
from .transcript import read


def main(arguments: List[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    paths = arguments[1:]
    if not paths:
        here = os.path.dirname(os.path.abspath(__file__))
        paths = [os.path.join(here, "..", "..", "..", "..", "vectors")]
    vectors = read(paths)
    failures = play_all(vectors, parse_address(arguments[0]))
    for vector, failure in failures.items():
        print("{}\n    {}".format(vector, failure))
    played = sum(1 for vector in vectors if "codec" not in vector.marks)
    print("{} vectors played, {} failed".format(played, len(failures)))
    return 1 if failures or not played else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
