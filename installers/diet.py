"""Files of the libraries that a bundle omits: tests, development files, and unused shared objects.

Of Qt those modules stay that the program or a library imports, and the plug-ins below; of VTK those modules of geometry
and drawing that a source names. Both with what they need in turn.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from installers.shared_objects import closure, is_shared_object, strip

FOLDERS = ("tests", "test")  # in every library
ENDINGS = ("*.pyi", "*.pxd", "*.pyx", "*.h", "*.hpp", "*.c", "*.cpp", "*.a", "*.lib", "*.cmake", "*.la")
PLACES = (
    "imageio_ffmpeg/binaries/ffmpeg*",  # under the GPL; the system's is used
    "numba/np/ufunc/omppool*",  # for parallel loops, which the kernels do not have; with libraries of the system
    "numba/np/ufunc/tbbpool*",
    "numba/cuda",
    "lxml/objectify*",
    "fontTools/*/*.so",  # the same modules lie beside them as Python
    "tzdata",
    *(f"scipy/{name}" for name in ("cluster", "datasets", "differentiate", "fftpack", "io", "misc", "odr", "signal")),
    *(f"scipy/{name}" for name in ("stats/_unuran", "_lib/cobyqa", "_lib/pyprima")),  # of functions that load them
    "numpy/distutils",
    "numpy/_core/_*tests.*",
    "numpy/_core/_simd.*",  # for the tests of numpy
    "lxml/html",
    "lxml/isoschematron",
    "lxml/sax*",
    *(f"PIL/{name}*" for name in ("_imagingcms", "_imagingtk", "_webp")),
    *(f"pillow.libs/lib{name}*" for name in ("lcms", "sharpyuv", "webp")),
    "matplotlib/mpl-data/sample_data",
    *(f"matplotlib/mpl-data/fonts/{name}" for name in ("afm", "pdfcorefonts", "ttf/DejaVuSe*", "ttf/DejaVuSansM*")),
    "pyqtgraph/icons/peegee",
    *(f"pyqtgraph/{name}" for name in ("canvas", "console", "flowchart", "jupyter", "opengl")),
    *(f"mpl_toolkits/{name}" for name in ("axes_grid1", "axisartist")),
    *(f"fontTools/{name}" for name in ("merge", "mtiLib", "ufoLib", "voltLib")),
    "collada/resources",  # for a check of files that nothing asks for
    "imageio/plugins/_[a-z]*",  # not those of ffmpeg and Pillow
    "imageio/plugins/[a-eg-oq-z]*",
    "pydantic/v1",
    *(f"*.dist-info/{name}" for name in ("RECORD", "INSTALLER", "REQUESTED", "WHEEL", "sboms")),  # for pip
    "pyvista/examples",
    "pyvista/ext",
    "pyqtgraph/examples",
    "PIL/_avif*",
    "pillow.libs/libavif*",
    "numpy/_core/include",
    "numpy/_core/lib",
    "vtkmodules/*/",
    "PySide6/libpyside6qml*",
    "vtk.py",
    "vtkmodules/all.py",
    *(f"PySide6/{name}" for name in ("scripts", "typesystems", "glue", "include", "doc", "support/generate_pyi")),
    *(f"PySide6/Qt/{name}" for name in ("qml", "libexec", "metatypes", "resources")),
)
VTK_FOLDERS = ("util", "numpy_interface", "qt")
LEXERS = ("__init__.py", "_mapping.py", "data.py", "python.py")  # of pygments: what rich shows of the program
QT = ("Core", "Gui", "Widgets", "OpenGLWidgets", "Svg", "Test")  # pyqtgraph imports the last one
NOT_USED = "Empty: pyqtgraph imports this module, and needs what is in it only for curves drawn by OpenGL."
PLUGINS = (
    "platforms/libq[xow]*",  # xcb, offscreen, wayland
    "platforms/libqminimal.so",
    "platformthemes/*",
    "platforminputcontexts/lib[ci]*",  # compose and ibus
    "xcbglintegrations/*",
    "imageformats/libq[gijs]*",
    "iconengines/*",
    "wayland-decoration-client/*",
    "wayland-graphics-integration-client/*",
    "wayland-shell-integration/*",
)
VTK_NAME = re.compile(r"\bvtk[A-Z]\w+")  # also of classes; pyvista imports modules by names in a table
# Of the modules in pyvista's table those of geometry and drawing; not file formats, graphs, maps, headsets, widgets.
VTK_KEPT = re.compile(
    r"vtk(Common\w+|ChartsCore|ParallelCore|PythonContext2D|InteractionStyle|Views(Core|Context2D)"
    r"|Filters(Core|General|Geometry|Sources|Modeling|Extraction|Python|CellGrid)"
    r"|IO(Core|Geometry|Image|Legacy|PLY|XML|XMLParser|CellGrid)|Imaging(Core|Math|Sources)"
    r"|Rendering(Annotation|Context2D|ContextOpenGL2|Core|FreeType|HyperTreeGrid|Label|Matplotlib|OpenGL2|UI|Volume"
    r"|VolumeOpenGL2))"
)


def slim(site: Path, python: Path) -> None:
    """Remove from a site-packages folder what the bundle does without; `python` runs the check of what VTK loads."""
    _remove_places(site)
    _remove_qt(site / "PySide6")
    _remove_vtk(site, python)
    _link_equal_libraries(site)
    # Not those of the folders *.libs: tools that make wheels have moved their parts, which strip does not stand.
    files = (path for path in python.parents[1].rglob("*") if not path.parent.name.endswith(".libs"))
    strip(path for path in files if is_shared_object(path))


def _remove_places(site: Path) -> None:
    for folder in [path for path in site.rglob("*") if path.name in FOLDERS and path.is_dir()]:
        shutil.rmtree(folder, ignore_errors=True)
    for place in PLACES:
        for path in list(site.glob(place)):
            if path.parent.name != "vtkmodules" or path.name not in VTK_FOLDERS:
                _remove(path)
    kept = {site / "polhode/__init__.pyi"}  # the table by which the library finds its public names
    for ending in ENDINGS:
        for path in site.rglob(ending):
            if path not in kept:
                path.unlink()
    for path in (site / "pygments/lexers").glob("*.py"):
        if path.name not in LEXERS:
            path.unlink()


def _remove_qt(folder: Path) -> None:
    """Keep the modules of QT, the plug-ins, and the libraries that these need; no tools, one set of translations."""
    modules = {f"Qt{name}.abi3.so" for name in QT}
    plugins = {path for pattern in PLUGINS for path in (folder / "Qt/plugins").glob(pattern)}
    for path in (folder / "Qt/plugins").rglob("*.so"):
        if path not in plugins:
            path.unlink()
    for path in list(folder.iterdir()):
        is_module = path.name.startswith("Qt") and path.name.endswith(".abi3.so")
        if path.is_file() and (path.name not in modules if is_module else path.suffix == ""):
            path.unlink()
    (folder / "QtOpenGL.py").write_text(f'"""{NOT_USED}"""\n', encoding="utf-8")
    kept = closure([*folder.glob("*.so"), *folder.glob("*.so.*"), *plugins], [folder / "Qt/lib", folder])
    for path in (folder / "Qt/lib").iterdir():
        if path not in kept:
            _remove(path)
    for path in (folder / "Qt/translations").iterdir():
        if path.name != "qtbase_ja.qm":
            path.unlink()


def _remove_vtk(site: Path, python: Path) -> None:
    """Keep what is mapped into a process that imports every module of VTK that a source names, of those kept."""
    folder = site / "vtkmodules"
    sources = [
        path for name in ("polhode_app", "pyvista", "pyvistaqt", "vtkmodules") for path in (site / name).rglob("*.py")
    ]
    named = {name for path in sources for name in VTK_NAME.findall(path.read_text("utf-8"))}
    present = {path.name.split(".")[0] for path in folder.glob("vtk*.so")} & named
    wanted = sorted(name for name in present if VTK_KEPT.fullmatch(name))
    program = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module('vtkmodules.' + name)\n"
    program += "print(open('/proc/self/maps').read())"
    maps = subprocess.run([python, "-I", "-c", program, *wanted], check=True, capture_output=True, text=True).stdout
    loaded = {Path(line.split()[-1]) for line in maps.splitlines() if "vtkmodules" in line}
    for path in folder.iterdir():
        if is_shared_object(path) and path not in loaded:
            path.unlink()


def _link_equal_libraries(site: Path) -> None:
    """Replace libraries that several wheels bring, under the same name with the hash in it, by links to the first."""
    first: dict[str, Path] = {}
    for path in sorted(site.glob("*.libs/*")):
        kept = first.setdefault(path.name, path)
        if kept is not path and kept.read_bytes() == path.read_bytes():
            path.unlink()
            path.symlink_to(Path("..", kept.parent.name, kept.name))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
