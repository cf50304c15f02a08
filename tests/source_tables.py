"""The tables of the source (*.def), as the manual's own reader of them, man/tables.py, reads them."""
import importlib.util
import sys


def source_tables(root):
    spec = importlib.util.spec_from_file_location("tables", root / "man" / "tables.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module
