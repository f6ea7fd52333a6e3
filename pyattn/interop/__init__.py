"""pyattn behind the interfaces of other projects; each module is imported by name."""
