"""A tree as rules: one for each leaf, or fewer and simpler ones in the manner of C4.5rules."""

from __future__ import annotations

from boxwood.rules.condition import Categories, Condition, Interval
from boxwood.rules.extract import rules
from boxwood.rules.rule_set import Rule, RuleSet

__all__ = ["Categories", "Condition", "Interval", "Rule", "RuleSet", "rules"]
