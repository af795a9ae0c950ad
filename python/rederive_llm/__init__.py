# SPDX-License-Identifier: Apache-2.0
"""The package `rederive` by the name of its distribution, rederive-llm.

It has the same names, also where another distribution's module has taken the place of `rederive` (docs/adr/0081).

>>> import rederive_llm
>>> rederive_llm.grade('1/2', '0.5').outcome
'same'
"""
import sys

_MODULES = ('ray', 'rewards')  # which are loaded when they are asked for
# The module that has a name, as in rederive/api.py: who grades need not load what asks models.
_HOMES = {
    'answers': ('Grade', 'grade', 'grade_many', 'grade_text'),
    'calculating': ('Calculation', 'calculations'),
    'commands': ('Results',),
    'converting': ('convert',),
    'display': ('View', 'show'),
    'drivers': ('Stop', 'drive', 'drive_batches'),
    'errors': ('ArgumentError', 'Error'),
    'method_list': ('Method', 'methods'),
    'own': ('OwnMethod', 'OwnVerifier', 'method', 'verifier'),
    'plan': ('Plan', 'Request'),
    'reading': ('NoteWarning', 'Records', 'read'),
    'session': ('Session', 'SessionResults', 'Totals'),
    'tables': ('ArrowTable', 'to_arrow', 'to_pandas'),
    'verbs': ('check', 'evaluate', 'repair', 'solve', 'vote'),
}
_NAMES = {name: home for home, names in _HOMES.items() for name in names}


def names_of(module):
    """`__getattr__` and `__dir__` of a module that has the names of rederive.api, as __init__.pyi says."""
    def get(name):
        from importlib import import_module  # not above: the command has no need of it
        if name == '__version__':
            return import_module('importlib.metadata').version('rederive-llm')
        if name in _MODULES:
            return import_module(f'rederive.{name}')
        if name == '__all__':
            return sorted(_NAMES)
        if name in _NAMES:
            value = getattr(import_module(f'rederive.{_NAMES[name]}'), name)
            setattr(sys.modules[module], name, value)
            return value
        raise AttributeError(f'module {module!r} has no attribute {name!r}')

    def names():
        return sorted({*vars(sys.modules[module]), *_NAMES})

    return get, names


__getattr__, __dir__ = names_of(__name__)
