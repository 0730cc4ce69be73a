"""Proofs: the best tree on 0/1 features within given limits, with a certificate that can be checked."""

from __future__ import annotations

from boxwood.optimal.certify import Certificate, CertificateError, certify
from boxwood.optimal.problem import Problem, make_problem
from boxwood.optimal.result import Improvement, Result
from boxwood.optimal.solve import Progress, solve

__all__ = [
    "Problem",
    "make_problem",
    "solve",
    "Progress",
    "Result",
    "Improvement",
    "certify",
    "Certificate",
    "CertificateError",
]
