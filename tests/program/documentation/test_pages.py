"""The pages of the site are complete in both languages: nothing is built here but their Markdown."""

from __future__ import annotations

import ast
import inspect
import posixpath
import re
import unicodedata
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import polhode
from docs.site import words
from docs.site.command_pages import names
from docs.site.contents import DOCS, ENGLISH_ONLY, GENERATED, LANGUAGES, ROOT, SECTIONS, file_of, page_names
from docs.site.drawing.figures import CURVES
from docs.site.drawing.films import MADE
from docs.site.field_pages import anchor, described, homes
from docs.site.links import Links
from docs.site.pages import navigation, pages_of
from docs.site.scene_pages import groups
from polhode.engine.registry import SUBJECTS
from polhode.scene import gallery
from polhode.scene.fields import forms
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode_app.cli.commands import app as commands
from polhode_app.i18n.field_names import scene_description, scene_title
from polhode_app.i18n.language import in_language, tr
from polhode_app.window.shell.actions import entries

LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
JAPANESE = re.compile("[぀-ヿ一-鿿]")
PLACE = re.compile(r"`((?:app|core|docs|tests|benchmarks|firmware|measurements)/[\w./-]*)`")
NAMING = [
    *DOCS.glob("*.md"),
    *(ROOT / name for name in ("README.md", "README.ja.md", "CONTRIBUTING.md", "SECURITY.md")),
]


@cache
def pages(language: str) -> dict[str, str]:
    return pages_of(language, Links())


def without_code(text: str) -> str:
    return re.sub(r"^(```|~~~).*?^\1|`[^`\n]*`|^ {4}.*?$", "", text, flags=re.DOTALL | re.MULTILINE)


def test_every_page_has_its_place_and_stands_there_once() -> None:
    placed = [name for section in SECTIONS.values() for name in section]
    assert len(placed) == len(set(placed))
    files = {path.name.split(".")[0] for path in DOCS.glob("*.md")}
    assert files == {name for name in page_names() if file_of(name, "en").parent == DOCS}


@pytest.mark.parametrize("name", [name for name in page_names() if name not in ENGLISH_ONLY])
def test_every_page_for_users_is_there_in_japanese(name: str) -> None:
    text = file_of(name, "ja").read_text("utf-8")
    lines = [line for line in without_code(text).split("\n") if len(line) > 60]
    lines = [line for line in lines if "](" not in line and not re.search(r"[<$`]", line)]
    assert sum(bool(JAPANESE.search(line)) for line in lines) >= 0.8 * len(lines)
    assert JAPANESE.search(text.partition("\n")[0]) or "glTF" in text.partition("\n")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_pages_link_every_page(language: str) -> None:
    first, names = pages(language)["index.md"], {*page_names()} - {"index"}
    assert len(names) > 30
    assert {name for name in names if f"]({name}.md)" not in first} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_lead_to_pages_pictures_or_media(language: str) -> None:
    made = pages(language)
    media = {f"media/{name}" for name in MADE}
    for page, text in made.items():
        if page.startswith("source/"):
            continue
        for link in LINK.findall(without_code(text)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
            known = target in made or target in media or target.startswith(("pictures/", "figures/"))
            if target.startswith("scenes/pictures/"):
                known = (gallery.FOLDER / "pictures" / Path(target).name).is_file()
            assert known, f"{page}: {link}"
    shown = {found for text in made.values() for found in re.findall(r"media/[\w.]+", text)}
    assert shown == media, "a film that no page shows, or that none makes"


def places(text: str) -> set[str]:
    """Names of the headings of a page: stated, as in {#name}, or the ASCII words of the title, as MkDocs names them."""
    found = set()
    for title, stated in re.findall(r"^#+ (.*?)(?: *\{ ?#([\w-]+).*)?$", without_code(text), re.MULTILINE):
        plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
        found.add(stated or re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip()))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_to_places_lead_to_headings(language: str) -> None:
    made = pages(language)
    count = 0
    for page in (page for page in made if not page.startswith("source/")):
        for target, place in re.findall(r"\]\(((?:[\w./-]+\.md)?)#([^)]+)\)", without_code(made[page])):
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
            assert place in places(made[whole]), f"{page}: {target}#{place}"
            count += 1
    assert count > 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scene_has_a_page_with_title_pictures_and_file(language: str) -> None:
    made = pages(language)
    for name in gallery.scene_names():
        text, scene = made[f"scenes/{name}.md"], read_scene(gallery.path(name))
        with in_language(language):
            assert text.startswith(f"# {scene_title(scene)}\n"), name
        assert f"pictures/{name}.light.jpg" in text
        assert f"pictures/{name}.dark.strip.jpg" in text
        assert f"source/scenes/{name}.toml.md" in text
        assert text.count("\n| ") >= 4 + len(scene.story.try_)
        assert f"]({name}.md)" in made["scenes/index.md"]


def test_scenes_whose_shapes_are_magnets_stand_with_the_magnets() -> None:
    """Unless they are those of a course, or have beads or soft bodies."""
    found = groups("en")
    assert {"bar_magnets", "chain_of_magnets", "magnetic_gears", "catching_magnets"} <= set(found["Magnets"])
    assert {"heavy_top", "dominoes"} <= set(found["Rigid bodies"])
    assert "jelly_magnet" in found["Soft bodies"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_the_format_has_a_row(language: str) -> None:
    made, found = pages(language), homes()
    assert len(found) > 80
    for model, home in found.items():
        section = made[f"format/{home}.md"].partition(f"{{ #{anchor(model)} data-toc")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
        assert rows == list(forms(model)), model
    told = made["format/index.md"]
    assert all(f"`{key}`" in told or f"({key}.md)" in told for key in forms(Scene))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_of_every_command_has_a_row(language: str) -> None:
    text = pages(language)["commands.md"]
    assert names() == sorted(name for name in commands if name.isalpha()), "in the order of --help"
    for name in names():
        section = text.partition(f"{{ #{name} }}")[2].partition("\n### ")[0]
        assert section, name
        arguments = [each for each in commands[name].assemble_argument_collection() if each.parameter.help]
        assert re.findall(r"^\| `([-\w]+)` \|", section, re.MULTILINE) == [each.names[0] for each in arguments]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_public_name_of_the_library_has_its_docstring(language: str) -> None:
    text = pages(language)["library.md"]
    for name in polhode.__all__:
        thing = getattr(polhode, name)
        if thing in homes():
            assert f"| [`{name}`](format/" in text, "its fields stand on the pages of the format"
            continue
        section = text.partition(f"{{ #{name} }}")[2].partition("\n### ")[0]
        first = (inspect.getdoc(thing) or "").split("\n")[0]
        assert first in section, name


def test_the_library_states_its_own_names_and_no_object_of_the_interpreter() -> None:
    text = pages("en")["library.md"]
    assert re.findall(r"<(?:function|factory|class|lambda)|model_post_init| at 0x", text) == []
    assert "| `times` | `np.ndarray` | (n,) [s], increasing |" in text
    rows = re.findall(r"^\| `\w+` \| `[^`]*` \| (.*) \|$", text, re.MULTILINE)
    assert len(rows) > 30
    assert "| `InteractionMarker | None` |" in text, "a bar in code needs no backslash"
    assert [row for row in rows if re.search(r"\w+: \w+ = |\bdef ", row)] == [], "source in place of a comment"
    assert text.count("\n- `progress`: called with the part that is done") == 1
    assert "\nmeshes: " not in text, "parameters in running text"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_law_is_linked_with_its_file_and_tests(language: str) -> None:
    """The file of a law is that of its hook, or one that this file calls; a section of the page names tests, too."""
    text = pages(language)["theory.md"]
    laws = {name: hook for part in SUBJECTS for name, hook in part.laws.items()}
    assert len(laws) > 20
    subjects = {inspect.getsourcefile(inspect.unwrap(getattr(hook, "py_func", hook))) for hook in laws.values()}
    for file in filter(None, subjects):
        subject = Path(file).relative_to(ROOT / "core/polhode/physics").parts[0]
        assert f"(source/core/polhode/physics/{subject}/" in text, f"{subject}: no law of it is on the page"
    sections = [each for each in text.split("\n## ") if "(source/core/polhode/physics/" in each]
    assert len(sections) >= 10
    assert all("(source/tests/physics/" in each for each in sections)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_with_an_equation_is_named_with_the_laws(language: str) -> None:
    """Those of core/polhode/physics whose docstring has one; arrays and descriptions have no law of their own."""
    text = file_of("theory", language).read_text("utf-8")
    without_law = ("arrays.py", "description.py", "surfaces.py")
    files = [path for path in (ROOT / "core/polhode/physics").rglob("*.py") if path.name not in without_law]
    docstrings = {path: ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "" for path in files}
    laws = {path.relative_to(ROOT).as_posix() for path, said in docstrings.items() if re.search(r"\S\s+=\s+\S", said)}
    assert len(laws) > 50
    assert {law for law in laws if f"`{law}`" not in text} == set()


def test_files_of_the_repository_that_pages_name_exist() -> None:
    """Capitals, as in core/polhode/physics/SUBJECT, stand for any name."""
    named = {(page.name, path) for page in NAMING for path in PLACE.findall(page.read_text("utf-8"))}
    assert len(named) > 100
    assert (
        sorted(each for each in named if not re.search(r"\b[A-Z]+\b", each[1]) and not (ROOT / each[1]).exists()) == []
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_shortcut_stands_in_the_table_of_keys(language: str) -> None:
    """The first key of each action; the four arrows with Ctrl stand as one."""
    arrows = {"en": "arrows", "ja": "矢印"}[language]
    named = {"en": {}, "ja": {"Left": "←", "Right": "→"}}[language]
    cells = re.findall(r"\|([^|]*)\|$", file_of("keys", language).read_text("utf-8"), re.MULTILINE)
    listed = {key for cell in cells for key in re.split(r"[,;、・ ]+", cell)}
    keys = [entry.keys[0] for entry in entries() if entry.keys]
    keys = [re.sub(r"(?<=Ctrl\+)(Shift\+)?(?:Left|Right|Up|Down)$", rf"\1{arrows}", key) for key in keys]
    keys = [re.sub(r"(?:Left|Right)$", lambda found: named.get(found[0], found[0]), key) for key in keys]
    assert len(keys) > 40
    assert [key for key in keys if key not in listed] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_formulas_of_scenes_and_fields_keep_their_asterisks(language: str) -> None:
    """Of all descriptions of scenes and helps of fields that have some: Markdown would take two for emphasis."""
    made = pages(language)
    texts = {f"scenes/{name}.md": read_scene(gallery.path(name)) for name in gallery.scene_names()}
    with in_language(language):
        wanted = [(page, scene_description(scene)) for page, scene in texts.items()]
        wanted += [
            (f"format/{homes()[model]}.md", tr(form.help)) for model in homes() for form in forms(model).values()
        ]
    wanted = [(page, " ".join(text.split())) for page, text in wanted if re.search(r"\*\S", text)]
    assert len(wanted) > 3
    assert [text for page, text in wanted if text.replace("*", "\\*") not in made[page]] == []


def test_texts_of_generated_pages_are_translated_and_no_others() -> None:
    """Missing ones raise KeyError where pages are made; figures are made in the build alone."""
    trees = [ast.parse(path.read_text("utf-8")) for path in (DOCS / "site").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    literals = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    used = literals | set(map(described, homes()))
    for name in names():
        used |= {commands[name].help, *(each.parameter.help for each in commands[name].assemble_argument_collection())}
    assert set(words.table()) - used == set(), "translated, but used nowhere"
    figures = ast.parse((DOCS / "site/drawing/figures.py").read_text("utf-8"))
    labels = [
        node.args[0] for node in ast.walk(figures) if isinstance(node, ast.Call) and ast.unparse(node.func) == "say"
    ]
    said = {label.value for label in labels if isinstance(label, ast.Constant)} | set(CURVES)
    assert len(said) > 6
    assert said <= set(words.table())


def test_lines_of_japanese_text_are_joined_without_spaces() -> None:
    """Browsers show the end of a line as a space, and none follows 、 and 。"""
    for page, text in pages("ja").items():
        if not page.startswith("source/") and page.removesuffix(".md") not in ENGLISH_ONLY:
            paragraphs = re.sub(r"^(```|~~~).*?^\1|^ {4}.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
            assert re.findall(r"[、。] *\n {0,3}(?!\d+\. )[\w`$].{0,20}", paragraphs) == [], page


def test_the_table_of_contents_has_every_page_of_the_sections() -> None:
    def flat(entries: list) -> list[str]:
        inner = [flat(next(iter(each.values()))) if isinstance(each, dict) else [each] for each in entries]
        return [path for paths in inner for path in paths]

    for language in LANGUAGES:
        listed = flat(navigation(language))
        assert len(listed) == len(set(listed))
        assert {path for path in pages(language) if not path.startswith("source/")} == set(listed)
        assert all(f"{name}/index.md" in listed for name in GENERATED)


@pytest.mark.parametrize("name", gallery.scene_names())
def test_pictures_of_scenes_have_their_size_and_show_something(name: str) -> None:
    for theme in ("light", "dark"):
        for path, size in ((gallery.picture(name, theme), (320, 200)), (gallery.strip(name, theme), (1152, 120))):
            image = Image.open(path)
            assert image.size == size
            assert 1000 < path.stat().st_size < 60_000
            assert np.asarray(image.convert("L"), dtype=float).std() > 5.0, "all of one colour"
