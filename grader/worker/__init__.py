"""Claims jobs, grades what they are about, stores what came out. No rules of a course live here."""
