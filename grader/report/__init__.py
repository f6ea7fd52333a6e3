"""A report for people (`text`), for programs (`record`), for Gradescope, and as pictures."""
