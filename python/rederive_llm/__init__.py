# SPDX-License-Identifier: Apache-2.0
"""The package `rederive` by the name of its distribution, rederive-llm.

It has the same names, also where another distribution's module has taken the place of `rederive` (docs/adr/0081).

>>> import rederive_llm
>>> rederive_llm.grade('1/2', '0.5').outcome
'same'
"""
import sys

_MODULES = ('ray', 'rewards')  # which are loaded when they are asked for


def names_of(module):
    """`__getattr__` and `__dir__` of a module that has the names of rederive.api, as __init__.pyi says."""
    def get(name):
        from importlib import import_module  # not above: the command has no need of it
        if name == '__version__':
            return import_module('importlib.metadata').version('rederive-llm')
        if name in _MODULES:
            return import_module(f'rederive.{name}')
        if not name.startswith('_') or name == '__all__':
            api = import_module('rederive.api')
            if name == '__all__' or name in api.__all__:
                value = getattr(api, name)
                setattr(sys.modules[module], name, value)
                return value
        raise AttributeError(f'module {module!r} has no attribute {name!r}')

    def names():
        return sorted({*vars(sys.modules[module]), *get('__all__')})

    return get, names


__getattr__, __dir__ = names_of(__name__)
