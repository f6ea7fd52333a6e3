"""Who grades what next. The database is the truth (`queue`); an engine (`engines`) only wakes workers."""
