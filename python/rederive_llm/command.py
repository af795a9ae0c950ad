# SPDX-License-Identifier: Apache-2.0
"""The command `rederive`: the program that stands beside this file takes the place of Python.

It imports nothing of the package, and no module that Python has not loaded itself, so that it starts at once.
"""
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.path.join(os.path.dirname(_HERE), 'rederive')


def foreign_module() -> str | None:
    """What is wrong with the module `rederive`, whose file another distribution of that name may have replaced or
    removed; None: it is ours."""
    try:
        with open(os.path.join(_PACKAGE, '__init__.py'), encoding='utf-8', errors='replace') as file:
            if 'rederive_llm' in file.read(4096):
                return None
            found = 'is of another distribution'
    except OSError:
        found = 'is missing'
    return (f'rederive: the module {_PACKAGE} {found}; import rederive_llm instead, or repair it: '
            'pip install --force-reinstall --no-deps rederive-llm')


def main() -> None:
    wrong = foreign_module()
    if wrong:
        print(wrong, file=sys.stderr, flush=True)
    model = os.path.join(_PACKAGE, 'rederive.gguf')
    if os.path.exists(model):
        os.environ.setdefault('RDV_MODEL', model)
    os.execv(os.path.join(_HERE, 'rederive'), ['rederive', *sys.argv[1:]])


if __name__ == '__main__':
    main()
