"""The database: its tables (`tables`), its connections (`database`), its history (`migrations`). No rules: `services` has them."""
