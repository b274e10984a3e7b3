"""The program `limber` as a child process: where it is, how far it has come, how to stop it.

Knows nothing of Blender, so that it can be tested without.
"""

import os
import pathlib
import re
import shutil
import subprocess
import threading

from .errors import LimberError

PROGRESS = re.compile(r"limber: progress: (\S+) (.*)")
WROTE = re.compile(r"wrote (.*)")
PATIENCE_SECONDS = 5  # for a child that was asked to end


def find_program(wanted=""):
    """The path of `limber`: the one wanted, $LIMBER, or the one in PATH."""
    name = wanted or os.environ.get("LIMBER") or "limber"
    found = shutil.which(name)
    if not found:
        raise LimberError(f'there is no program "{name}"', "add-on preferences",
                          "build Limber with ./run and set the path of build/release/limber")
    return found


class Child:
    """One call of the program. `poll()` until `done`, then `files` or `error` are there."""

    def __init__(self, program, arguments, folder):
        self.stage = "starting"
        self.fraction = 0.0
        self.cancelled = False
        self.warnings = []
        self._errors = []
        self._output = []
        self._process = subprocess.Popen(
            [program, "--progress-lines", *map(str, arguments)], cwd=folder, text=True, encoding="utf-8",
            errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._readers = [threading.Thread(target=self._read_errors, daemon=True),
                         threading.Thread(target=self._read_output, daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read_errors(self):
        for line in self._process.stderr:
            progress = PROGRESS.match(line)
            if progress:
                self.fraction, self.stage = float(progress[1]), progress[2]
            elif line.startswith("limber: warning: "):
                self.warnings.append(line.split(": ", 2)[2].strip())
            else:
                self._errors.append(line.strip())

    def _read_output(self):
        self._output.extend(self._process.stdout)

    @property
    def done(self):
        return self._process.poll() is not None

    def wait(self, seconds=None):
        """Until it ends. Raises LimberError when it failed, unless it was cancelled."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.cancel()
            raise LimberError(f"no result after {seconds:g} s", "limber", "bake fewer frames, cells or modes") from None
        for reader in self._readers:
            reader.join()
        self._process.stdout.close()
        self._process.stderr.close()
        if self._process.returncode and not self.cancelled:
            told = " ".join(self._errors) or f"it ended with code {self._process.returncode}"
            raise LimberError(told.replace("limber: error: ", ""), "limber", "change that and bake again")

    def cancel(self):
        """Ends the child; it leaves no files behind."""
        self.cancelled = True
        if not self.done:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    @property
    def files(self):
        """What it wrote, in the order of the bodies."""
        return [pathlib.Path(match[1]) for match in map(WROTE.match, self._output) if match]
