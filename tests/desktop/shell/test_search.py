"""The command palette and the gallery find what is typed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON, accepted, row_of
from meaning import Meaning
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow
from polhode_app.window.gallery_dialog import GalleryDialog
from polhode_app.window.shell.command_palette import ROLE
from polhode_app.window.shell.menus import FEATURED, scenes
from polhode_app.window.shell.qt_translator import use_language
from polhode_app.window.shell.search_words import document_title, scene_texts
from polhode_app.window.widgets.search import Searched, found, rank

SCENE = gallery.path("course_1_oscillator").read_text("utf-8")
IN_PALETTE = {  # what is typed: the first entry
    "light": "Theme > Light",
    "dark": "Theme > Dark",
    "dark mode": "Theme > Dark",
    "japan": "Language > 日本語",
    "japanese": "Language > 日本語",
    "日本": "Language > 日本語",
    "english": "Language > English",
    "paus": "Pause",
    "start": "Pause",
    "restart": "Reset",
    "undo": "Undo",
    "quit": "Quit",
    "preferences": "Settings",
    "screenshot": "Picture of the view",
    "shortcuts": "Keys and mouse",
    "zoom": "Zoom in",
    "fit": "Fit all",
    "fa": "Faster",
    "ftal": "Fit all",
    "full screen": "Full-screen presentation",
    "graph": "Plots",
    "slow motion": "Slower",
    "grab": "Grab tool",
    "mouse": "Keys and mouse",
    "movie": "Record a video",
    "arrow": "Arrow scale",
    "field lines": "Field lines",
    "trails": "Trails",
    "velocities": "Velocities",
    "forces": "Forces",
    "eigenmodes": "Modes of soft bodies",
    "arduino": "Sensor",
    "spreadsheet": "Plot data (CSV)",
    "open": "Open",
    "save": "Save",
    "new": "New",
    "box": "Add > Body > Cuboid",
    "ball": "Add > Body > Sphere",
    "slope": "Add > Floor",
    "heat map": "Maps of many runs",
    "excel": "Plot data (CSV)",
    "units": "Run table (CSV)",
    "mass": "Inspector",
    "gravity": "Gravity, field and wind",
    "重力": "Gravity, field and wind",
    "experiment": "Measured data and fits",
    "箱": "Add > Body > Cuboid",
    "写真": "Picture of the view",
    "はじめから": "Reset",
    "英語": "Language > English",
    "実験": "Measured data and fits",
    "heavy top": "Heavy top",
    "three magnets": "Magnet pendulum over three magnets",
    "hand moves": "Course 11: a floor that the hand moves",
    "rolling in a bowl": "Rolling 4: static friction on a curved surface",
    "break shot": "Break shot of fifteen balls",
    "t_handle": "T-handle in weightlessness",
    "watt": "Watt's linkage",
    "magnetic field": "Field lines",
    "measure the period": "Plots",
    "fourier": "Plots",
    "compare": "Add > Compare with a changed value",
    "jelly": "Add > Soft body > Jelly block",
    "rope": "Add > Soft body > Chain",
    "larger text": "Settings",
    "save picture": "Picture of the view",
    "import csv": "Measured data and fits",
    "curve fitting": "Measured data and fits",
    "center of mass": "Inertia",
    "draw track": "Edit the path of a bead",
    "acceleration": "Sum of forces",
    "undo last": "Undo",
    "close": "Quit",
    "version": "About Polhode",
    "磁場": "Field lines",
    "振り子": "Add > Body > Pendulum",
    "磁石": "Add > Body > Magnet",
    "周期": "Plots",
    "グラフ": "Plots",
    "保存": "Save",
    "元に戻す": "Undo",
    "床": "Add > Floor",
    "暗い": "Theme > Dark",
    "速度": "Velocities",
    "軌跡": "Trails",
    "ゼリー": "Add > Soft body > Jelly block",
    "終了": "Quit",
    "平衡点": "Equilibria",
}
IN_GALLERY = {
    "cloth": "A cloth falls over a ball",
    "cloth wind": "A cloth in the wind, by its lowest modes",
    "three magnets": "Magnet pendulum over three magnets",
    "rolling in a bowl": "Rolling 4: static friction on a curved surface",
    "hand moves": "Course 11: a floor that the hand moves",
    "bowl hand": "A bead in a bowl that the hand slides",
    "cue ball": "Break shot of fifteen balls",
    "gyroscope": "Gyroscope in gimbals",
    "top": "Heavy top",
    "compass": "Compass",
    "duck": "A duck falls on the floor",
    "flag": "A flag in a wind that turns",
    "jelly": "A magnet in a jelly",
    "newton": "Newton's cradle",
    "newton strings": "Newton's cradle on strings",
    "foucault": "Foucault's pendulum",
    "coriolis": "Foucault's pendulum",
    "eddy": "Eddy current brake",
    "roller coaster": "Roller coaster",
    "double pendulum": "Course 5: a double pendulum of springs",
    "rod pendulum": "Double rod pendulum",
    "trebuchet": "Trebuchet",
    "steam engine": "Watt's linkage",
    "course 3": "Course 3: a spring pendulum",
    "rolling 15": "Rolling 15: a slope that takes no energy, with spin",
    "loop": "Loop the loop",
    "magnetic gears": "Magnetic gears",
    "bouncing": "A bouncing ball",
    "billiard": "Break shot of fifteen balls",
    "pool": "Break shot of fifteen balls",
    "spinning top": "Heavy top",
    "earth rotation": "Foucault's pendulum",
    "inclined plane": "Rolling race",
    "harmonic oscillator": "Course 1: a mass on a spring, by four methods",
    "resonance": "Resonance of masses on springs",
    "tennis racket": "T-handle in weightlessness",
    "curve of fastest descent": "The fastest slide",
    "ビリヤード": "Break shot of fifteen balls",
    "コンパス": "Compass",
    "てこ": "Trebuchet",
    "magnets chaos": "Magnet pendulum over three magnets",
    "bike": "Bicycle wheel on one end of its axle",
    "puppet": "Marionette",
    "race": "Rolling race",
    "nutation": "Heavy top",
    "normal modes": "Three gliders on an air track",
    "ぶらんこ": "Swings pumped by gravity",
    "ドミノ": "Dominoes",
    "ゼリー": "A magnet in a jelly",
    "自転車": "Bicycle wheel on one end of its axle",
    "歯車": "Two gears",
    "坂": "Rolling 1: a slope without friction",
    "ゆりかご": "Newton's cradle",
    "方位磁針": "Compass",
    "コリオリ": "Foucault's pendulum",
    "こま": "Heavy top",
    "すべり台": "The fastest slide",
    "手で動かす": "Course 11: a floor that the hand moves",
    "resonance curve": "Resonance of masses on springs",
    "large amplitude": "Period of large swings",
    "単振り子": "Period of large swings",
    "大きい振幅": "Period of large swings",
    "大きな振幅": "Period of large swings",
    "強制振動": "Resonance of masses on springs",
    "共鳴": "Resonance of masses on springs",
    "共振曲線": "Resonance of masses on springs",
    "最速降下線": "The fastest slide",
    "投石機": "Trebuchet",
    "羅針盤": "Compass",
    "磁気ブレーキ": "Eddy current brake",
    "渦電流": "Eddy current brake",
    "二重振り子": "Course 5: a double pendulum of springs",
    "無重力": "T-handle in weightlessness",
    "シーソー": "Seesaw with a rolling ball",
    "ジェットコースター": "Roller coaster",
    "宙返り": "Loop the loop",
    "滑車": "Swinging Atwood's machine",
    "ピストン": "Slider-crank with a motor",
}
FIRST_IN_GALLERY = {  # what is typed, in either language of the window: the name of the file of the first scene
    "breaking": "breaking_bar",
    "fracture": "breaking_bar",
    "tear": "breaking_bar",
    "crack": "breaking_bar",
    "hooke's law": "course_1_oscillator",
    "spring constant": "course_1_oscillator",
    "euler method": "course_1_oscillator",
    "numerical integration": "course_1_oscillator",
    "damped oscillation": "course_2_damper",
    "wind": "course_4_wind",
    "elastic pendulum": "course_3_spring_pendulum",
    "butterfly effect": "double_rod_pendulum",
    "chaos": "driven_compass",
    "attractor": "basins_of_three_magnets",
    "basin of attraction": "basins_of_three_magnets",
    "fractal": "basins_of_three_magnets",
    "lyapunov": "driven_compass",
    "bifurcation": "driven_compass",
    "merry-go-round": "foucault_pendulum",
    "precession": "heavy_top",
    "gyro": "gyroscope_in_gimbals",
    "angular momentum": "heavy_top",
    "euler angles": "heavy_top",
    "dzhanibekov effect": "t_handle",
    "wing nut": "t_handle",
    "moment of inertia": "shapes",
    "elastic collision": "newtons_cradle",
    "conservation of momentum": "newtons_cradle",
    "billiards": "break_shot",
    "bowling": "rolling_5_sliding_into_rolling",
    "air resistance": "rolling_7_air_and_rolling_resistance",
    "buoyancy": "falling_into_water",
    "terminal velocity": "falling_into_water",
    "faraday": "eddy_current_brake",
    "lenz law": "eddy_current_brake",
    "north pole": "compass",
    "dipole": "two_needles",
    "curtain": "cloth_on_ball",
    "fabric": "cloth_on_ball",
    "lever": "trebuchet",
    "crank": "slider_crank",
    "linkage": "watts_linkage",
    "cogwheel": "magnetic_gears",
    "wave": "pendulum_wave",
    "tautochrone": "isochronous_cycloids",
    "cycloid": "isochronous_cycloids",
    "centrifugal force": "spinning_hoops",
    "catapult": "trebuchet",
    "折れる": "breaking_bar",
    "破壊": "breaking_bar",
    "切れる": "breaking_bar",
    "フックの法則": "course_1_oscillator",
    "ばね定数": "course_1_oscillator",
    "オイラー法": "course_1_oscillator",
    "数値積分": "course_1_oscillator",
    "減衰振動": "course_2_damper",
    "単振動": "course_1_oscillator",
    "ばね振り子": "course_3_spring_pendulum",
    "バタフライ効果": "double_rod_pendulum",
    "カオス": "double_rod_pendulum",
    "リアプノフ指数": "driven_compass",
    "分岐図": "driven_compass",
    "フラクタル": "basins_of_three_magnets",
    "引き込み領域": "basins_of_three_magnets",
    "遠心力": "spinning_hoops",
    "角運動量": "heavy_top",
    "ジャイロ効果": "heavy_top",
    "慣性モーメント": "shapes",
    "弾性衝突": "newtons_cradle",
    "運動量保存": "newtons_cradle",
    "反発係数": "bouncing_ball",
    "空気抵抗": "rolling_7_air_and_rolling_resistance",
    "浮力": "falling_into_water",
    "終端速度": "falling_into_water",
    "電磁誘導": "eddy_current_brake",
    "レンツの法則": "eddy_current_brake",
    "双極子": "two_needles",
    "旗": "flag",
    "布": "cloth_on_ball",
    "カーテン": "cloth_on_ball",
    "ロープ": "rope_between_bars",
    "水": "falling_into_water",
    "らせん": "helix_slide",
    "放物線": "bead_on_parabola",
    "回転座標系": "foucault_pendulum",
    "無重量": "t_handle",
    "宇宙": "t_handle",
    "うなり": "coupled_needles",
    "懸垂線": "rope_between_bars",
    "地震": "resonance",
    "メトロノーム": "pendulum_wave",
    "平行四辺形": "watts_linkage",
    "円周運動": "spinning_hoops",
    "beats": "coupled_pendulums",
    "period at large angle": "large_swings",
    "period at large angles": "large_swings",
    "pendulum large angle": "large_swings",
    "amplitude and period": "large_swings",
    "pumping a swing": "pumped_swings",
    "parametric resonance": "pumped_swings",
    "大きい角度の周期": "large_swings",
    "振れ幅と周期": "large_swings",
    "パラメトリック共振": "pumped_swings",
}
FROM_TEXTS = {  # what is typed: scenes whose texts have the words, in the order of the files' names
    "周期": {"bead_on_parabola", "compass", "isochronous_cycloids", "large_swings", "pumped_swings"},
    "減衰": {"course_2_damper", "course_3_spring_pendulum", "course_7_dampers", "two_masses", "bouncing_ball"},
    "歳差": {"heavy_top", "bicycle_wheel", "gyroscope_in_gimbals"},
    "共振": {"resonance", "driven_compass", "pumped_swings"},
    "モード": {"too_long", "cloth_by_modes", "two_masses", "jelly_by_modes"},
    "摩擦": {"rolling_3_static_friction", "rolling_4_rolling_in_a_bowl"},
    "固有振動数": {"resonance"},
    "PEM": {"magnet_pendulum", "polhode", "heavy_top"},
    "Imura": {"course_1_oscillator", "course_11_hand"},
    "Endo": {"rolling_1_frictionless_slope", "rolling_18_constrained_sphere"},
    "Kobayashi": {"two_masses"},
    "modal": {"two_masses", "cloth_by_modes", "jelly_by_modes"},
    "井村": {"course_1_oscillator", "course_11_hand"},
    "遠藤": {"rolling_1_frictionless_slope"},
    "小林": {"two_masses"},
}


@pytest.fixture(autouse=True)
def _english_again(qapp: object) -> object:
    yield
    use_language("en")


def titles(window: MainWindow, typed: str) -> list[str]:
    """Entries that the palette lists for a query."""
    palette = window.dialogs.palette
    palette.line.setText(typed)
    return [palette.list.item(row).text() for row in range(palette.list.count())]


def test_the_palette_finds_what_is_typed(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_F3)
    first = {typed: (titles(window, typed) or [None])[0] for typed in IN_PALETTE}
    window.dialogs.palette.close()
    assert {typed: (text, IN_PALETTE[typed]) for typed, text in first.items() if text != IN_PALETTE[typed]} == {}
    assert len(IN_PALETTE) + len(IN_GALLERY) > 60


def test_gravity_is_found_by_its_name_and_opens_in_the_inspector(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_F3)
    line = window.dialogs.palette.line
    qtbot.keyClicks(line, "gravity")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.selection == ("world",), timeout=SOON)
    assert "inspector" in window.docks.docks
    assert window.docks.docks["inspector"].isVisible()
    assert row_of(window, "world.gravity").isVisible()


def test_the_gallery_finds_what_is_typed(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.action_table["scenes"].trigger()
    dialog = window.findChild(GalleryDialog)
    first = {}
    for typed in IN_GALLERY:
        dialog.search.setText(typed)
        item = dialog.list.currentItem()
        first[typed] = item.text() if item is not None else None
        assert item is None or dialog.visible_items()[0] is item
    dialog.close()
    assert {typed: (text, IN_GALLERY[typed]) for typed, text in first.items() if text != IN_GALLERY[typed]} == {}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_first_scene_is_what_is_typed_in_both_languages(language: str) -> None:
    """Terms of textbooks, half of them Japanese, whichever language the window has."""
    use_language(language)
    entries = [
        (Searched(*scene_texts(path, scene), False, path.stem in FEATURED), path.stem) for path, scene in scenes()
    ]
    first = {typed: (found(typed, entries) or [None])[0] for typed in FIRST_IN_GALLERY}
    assert {typed: name for typed, name in first.items() if name != FIRST_IN_GALLERY[typed]} == {}
    japanese = [typed for typed in FIRST_IN_GALLERY if not typed.isascii()]
    assert len(FIRST_IN_GALLERY) >= 60
    assert len(japanese) >= 30


@pytest.mark.parametrize("language", ["en", "ja"])
def test_words_of_texts_and_documents_find_their_scenes(language: str) -> None:
    """In both languages: a text is searched in all of them, and names of authors in the titles of documents."""
    use_language(language)
    entries = [(Searched(*scene_texts(path, scene), False), path.stem) for path, scene in scenes()]
    missed = {typed: wanted - set(found(typed, entries)) for typed, wanted in FROM_TEXTS.items()}
    assert {typed: names for typed, names in missed.items() if names} == {}
    assert found("量子力学", entries) == []


def test_documents_are_a_group_of_the_gallery(lab: Callable[..., MainWindow]) -> None:
    window = lab()
    window.action_table["scenes"].trigger()
    dialog = window.findChild(GalleryDialog)
    dialog.groups.setCurrentRow(dialog.groups.count() - 1)
    shown = {item.data(Qt.ItemDataRole.UserRole).stem for item in dialog.visible_items()}
    assert {"course_1_oscillator", "two_masses", "rolling_1_frictionless_slope", "polhode"} <= shown
    assert "trebuchet" not in shown
    assert shown == {path.stem for path, _ in scenes() if document_title(path.stem)}
    dialog.search.setText("Kobayashi")
    current = dialog.list.currentItem()
    assert document_title(current.data(Qt.ItemDataRole.UserRole).stem) in dialog.description.text()
    dialog.close()


def test_typed_themes_and_languages_are_set(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_F3)
    qtbot.keyClicks(window.dialogs.palette.line, "light")
    qtbot.keyClick(window.dialogs.palette.line, Qt.Key.Key_Return)
    assert window.settings.theme == "light"
    qtbot.keyClick(window, Qt.Key.Key_F3)
    qtbot.keyClicks(window.dialogs.palette.line, "japan")
    qtbot.keyClick(window.dialogs.palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.settings.language == "ja", timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_F3)
    assert titles(window, "英語") or titles(window, "english")[0] == "言語 > English"
    assert titles(window, "fit all")[0] == window.action_table["fit"].text().replace("&", "").partition("(")[0]
    window.dialogs.palette.close()


def test_a_scene_found_by_search_opens_at_once_and_unsaved_changes_can_be_restored(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    """As after any other command that opens a scene; the new one runs, and at the usual speed."""
    window = lab()
    window.session.edit(window.session.scene.model_copy(update={"title": "mine"}))
    accepted(window, qtbot)
    window.session.play(False)
    window.session.set_speed(0.1)
    qtbot.keyClick(window, Qt.Key.Key_F3)
    qtbot.keyClicks(window.dialogs.palette.line, "heavy top")
    qtbot.keyClick(window.dialogs.palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.scene.title == "Heavy top", timeout=SOON)
    qtbot.waitUntil(lambda: Meaning("", "saved", title="mine").of(window.toast.text), timeout=SOON)
    assert (window.session.running, window.session.speed) == (True, 1.0)
    window.session.edit(window.session.scene.model_copy(update={"title": "again mine"}))
    accepted(window, qtbot)
    window.action_table["scenes"].trigger()
    dialog = window.findChild(GalleryDialog)
    qtbot.keyClicks(dialog.search, "compass")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.scene.title == "Compass", timeout=SOON)
    assert [document.scene.title for document in window.crash_recovery.replaced] == ["mine", "again mine"]


def test_titles_come_before_descriptions_and_commands_before_scenes() -> None:
    entries = {
        "described": Searched("Break shot", description="Balls roll on a cloth.", is_command=False),
        "scene": Searched("A cloth falls", is_command=False),
        "command": Searched("Add > Cloth"),
        "scattered": Searched("Camera lock of the head"),
        "prefix": Searched("Clothes"),
    }
    listed = found("cloth", ((texts, name) for name, texts in entries.items()))
    assert listed == ["command", "scene", "prefix", "described", "scattered"]
    assert found("", ((texts, name) for name, texts in entries.items())) == list(entries)
    assert rank("xyz", Searched("Fit all")) is None


def test_scenes_are_not_found_by_scattered_letters() -> None:
    assert rank("japan", Searched("A jelly on a pendulum on a spring", is_command=False)) is None
    assert rank("light", Searched("T-handle without weight", is_command=False)) is None


def test_what_cannot_be_done_now_is_listed_with_the_reason(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_F3)
    palette = window.dialogs.palette
    assert "Undo" in titles(window, "undo")
    item = next(
        palette.list.item(row) for row in range(palette.list.count()) if palette.list.item(row).text() == "Undo"
    )
    assert not item.flags() & Qt.ItemFlag.ItemIsEnabled
    assert item.data(ROLE).unavailable == "nothing to undo"
    assert palette.list.currentItem() is not item
    palette.line.setText("")
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        qtbot.keyClick(palette.line, key)
        assert not palette.list.currentItem().data(ROLE).unavailable
    palette.close()
