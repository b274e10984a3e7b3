"""Figures of papers made again, a module a paper. See ../make_reproductions.py."""
