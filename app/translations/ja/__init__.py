"""Japanese."""

from app.translations.ja.explanations import TEXTS as EXPLANATIONS
from app.translations.ja.fields import TEXTS as FIELDS
from app.translations.ja.gallery import TEXTS as GALLERY
from app.translations.ja.panels import TEXTS as PANELS
from app.translations.ja.plots import TEXTS as PLOTS
from app.translations.ja.sensor import TEXTS as SENSOR
from app.translations.ja.shots import TEXTS as SHOTS
from app.translations.ja.window import TEXTS as WINDOW
from app.translations.reading import pairs

SCENES = pairs("ja/scenes.toml")
TEXTS = GALLERY | EXPLANATIONS | FIELDS | WINDOW | PANELS | PLOTS | SENSOR | SHOTS | SCENES
