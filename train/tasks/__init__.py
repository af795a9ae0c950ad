# SPDX-License-Identifier: Apache-2.0
"""The kinds of problem that the built-in model is taught, a module each."""
