"""OpenGL: its version, whether the processor draws, and multisampling.

The version is checked before anything is drawn: with an older one than it needs VTK ends the process, or writes errors
of shaders without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CDLL, CFUNCTYPE, byref, c_char_p, c_int, c_uint, c_void_p
from ctypes.util import find_library

from vtkmodules.vtkCommonCore import vtkLogger
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem

LEAST = (3, 2)
SAMPLES = 8  # per pixel
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer", "gdi generic")
SURFACELESS, OPENGL_API = 0x31DD, 0x30A2  # EGL_PLATFORM_SURFACELESS_MESA, EGL_OPENGL_API
KIND = (c_int * 3)(0x3040, 0x0008, 0x3038)  # EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE
VERSION = 0x1F02  # GL_VERSION


def no_opengl() -> InputError:
    """The error that there is no OpenGL at all."""
    remedy = Message(
        "install the driver of your graphics card or, where there is none, Mesa (libgl1-mesa-dri on Debian)"
    )
    return InputError("polhode", [Problem("", Message("there is no OpenGL to draw with"), remedy)])


def check_version(version: tuple[int, int]) -> None:
    """Raise InputError for an OpenGL older than LEAST."""
    if version < LEAST:
        found, least = (".".join(map(str, each)) for each in (version, LEAST))
        rule = Message("OpenGL {found} is too old to draw with, and {least} is needed", found=found, least=least)
        remedy = Message("update the driver of your graphics card, or let Mesa draw by LIBGL_ALWAYS_SOFTWARE=1")
        raise InputError("polhode", [Problem("", rule, remedy)])


@contextmanager
def quiet() -> Iterator[None]:
    """Within this context VTK logs nothing to stderr, such as which kinds of windows it can't make."""
    cutoff = vtkLogger.GetCurrentVerbosityCutoff()
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
    try:
        yield
    finally:
        vtkLogger.SetStderrVerbosity(cutoff)


def check_window(window: vtkRenderWindow) -> None:
    """Make the OpenGL context of a window that is not shown. Raises InputError if there is none, or an old one."""
    if window.GetClassName() == "vtkOSOpenGLRenderWindow" and find_library("OSMesa") is None:
        # VTK's last resort, which ends the process without that library: no window of LEAST could be made.
        if (version := version_by_egl()) is not None:
            check_version(version)
        raise no_opengl()
    with quiet():
        window.Initialize()
    if (version := numbers(window.ReportCapabilities(), "OpenGL version string:")) is not None:
        check_version(version)


def numbers(text: str, before: str = "") -> tuple[int, int] | None:
    """Major and minor number of a version that follows the words `before` in a text; None where there is none."""
    found = re.search(rf"{re.escape(before)}\s*(\d{{1,4}})\.(\d{{1,4}})", text)
    return (int(found[1]), int(found[2])) if found is not None else None


def version_by_egl() -> tuple[int, int] | None:
    """The version of the OpenGL of Mesa where no version is asked for; None without it.

    (EGL 1.5 specification, and the extension EGL_MESA_platform_surfaceless)
    """
    name = find_library("EGL")
    egl = CDLL(name) if name is not None else None
    if egl is None or not hasattr(egl, "eglGetPlatformDisplay"):
        return None
    for function in (egl.eglGetPlatformDisplay, egl.eglCreateContext, egl.eglGetProcAddress):
        function.restype = c_void_p
    display = c_void_p(egl.eglGetPlatformDisplay(c_uint(SURFACELESS), None, None))
    if not egl.eglInitialize(display, None, None):
        return None
    try:
        egl.eglBindAPI(c_uint(OPENGL_API))
        configuration, count = c_void_p(), c_int()
        egl.eglChooseConfig(display, KIND, byref(configuration), 1, byref(count))
        context = c_void_p(egl.eglCreateContext(display, configuration, None, None))
        text_of = egl.eglGetProcAddress(b"glGetString")
        if not text_of or not egl.eglMakeCurrent(display, None, None, context):
            return None
        return numbers((CFUNCTYPE(c_char_p, c_uint)(text_of)(VERSION) or b"").decode())
    finally:
        egl.eglTerminate(display)


def drawn_by_processor(window: vtkRenderWindow) -> bool:
    """Whether a window is rendered by software."""
    drawn_by = window.ReportCapabilities().lower()
    return any(name in drawn_by for name in SOFTWARE)


def smooth_edges(window: vtkRenderWindow) -> None:
    """Enable multisampling for a real-time window, unless it is rendered by software.

    In software the cost of a frame is proportional to the number of samples.
    """
    window.SetMultiSamples(0 if drawn_by_processor(window) else SAMPLES)
