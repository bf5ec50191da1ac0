"""Form of an item, generated from its pydantic model: a row for each field, a section for each part inside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel
from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QToolButton, QWidget

from polhode.physics.bodies.shapes import Orientation
from polhode.scene.fields import FieldPath, Form, at, forms, kinds, written
from polhode.scene.scene import Body, Scene
from polhode.scene.units import quantity_in
from polhode_app.docks.inspector.editors import (
    ChoiceEditor,
    ChoicesEditor,
    ColorEditor,
    ColorsEditor,
    EndEditor,
    FileEditor,
    NameEditor,
    SwitchEditor,
    WholeOrWordEditor,
    combo,
)
from polhode_app.docks.inspector.field_drag import FieldLabel
from polhode_app.docks.inspector.field_order import SIZES, is_folded, order
from polhode_app.docks.inspector.formula_editors import FormulaEditor, FormulasEditor, TakesColumns
from polhode_app.docks.inspector.material_choice import MaterialChoice, can_choose, material_help
from polhode_app.docks.inspector.number_editors import Editor, NumberEditor, NumberOrListEditor, NumbersEditor
from polhode_app.docks.inspector.rows import Links, Row, form_grid
from polhode_app.docks.inspector.shown_units import FormUnits, ShownUnits
from polhode_app.docks.inspector.text_editors import LinesEditor, ListEditor, TextEditor, ValuesEditor, VectorsEditor
from polhode_app.edit.fields import ORIENTATION_FORMS, Total, can_be_left_out, length_of, orientation_form, uncertain
from polhode_app.edit.joining import motor_unit
from polhode_app.i18n.field_names import ORIENTATION_LABELS, choice, label, label_at, tip, unit_text
from polhode_app.i18n.language import tr
from polhode_app.window.files.mesh_file import in_folder
from polhode_app.window.widgets.layouts import row_of

DIGITS = 5  # of the mass and the length of a body, which are computed
INDENT = 12  # [pixel] of each level of sections
OF_NUMBERS: dict[str, Callable[[Form, float], Editor]] = {
    "number": NumberEditor,
    "whole": NumberEditor,
    "number_or_list": NumberOrListEditor,
    "formula": FormulaEditor,
    "numbers": NumbersEditor,
    "wholes": NumbersEditor,
    "formulas": FormulasEditor,
}  # editors by kinds of forms
NAMES_LISTED = "hide", "near", "ignores", "joints", "over_bodies", "coils"  # other lists are of numbers
FILE_ENDINGS = {"sensor": (".csv",)}


class FormOwner(Protocol):
    """Interface of the inspector for a form: the scene, and methods that edit it.

    A protocol, so that the form does not import the dock.
    """

    edit_path: SignalInstance
    units: ShownUnits

    @property
    def scene(self) -> Scene: ...

    def form_at(self, path: FieldPath) -> Form: ...

    def scale(self, unit: str) -> float: ...

    def spring_end_names(self) -> list[str]: ...

    def bodies(self) -> list[str]: ...

    def joint_end_names(self, path: FieldPath) -> list[str]: ...

    def select(self, path: FieldPath) -> None: ...

    def set_value(self, path: FieldPath, value: object, stroke: object) -> None: ...

    def set_stated(self, path: FieldPath, on: bool) -> None: ...

    def set_representation(self, path: FieldPath, representation: str) -> None: ...

    def set_kind(self, path: FieldPath, kind: str) -> None: ...

    def set_material(self, path: FieldPath, key: str) -> None: ...

    def mass_of(self, path: FieldPath) -> float | None: ...

    def set_mass(self, path: FieldPath, mass: float, stroke: object) -> None: ...

    def set_length(self, path: FieldPath, length: float, stroke: object) -> None: ...

    @property
    def shows_more(self) -> bool: ...

    def show_more(self, on: bool) -> None: ...


class PartForm(QWidget):
    """The rows of one item and of the parts inside it, in a grid of labels and editors.

    Rows, sections and links are found by the path of their field in the scene. The form never changes the
    scene: it calls the owner.
    """

    def __init__(self, owner: FormOwner, path: FieldPath, part: BaseModel):
        """Build the form of the item `part` at `path`. Rows are fixed afterwards; `show_part` updates values."""
        super().__init__()
        self._owner, self.path = owner, path
        self.rows: dict[FieldPath, Row] = {}
        self.links: dict[FieldPath, Links] = {}
        self.sections: dict[FieldPath, tuple[QComboBox, QCheckBox]] = {}
        self._grid, self._next_row = form_grid(self), 0
        if len(self._kinds_at(path, part)) > 1:
            self._add_kind_row(path, part, self.tr("Kind"))
        self._units = FormUnits(owner.units)
        self.mass_row: Row | None = None
        self.length_row: Row | None = None
        self._known: dict[str, float | None] = {}  # mass and length as they were last computed
        self.materials: dict[FieldPath, MaterialChoice] = {}
        if isinstance(part, Body):
            help_text = self.tr("Mass of the whole body. A change scales the masses of all its shapes.")
            self.mass_row = self._add_computed_row("mass", "kg", help_text, self._owner.set_mass)
            if length_of(part) is not None:
                help_text = self.tr("From the pivot to the centre of the bob. A change moves the bob along the rod.")
                self.length_row = self._add_computed_row("length", "m", help_text, self._owner.set_length)
            self._add_shape_rows(path, part)
        elif can_choose(part):
            self._add_material_row(path, part, 0)
        self.more_button = QToolButton()
        self._more = QWidget()
        keys = order(type(part))
        self._add_rows(path, part, 0, [key for key in keys if not is_folded(part, key)])
        self._add_folded(path, part, [key for key in keys if is_folded(part, key)])
        self._grid.setRowStretch(self._next_row, 1)

    # What there is

    def show_part(self, settle: FieldPath | None = None) -> None:
        """Show the current values; the row at `settle` has just been committed and is overwritten."""
        scene = self._owner.scene
        for key, row in (("mass", self.mass_row), ("length", self.length_row)):
            if row is not None and (number := self._computed(key)) != self._known.get(key):  # until it is compiled
                self._known[key] = number
                row.show_value(number, False)
        for path, materials in self.materials.items():
            materials.show_part(at(scene, path))
        for path, row in self.rows.items():
            row.show_value(at(scene, path), path == settle)
        for path, links in self.links.items():
            links.show_parts(at(scene, path))
        for path, (choices, box) in self.sections.items():
            part = at(scene, path)
            box.setChecked(part is not None)
            if isinstance(part, Orientation):
                choices.setCurrentIndex(ORIENTATION_FORMS.index(orientation_form(part)))
            elif part is not None:
                choices.setCurrentIndex(choices.findData(getattr(part, "kind", None)))

    def _computed(self, key: Total) -> float | None:
        """Mass [kg] or length [m] of the whole body, in DIGITS digits; None if it is unknown."""
        body = at(self._owner.scene, self.path)
        number = self._owner.mass_of(self.path) if key == "mass" else length_of(body)
        return None if number is None else uncertain(body, key, float(f"{number:.{DIGITS}g}"))

    def show_stated(self) -> None:
        """Reset all check boxes to the state of the scene, after an edit that was refused."""
        for path, box in (
            *((path, row.stated_box) for path, row in self.rows.items()),
            *((path, box) for path, (_choices, box) in self.sections.items()),
        ):
            box.setChecked(at(self._owner.scene, path) is not None)
        if self.mass_row is not None:
            self.mass_row.show_value(self._computed("mass"), True)

    def row_of(self, path: FieldPath) -> Row | None:
        """The row of the field at a path, or of the field that contains it; None if there is none."""
        return next((self.rows[path[:k]] for k in range(len(path), 0, -1) if path[:k] in self.rows), None)

    # How it is built

    def _kinds_at(self, path: FieldPath, part: BaseModel) -> list[str]:
        """Kinds that the part at a path may be changed to; none for the scene itself."""
        if not path or part is None:
            return []
        form = self._owner.form_at(path[:-1] if isinstance(path[-1], int) else path)
        return list(kinds(form)) if len(form.models) > 1 else []

    def _add_folded(self, path: FieldPath, part: BaseModel, keys: list[str]) -> None:
        """Add a button, and below it the rows of these fields, which it shows and hides."""
        if not keys:
            self.more_button.hide()
            return
        self.more_button.setText(self.tr("More fields: {count}").format(count=len(keys)))
        self.more_button.setCheckable(True)
        self.more_button.setChecked(self._owner.shows_more)
        self.more_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more_button.toggled.connect(self._show_folded)
        outer, row = self._grid, self._next_row
        outer.addWidget(self.more_button, row, 0, 1, 2)
        outer.addWidget(self._more, row + 1, 0, 1, 2)
        self._grid, self._next_row = form_grid(self._more), 0
        self._add_rows(path, part, 0, keys)
        self._grid, self._next_row = outer, row + 2
        self._show_folded(self._owner.shows_more)

    def _show_folded(self, on: bool) -> None:
        """Show or hide the folded fields, of this form and of later ones."""
        self.more_button.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self._more.setVisible(on)
        self._owner.show_more(on)

    def _add_computed_row(
        self, key: str, unit: str, help_text: str, set_number: Callable[[FieldPath, float, object], None]
    ) -> Row:
        """Add a positive number of the whole body that follows from its shapes; an edit of it changes them."""
        form = Form("number", unit, low=0.0, beyond=True)
        row = Row(form, editor := NumberEditor(form, self._owner.scale(unit)), optional=False)
        editor.show_unit(unit)
        self._units.add((*self.path, key), editor, unit, self._computed(key))
        self._add_label(label(key, "body"), help_text, 0)
        self._grid.addWidget(row, self._next_row, 1)
        self._next_row += 1
        editor.changed.connect(lambda value, _stroke: row.show_value(value, True))  # without a typed unit
        editor.changed.connect(lambda value, stroke: set_number(self.path, value, stroke))
        editor.failed.connect(row.show_problem)
        return row

    def _add_shape_rows(self, path: FieldPath, body: Body) -> None:
        """Add links to the shapes, and material and size of an only shape."""
        self._add_link_row((*path, "shape"), 0)
        if len(body.shape) == 1:
            shape = body.shape[0]
            keys = [key for key in order(type(shape)) if key == "density" or key in SIZES]
            if can_choose(shape):
                self._add_material_row((*path, "shape", 0), shape, 1)
            self._add_rows((*path, "shape", 0), shape, 1, keys)

    def _add_material_row(self, path: FieldPath, part: BaseModel, depth: int) -> None:
        """Add a list of materials for a shape, a wall or a surface."""
        materials = self.materials[path] = MaterialChoice(part)
        self._add_label(self.tr("Material"), material_help(part), depth)
        self._grid.addWidget(materials, self._next_row, 1)
        self._next_row += 1
        materials.chosen.connect(lambda key: self._owner.set_material(path, key))

    def _add_rows(self, path: FieldPath, part: BaseModel, depth: int, keys: Iterable[str] | None = None) -> None:
        """Add rows for fields of a part, all of them without `keys`, indented by `depth` levels."""
        for key in order(type(part)) if keys is None else keys:
            if path == () and key in ("world", "solver", "sensor", "grab", "story"):
                continue  # items of their own in the tree
            field, form = (*path, key), forms(type(part))[key]
            if form.kind == "parts":
                if path and field not in self.links:
                    self._add_link_row(field, depth)
            elif form.kind == "part":
                self._add_section(field, form, at(part, (key,)), depth)
            else:
                quantity = quantity_in(part, f"{key}_" if key == "from" else key)
                unit = quantity.unit if quantity is not None else motor_unit(self._owner.scene, field)
                self._add_row(field, form, unit, part, depth)

    def _add_label(self, text: str, help_: str, depth: int, bold: bool = False, path: FieldPath | None = None) -> None:
        """Add the label of the next row, with a tooltip; that of the field at `path` can be dragged."""
        text = f"<b>{text}</b>" if bold else text
        name = FieldLabel(text, path) if path is not None else QLabel(text)
        name.setToolTip(help_)
        name.setWordWrap(True)
        name.setContentsMargins(INDENT * depth, 3, 0, 0)
        self._grid.addWidget(name, self._next_row, 0, Qt.AlignmentFlag.AlignTop)

    def _add_row(self, path: FieldPath, form: Form, unit: str, part: BaseModel, depth: int) -> None:
        """Add label and editor of one field, and connect them to the owner.

        Representations of an orientation that are not in use get no row.
        """
        if isinstance(part, Orientation) and at(part, path[-1:]) is None:
            return
        editor = self._create_editor(path, form, unit)
        row = Row(form, editor, can_be_left_out(part, str(path[-1])) and not isinstance(part, Orientation))
        beside = unit and not editor.show_unit(unit_text(unit))
        weak = self.palette().placeholderText().color().name()
        text = label_at(path) + (f" <span style='color: {weak}'>[{unit_text(unit)}]</span>" if beside else "")
        self._add_label(text, tip(form, written(path)), depth, path=path)
        row.setToolTip(tip(form, written(path)))
        self._grid.addWidget(row, self._next_row, 1)
        self._next_row += 1
        self.rows[path] = row
        editor.changed.connect(lambda value, stroke: self._owner.set_value(path, value, stroke))
        editor.failed.connect(row.show_problem)
        if unit and unit == form.unit:
            self._units.add(path, editor, unit, at(part, path[-1:]))
        row.stated_box.clicked.connect(lambda on: self._owner.set_stated(path, on))

    def _add_link_row(self, path: FieldPath, depth: int) -> None:
        """Add links to the parts of a list."""
        links = Links()
        form = self._owner.form_at(path)
        self._add_label(label_at(path), tr(form.help), depth)
        self._grid.addWidget(links, self._next_row, 1)
        self._next_row += 1
        links.chosen.connect(lambda number: self._owner.select((*path, number)))
        self.links[path] = links

    def _add_section(self, path: FieldPath, form: Form, part: BaseModel | None, depth: int) -> None:
        """Add the head of a part and, if it is present, the rows of its fields."""
        head = self._add_kind_row(path, part, label_at(path), form, depth)
        if path[-1] == "path":
            button = QToolButton()
            button.setText(self.tr("In the view..."))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(self.tr("Open the path editor"))
            button.clicked.connect(lambda _checked: self._owner.edit_path.emit())
            head.addWidget(button)
        if part is not None:
            self._add_rows(path, part, depth + 1)

    def _add_kind_row(
        self, path: FieldPath, part: BaseModel | None, text: str, form: Form | None = None, depth: int = 0
    ) -> QHBoxLayout:
        """Add the head of a section: a check box if the part is optional, and a list of kinds.

        For an orientation the list holds its representations. Returns the layout, to which buttons can be added.
        """
        choices, box = combo(), QCheckBox()
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        box.clicked.connect(lambda on: self._owner.set_stated(path, on))
        if isinstance(part, Orientation):
            for representation in ORIENTATION_FORMS:
                choices.addItem(choice(ORIENTATION_LABELS[representation]), representation)
            choices.activated.connect(lambda row: self._owner.set_representation(path, choices.itemData(row)))
        else:
            for kind in self._kinds_at(path, part) if part is not None else ():
                choices.addItem(choice(kind), kind)
            choices.activated.connect(lambda row: self._owner.set_kind(path, choices.itemData(row)))
        tip_text = tip(form, written(path)) if form else written(path)
        self._add_label(text, tip_text, depth, form is not None, path if path[-1:] == ("orientation",) else None)
        head = row_of(box, (choices, 1), *((1,) if choices.count() < 2 else ()), spacing=4)
        self._grid.addLayout(head, self._next_row, 1)
        box.setVisible(form is not None and form.optional)  # now that it has a parent
        choices.setVisible(choices.count() > 1)
        self._next_row += 1
        self.sections[path] = (choices, box)
        return head

    def _create_editor(self, path: FieldPath, form: Form, unit: str) -> Editor:
        """The editor for a kind of field; `unit` decides the step of sliders."""
        owner, key, scale = self._owner, str(path[-1]), self._owner.scale(unit)
        match form.kind:
            case "number" | "whole" | "number_or_list" | "formula" | "numbers" | "wholes" | "formulas":
                editor = OF_NUMBERS[form.kind](form, scale)
                if isinstance(editor, TakesColumns):
                    editor.relative = lambda file: in_folder(Path(file), owner.scene.folder)
                return editor
            case "matrix":
                return NumbersEditor(form, scale, rows=3)
            case "switch":
                return SwitchEditor()
            case "choice":
                return ChoiceEditor(form.choices)
            case "choices":
                return ChoicesEditor(form.choices)
            case "color":
                return ColorEditor()
            case "colors":
                return ColorsEditor()
            case "whole_or_word":
                return WholeOrWordEditor()
            case "end":
                return EndEditor(form, scale, owner.spring_end_names, owner.bodies)
            case "rows":
                return VectorsEditor()
            case "values":
                return ValuesEditor()
            case "list":
                return ListEditor(numbers=key not in NAMES_LISTED, blanks=key == "over_bodies")
        if key == "file":
            return FileEditor(
                lambda: owner.scene.folder, *(FILE_ENDINGS[str(path[0])],) if path[0] in FILE_ENDINGS else ()
            )
        if key == "description":
            return LinesEditor()
        if path[0] == "joint" and key in ("first", "second"):
            return NameEditor(lambda: owner.joint_end_names(path))
        if key == "circuit":
            return NameEditor(lambda: [each.name for each in owner.scene.circuit])
        return NameEditor(owner.bodies) if key == "body" else TextEditor()

    def __iter__(self) -> Iterator[FieldPath]:
        """Places of all rows."""
        return iter(self.rows)
