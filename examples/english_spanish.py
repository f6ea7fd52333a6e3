"""Sentences in English and Spanish, by a grammar.

There is no corpus to fetch: the pairs are generated, every one of them by the rules below. Spanish has what makes even
short sentences more than a list of words: adjectives behind their nouns, gender and number in articles, adjectives and
verbs, verbs that say who by themselves alone.
"""

import random

# noun, its plural; in Spanish, with its plural, its gender
NOUNS = {
    "ball": ("balls", "bola", "bolas", "f"),
    "bird": ("birds", "pájaro", "pájaros", "m"),
    "book": ("books", "libro", "libros", "m"),
    "boy": ("boys", "niño", "niños", "m"),
    "car": ("cars", "coche", "coches", "m"),
    "cat": ("cats", "gato", "gatos", "m"),
    "dog": ("dogs", "perro", "perros", "m"),
    "door": ("doors", "puerta", "puertas", "f"),
    "flower": ("flowers", "flor", "flores", "f"),
    "girl": ("girls", "niña", "niñas", "f"),
    "house": ("houses", "casa", "casas", "f"),
    "mat": ("mats", "alfombra", "alfombras", "f"),
    "table": ("tables", "mesa", "mesas", "f"),
    "teacher": ("teachers", "maestra", "maestras", "f"),
}
ANIMATE = ["bird", "boy", "cat", "dog", "girl", "teacher"]
PLACES = ["car", "house", "mat", "table"]
# what one drinks and eats has no plural here
DRINKS = {"milk": ("leche", "f"), "wine": ("vino", "m"), "juice": ("zumo", "m"), "soup": ("sopa", "f")}
# masculine, feminine, and their plurals
ADJECTIVES = {
    "big": ("grande", "grande", "grandes", "grandes"),
    "black": ("negro", "negra", "negros", "negras"),
    "blue": ("azul", "azul", "azules", "azules"),
    "green": ("verde", "verde", "verdes", "verdes"),
    "new": ("nuevo", "nueva", "nuevos", "nuevas"),
    "old": ("viejo", "vieja", "viejos", "viejas"),
    "red": ("rojo", "roja", "rojos", "rojas"),
    "small": ("pequeño", "pequeña", "pequeños", "pequeñas"),
    "white": ("blanco", "blanca", "blancos", "blancas"),
}
ARTICLES = {
    "the": ("el", "la", "los", "las"),
    "my": ("mi", "mi", "mis", "mis"),
    "this": ("este", "esta"),
    "a": ("un", "una"),
    "these": (None, None, "estos", "estas"),
}
SINGULAR, PLURAL = ["the", "my", "this", "a"], ["the", "my", "these"]
# I, he or she, we, they
VERBS = {
    "saw": ("vi", "vio", "vimos", "vieron"),
    "found": ("encontré", "encontró", "encontramos", "encontraron"),
    "bought": ("compré", "compró", "compramos", "compraron"),
    "painted": ("pinté", "pintó", "pintamos", "pintaron"),
}
DRANK = {
    "drank": ("bebí", "bebió", "bebimos", "bebieron"),
    "wanted": ("quise", "quiso", "quisimos", "quisieron"),
}
SAT = {
    "sat": (("me", "senté"), ("se", "sentó"), ("nos", "sentamos"), ("se", "sentaron")),
    "slept": (("dormí",), ("durmió",), ("dormimos",), ("durmieron",)),
}
WHERE = {"on": ["en"], "under": ["debajo", "de"], "behind": ["detrás", "de"]}
PRONOUNS = {
    "i": (["yo"], 0),
    "she": (["ella"], 1),
    "he": (["él"], 1),
    "we": (["nosotros"], 2),
    "they": (["ellos"], 3),
}
FIRST, SOMEBODY, US, THEM = range(4)

# From the texts that these examples come from; they are not trained on.
ALWAYS_HELD_OUT = [
    "the ball is blue",
    "the black cat drank the milk",
    "the cat sat on the mat",
    "i saw a cat",
]


def _form(gender, plural):
    return ("m", "f").index(gender) + 2 * plural


def _noun_phrase(rng, nouns=None):
    """English, Spanish, form (see ADJECTIVES)."""
    noun = rng.choice(nouns or list(NOUNS))
    plural = rng.random() < 0.3
    many, one_es, many_es, gender = NOUNS[noun]
    return _described(rng, (many if plural else noun), (many_es if plural else one_es), _form(gender, plural))


def _drink(rng):
    noun = rng.choice(list(DRINKS))
    spanish, gender = DRINKS[noun]
    return _described(rng, noun, spanish, _form(gender, False), ["the", "my", "this"])


def _described(rng, noun, spanish, form, articles=None):
    article = rng.choice(articles or (PLURAL if form > 1 else SINGULAR))
    adjectives = rng.sample(list(ADJECTIVES), k=rng.random() < 0.4)
    if article == "a" and (adjectives or [noun])[0][0] in "aeiou":
        article = "the"
    english = [article, *adjectives, noun]
    return english, [ARTICLES[article][form], spanish, *(ADJECTIVES[a][form] for a in adjectives)], form


def _subject(rng):
    """English, Spanish, person."""
    if rng.random() < 0.35:
        pronoun = rng.choice(list(PRONOUNS))
        spanish, person = PRONOUNS[pronoun]
        return [pronoun], spanish, person
    english, spanish, form = _noun_phrase(rng, ANIMATE)
    return english, spanish, THEM if form > 1 else SOMEBODY


def _is(rng):
    english, spanish, form = _noun_phrase(rng)
    adjective = rng.choice(list(ADJECTIVES))
    negated = rng.random() < 0.25
    english = english + ["are" if form > 1 else "is", *(["not"] * negated), adjective]
    return english, spanish + [*(["no"] * negated), "son" if form > 1 else "es", ADJECTIVES[adjective][form]]


def _does(rng):
    subject, sujeto, person = _subject(rng)
    drinks = rng.random() < 0.3
    verbs = DRANK if drinks else VERBS
    verb = rng.choice(list(verbs))
    thing, cosa, _ = _drink(rng) if drinks else _noun_phrase(rng)
    # A person or an animal that is seen takes an "a", which we leave to larger grammars: only things are acted on.
    while not drinks and any(
        thing[-1] in (noun, NOUNS[noun][0]) for noun in ANIMATE if noun not in ("cat", "bird")
    ):
        thing, cosa, _ = _noun_phrase(rng)
    return subject + [verb] + thing, sujeto + [verbs[verb][person]] + cosa


def _sits(rng):
    subject, sujeto, person = _subject(rng)
    verb, where = rng.choice(list(SAT)), rng.choice(list(WHERE))
    place, lugar, _ = _noun_phrase(rng, PLACES)
    english = subject + [verb, where] + place
    return english, _contracted(sujeto + list(SAT[verb][person]) + WHERE[where] + lugar)


def _contracted(words):
    """de + el = del."""
    joined = " ".join(words)
    return joined.replace(" de el ", " del ").split()


def pairs(count, seed):
    """Tell `count` different pairs of sentences, each two lists of words."""
    rng, found = random.Random(seed), {}
    while len(found) < count:
        english, spanish = rng.choice([_is, _does, _does, _sits])(rng)
        found[" ".join(english)] = (english, spanish)
    return list(found.values())


def split(seed=5, train=12000, held_out=500):
    """Tell what to train on and what not; no English sentence is in both."""
    all_pairs = pairs(train + held_out, seed)
    known = [pair for pair in all_pairs if " ".join(pair[0]) not in ALWAYS_HELD_OUT]
    return known[:train], known[train:] + REFERENCES


REFERENCES = [
    (english.split(), spanish.split())
    for english, spanish in zip(
        ALWAYS_HELD_OUT,
        [
            "la bola es azul",
            "el gato negro bebió la leche",
            "el gato se sentó en la alfombra",
            "yo vi un gato",
        ],
        strict=True,
    )
]
