"""Reader of MJCF: files and parts (loading), one form of them (canonical), and what becomes of each kind of element."""

from polhode.importers.mjcf.document import VOCABULARY as VOCABULARY
from polhode.importers.mjcf.document import read_mjcf as read_mjcf
