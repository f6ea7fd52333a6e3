"""The database: tables, connections, history. No rules: `grader.services` has them."""
