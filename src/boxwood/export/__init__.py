"""Trees as something else: text, and the trees of scikit-learn."""

from __future__ import annotations

from boxwood.export.sklearn import from_sklearn, to_sklearn
from boxwood.export.text import export_text

__all__ = ["export_text", "from_sklearn", "to_sklearn"]
