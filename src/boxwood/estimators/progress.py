"""Progress and stopping through scikit-learn's callbacks.

scikit-learn 1.9 lets a user attach callbacks to an estimator (``set_callbacks``): a progress bar, a
monitor, a condition to stop. An estimator describes its work as a task with subtasks and calls the
callbacks at the beginning and at the end of each. Growing a tree is one task, "fit"; each hundredth of
the rows that has reached its leaf is one subtask of it, "grow". A callback that returns True at the end
of a subtask stops growth; the open nodes become leaves, and the estimator is fitted with that tree.

The intermediate tree is not handed out: ``fitted_estimator`` is None at the end of a subtask, and the
fitted estimator at the end of the whole fit.

With an older scikit-learn everything here does nothing.
"""

from __future__ import annotations

from typing import Any

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's class of that name, and does nothing."""

    def with_callbacks(method: Any) -> Any:
        """Stand in for scikit-learn's function of that name, and do nothing."""
        return method


__all__ = ["STEPS", "CallbackSupportMixin", "Progress", "with_callbacks"]

STEPS = 100
"""The number of subtasks of a fit."""


class Progress:
    """Tells the callbacks of an estimator how far its fit is.

    Parameters
    ----------
    estimator
        The estimator being fitted.
    X, y, metadata
        What ``fit`` was given; callbacks may ask for them.
    """

    def __init__(self, estimator: Any, X: Any, y: Any, metadata: dict[str, Any]) -> None:
        self._estimator = estimator
        self._given = {"X": X, "y": y, "metadata": metadata}
        self._reported = 0
        self._context = None
        if hasattr(estimator, "_init_callback_context"):
            self._context = estimator._init_callback_context(max_subtasks=STEPS)

    @property
    def wanted(self) -> bool:
        """Whether anybody listens."""
        return self._context is not None and bool(getattr(self._estimator, "_skl_callbacks", ()))

    def begin(self) -> None:
        """Say that the fit begins."""
        if self._context is not None:
            self._context.call_on_fit_task_begin(estimator=self._estimator, **self._given)

    def poll(self, done: float) -> bool:
        """Say that this share of the rows has reached its leaf; return whether to stop."""
        while self._context is not None and self._reported < min(STEPS, int(done * STEPS)):
            self._reported += 1
            step = self._context.subcontext(task_name="grow")
            step.call_on_fit_task_begin(estimator=self._estimator, **self._given)
            if step.call_on_fit_task_end(estimator=self._estimator, **self._given):
                return True
        return False

    def end(self) -> None:
        """Say that the estimator is fitted."""
        if self._context is not None:
            self._context.call_on_fit_task_end(
                estimator=self._estimator, **self._given, reconstruction_attributes={}
            )
