/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A command of the program, run inside Python: the same options, messages and records. */
#include "binding/binding.h"

struct settings;

/* What a module can run; the list ends with an entry of zeros. */
struct binding_verb {
    const char *name;
    int (*run)(const struct settings *settings);
};

extern const struct binding_verb binding_verbs[];
