"""What is measured, always as a ratio against a floor taken in the same run."""
