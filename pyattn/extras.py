"""What to say where a package of an extra is missing."""


def missing_extra(who_needs: str, error: ModuleNotFoundError, extra: str = "models") -> ModuleNotFoundError:
    """Say which extra brings the package that a failed import looked for."""
    return ModuleNotFoundError(
        f"{who_needs} the package {error.name!r}, which is not installed: pip install 'pyattn[{extra}]'",
        name=error.name,
    )
