"""Answers to the exercises of chapter 01."""

ACCEPTED = {"01.1": [8, 8.0]}
REJECTED = {"01.1": [(4, "blanks only"), (7, "o200k"), (9, "line end"), ("8", "a whole number"), (8.5, "whole")]}
