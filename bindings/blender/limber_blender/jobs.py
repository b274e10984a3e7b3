"""The work under way: a plan, the program at it, and what the panel shows of it."""

import bpy

from . import program

current = None


class Job:
    """Started when made. `tick()` from time to time until `done`, then `finish()` once."""

    def __init__(self, plan, path):
        global current
        self.plan = plan
        self.child = program.Child(path, plan.arguments, plan.folder)
        current = self
        self._show(True)

    @property
    def done(self):
        return self.child.done

    @property
    def cancelled(self):
        return self.child.cancelled

    def tick(self):
        self._show(True)

    def cancel(self):
        self.child.cancel()

    def finish(self, seconds=None):
        """What to tell: text, and warnings. Raises LimberError when the work failed; a cancelled one changes
        nothing."""
        global current
        try:
            self.child.wait(seconds)
            if self.cancelled:
                return "cancelled", []
            return self.plan.apply(self.child.files), self.child.warnings
        finally:
            current = None
            self._show(False)

    def _show(self, running):
        shown = bpy.context.window_manager.limber
        shown.running = running
        shown.stage = self.child.stage if running else ""
        shown.fraction = 100 * self.child.fraction if running else 0
