"""One picture of a comparison: for each row, how fast every engine is against the fastest one."""

from __future__ import annotations

from results import OURS, Result


def save_plot(path: str, results: list[Result], engines: list[str], machine: dict) -> None:
    """Write a picture; the ending of ``path`` (png, svg, pdf) says which kind."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(10, 1.5 + 0.55 * len(results)), layout="constrained")
    height = 0.8 / len(engines)
    for index, engine in enumerate(engines):
        speeds = [_speed(result, engine) for result in results]
        places = [row + (index - len(engines) / 2 + 0.5) * height for row in range(len(results))]
        colour = "black" if engine == OURS else f"C{index}"
        axes.barh(places, speeds, height, label=engine, color=colour)
    axes.set_yticks(range(len(results)), [result.row.name for result in results])
    axes.invert_yaxis()
    axes.axvline(1, color="grey", linewidth=0.5)
    axes.set_xlabel("speed, the best peer is 1")
    axes.set_title(f"Attention on {machine['processor']}, {machine['threads']} threads")
    axes.margins(y=0.01)
    figure.legend(loc="outside upper center", ncols=len(engines), frameon=False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _speed(result: Result, engine: str) -> float:
    """Speed over the best peer's; 0 draws no bar for what was not timed."""
    peer, seconds = result.best_peer, result.seconds(engine)
    base = result.seconds(peer) if peer else result.seconds(OURS)
    return base / seconds if base and seconds else 0.0
