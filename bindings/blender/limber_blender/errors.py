"""What users are told: one exception, caught by the operators alone."""


class LimberError(Exception):
    """What went wrong, where, and what to do about it, as one line."""

    def __init__(self, what, where, remedy):
        super().__init__(f"{what} ({where}): {remedy}")
