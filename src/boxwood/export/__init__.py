"""Trees as something else: text, for now."""

from __future__ import annotations

from boxwood.export.text import export_text

__all__ = ["export_text"]
