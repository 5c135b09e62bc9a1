"""What is measured, always as a ratio against a floor taken in the same run."""

from __future__ import annotations
