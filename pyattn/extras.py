"""What to say where a package of an extra is missing."""


def missing_extra(who_needs: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Say which extra brings the package that a failed import looked for."""
    return ModuleNotFoundError(
        f"{who_needs} the package {error.name!r}, which is not installed: pip install 'pyattn[models]'",
        name=error.name,
    )
