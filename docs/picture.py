"""Draw `docs/learn.svg`, the picture in the README: what `boxwood learn` really prints, here and now.

python docs/picture.py
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from unittest import mock

from rich.console import Console

from boxwood.cli import learn, main

FONTS = "'DejaVu Sans Mono', ui-monospace, Menlo, Consolas, monospace"


def draw() -> str:
    """Run the command on a console that remembers, and return its screen as SVG."""
    console = Console(
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        width=112,
        highlight=False,
        markup=False,
    )
    with mock.patch.object(learn, "open_console", return_value=console):
        status = main(["learn"])
    if status != 0:
        raise SystemExit(status)
    picture = console.export_svg(title="boxwood learn", unique_id="boxwood")
    # The picture must not fetch fonts when somebody looks at it.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    return picture.replace("Fira Code, monospace", FONTS)


if __name__ == "__main__":
    Path(__file__).with_name("learn.svg").write_text(draw(), encoding="utf-8")
