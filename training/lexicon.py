"""Nouns, adjectives and people of the generated coreference sentences."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Noun:
    """An English noun with its German counterpart.

    `oblique` is the German accusative and dative: it differs for weak nouns (der Bär, den Bären).
    """

    english: str
    german: str
    gender: str
    tags: frozenset[str]
    oblique: str
    size: int = 0


@dataclass(frozen=True)
class Person:
    """Someone who is never a candidate for "it"; gender "" agrees with every noun."""

    english: str
    german: str
    gender: str


# english german gender [oblique]; "beast" is an animal that may chase, carry or frighten another.
_BEASTS = """
dog Hund m|cat Katze f|horse Pferd n|cow Kuh f|sheep Schaf n|pig Schwein n|goat Ziege f
hare Hase m Hasen|rabbit Kaninchen n|bear Bär m Bären|elephant Elefant m Elefanten
lion Löwe m Löwen|monkey Affe m Affen|fox Fuchs m|wolf Wolf m|rat Ratte f|hedgehog Igel m
squirrel Eichhörnchen n|deer Reh n|camel Kamel n|donkey Esel m|duck Ente f|goose Gans f
hen Henne f|rooster Hahn m|snake Schlange f|turtle Schildkröte f|crocodile Krokodil n
zebra Zebra n|giraffe Giraffe f|tiger Tiger m|leopard Leopard m Leoparden|kangaroo Känguru n
hippo Nilpferd n|rhino Nashorn n|lamb Lamm n|calf Kalb n|foal Fohlen n|pony Pony n
puppy Welpe m Welpen|animal Tier n|hyena Hyäne f|antelope Antilope f|beaver Biber m
badger Dachs m|raccoon Waschbär m Waschbären|weasel Wiesel n|ox Ochse m Ochsen|ostrich Strauß m
gazelle Gazelle f|lioness Löwin f|mouse Maus f|mare Stute f
"""
_SMALL_ANIMALS = """
chick Küken n|frog Frosch m|toad Kröte f|kitten Kätzchen n|hamster Hamster m|lizard Eidechse f
spider Spinne f|ant Ameise f|beetle Käfer m|snail Schnecke f|penguin Pinguin m|crab Krabbe f
"""
_VEHICLES = """
car Auto n|bus Bus m|truck Lastwagen m|motorcycle Motorrad n|tractor Traktor m|tank Panzer m
ambulance Krankenwagen m|taxi Taxi n|robot Roboter m|carriage Kutsche f|scooter Roller m
bulldozer Planierraupe f|machine Maschine f|vehicle Fahrzeug n|limousine Limousine f
"""
_PLACES = """
street Straße f road|river Fluss m water|bridge Brücke f bridge|field Feld n land
meadow Wiese f land|stream Bach m water|valley Tal n land|lake See m water|canal Kanal m water
motorway Autobahn f road|square Platz m land|path Weg m road|yard Hof m land|ditch Graben m land
avenue Allee f road|alley Gasse f road|track Gleis n rail|moor Moor n land|swamp Sumpf m land
footbridge Steg m bridge|bay Bucht f water|pond Teich m water|glacier Gletscher m ice
"""
_BUILDINGS = """
house Haus n|barn Scheune f|stable Stall m|garage Garage f|cave Höhle f|tent Zelt n|hut Hütte f
garden Garten m open|park Park m open|cellar Keller m|room Zimmer n|kitchen Küche f
tunnel Tunnel m|castle Schloss n|tower Turm m|church Kirche f|hall Halle f|shop Laden m
building Gebäude n|hotel Hotel n|museum Museum n|office Büro n|library Bibliothek f
factory Fabrik f|school Schule f|cage Käfig m|forest Wald m open|shed Schuppen m|villa Villa f
"""
# The number is a rough size: only neighbouring sizes are compared in the "fit" frames.
_CONTAINERS = """
box Kiste f 3|bag Tasche f 3|suitcase Koffer m 3|basket Korb m 3|drawer Schublade f 3
cupboard Schrank m 4|backpack Rucksack m 3|bucket Eimer m 2|chest Truhe f 4|jar Glas n 2
barrel Fass n 4|parcel Paket n 3|cabinet Vitrine f 4|tin Dose f 2|safe Tresor m 3
handbag Handtasche f 2|sack Sack m 3|compartment Fach n 3|case Etui n 2|container Behälter m 4
"""
_ITEMS = """
trophy Pokal m 2|ball Ball m 2|book Buch n 2|key Schlüssel m 1|table Tisch m 4|lamp Lampe f 2
hat Hut m 2|coat Mantel m 3|shirt Hemd n 2|knife Messer n 1|fork Gabel f 1|spoon Löffel m 1
pillow Kissen n 3|blanket Decke f 3|guitar Gitarre f 3|violin Geige f 2|toy Spielzeug n 2
doll Puppe f 2|clock Uhr f 2|camera Kamera f 2|phone Telefon n 1|laptop Laptop m 2
computer Computer m 3|radio Radio n 2|picture Bild n 3|painting Gemälde n 3|mirror Spiegel m 3
statue Statue f 3|newspaper Zeitung f 2|ring Ring m 1|necklace Kette f 1|hammer Hammer m 2
saw Säge f 2|tool Werkzeug n 2|rope Seil n 2|umbrella Regenschirm m 2|helmet Helm m 2
dress Kleid n 2|jacket Jacke f 2|sweater Pullover m 2|scarf Schal m 2|drum Trommel f 3
candle Kerze f 1|flag Fahne f 2|map Karte f 2|stone Stein m 2|chair Stuhl m 4|bottle Flasche f 2
plate Teller m 2|cup Tasse f 1|vase Vase f 2|piano Klavier n 4|sofa Sofa n 4|bed Bett n 4
"""
_FOOD = """
bread Brot n|cake Kuchen m|apple Apfel m|pear Birne f|egg Ei n|cheese Käse m|banana Banane f
melon Melone f|pumpkin Kürbis m|tomato Tomate f|potato Kartoffel f|cucumber Gurke f
meat Fleisch n|fish Fisch m|soup Suppe f|vegetable Gemüse n
"""


def _read(block: str, *tags: str) -> list[Noun]:
    nouns = []
    for entry in block.replace("\n", "|").split("|"):
        if not entry.strip():
            continue
        english, german, gender, *rest = entry.split()
        size = next((int(word) for word in rest if word.isdigit()), 0)
        oblique = next((word for word in rest if word[0].isupper()), german)
        extra = [word for word in rest if word.islower() and not word.isdigit()]
        nouns.append(Noun(english, german, gender, frozenset([*tags, *extra]), oblique, size))
    return nouns


AGENTS = (
    _read(_BEASTS, "animal", "beast")
    + _read(_SMALL_ANIMALS, "animal")
    + _read(_VEHICLES, "vehicle")
)
THINGS = (
    _read(_PLACES, "place")
    + _read(_BUILDINGS, "building")
    + _read(_CONTAINERS, "container")
    + _read(_ITEMS, "item")
    + _read(_FOOD, "food")
)
NOUNS = {noun.english: noun for noun in AGENTS + THINGS}

# Neutral modifiers: none of them decides what "it" is.
MODIFIERS = {
    "animal": "brown braun|black schwarz|white weiß|grey grau|wild wild|strange seltsam",
    "vehicle": "red rot|blue blau|green grün|white weiß|black schwarz|strange seltsam",
    "place": "famous berühmt|other ander|next nächst|first erst",
    "building": "famous berühmt|other ander|white weiß|modern modern|strange seltsam",
    "container": "red rot|blue blau|green grün|brown braun|black schwarz|other ander",
    "item": "red rot|blue blau|green grün|white weiß|black schwarz|other ander",
    "food": "other ander|second zweit|first erst",
}

PEOPLE = [
    Person(*row.split("|"))
    for row in """Tom|Tom|m
Peter|Peter|m
Paul|Paul|m
my brother|mein Bruder|m
the man|der Mann|m
the boy|der Junge|m
Mary|Maria|f
Anna|Anna|f
Julia|Julia|f
my sister|meine Schwester|f
the woman|die Frau|f
our mother|unsere Mutter|f
I|ich|
our father|unser Vater|m""".splitlines()
]

ADJECTIVES = dict(
    row.rsplit(" ", 1)
    for row in """tired müde|hungry hungrig|weak schwach|sick krank|nervous nervös|lazy faul
injured verletzt|young jung|exhausted erschöpft|frightened verängstigt|shy scheu|slow langsam
heavy schwer|broken kaputt|damaged beschädigt|wide breit|deep tief|dangerous gefährlich
narrow schmal|icy vereist|flooded überflutet|closed gesperrt|slippery glatt|muddy schlammig
long lang|cold kalt|dark dunkel|hot heiß|full voll|big groß
thick dick|bulky sperrig|small klein|tight eng|short kurz|thin dünn|flat flach|empty leer
angry wütend|aggressive aggressiv|greedy gierig|fast schnell|clever schlau|careful vorsichtig
agile flink|fat dick|old alt|clumsy ungeschickt|strong stark|careless unvorsichtig|loud laut
blind blind|light leicht
hard hart|fragile zerbrechlich|ugly hässlich|useless nutzlos|new neu
beautiful schön|useful nützlich|valuable wertvoll|cheap billig|expensive teuer|boring langweilig
comfortable bequem|fresh frisch|sweet süß|delicious lecker|soft weich|starving ausgehungert
spoiled verdorben|sour sauer|bitter bitter|curious neugierig|determined entschlossen
patient geduldig|steep steil|practical praktisch|dirty schmutzig
powerful kräftig|modern modern|timid ängstlich|busy belebt
spacious geräumig|wild wild""".replace("\n", "|").split("|")
)
