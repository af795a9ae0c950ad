/* SPDX-License-Identifier: Apache-2.0 */
#include "late.h"

#include "settings.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static _Noreturn void cannot(const late_library *library)
{
    fprintf(stderr, "rederive: %s cannot be opened, which is needed for %s: %s\n",
            library->files[0], library->needed_for, dlerror());
    exit(NOTHING_DONE);
}

#ifdef RDV_PYTHON_PACKAGE
/* Its functions stay its own: Python may have loaded another SQLite for itself. */
static void *open_file(const char *file)
{
    return dlopen(file, RTLD_LAZY | RTLD_NODELETE);
}

static void *find(void *opened, const char *name)
{
    return dlsym(opened, name);
}
#else
/* Its functions become global, as those of a library that the program is linked with: a library
 * that is preloaded may stand before it. RTLD_NEXT passes over the program's own functions of these
 * names, of which some linkers (gold) make some global too. */
static void *open_file(const char *file)
{
    return dlopen(file, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
}

static void *find(void *opened, const char *name)
{
    (void)opened;
    return dlsym(RTLD_NEXT, name);
}
#endif

/* A library is never closed. */
void *late_function(const late_library *library, const char *name)
{
    void *opened = NULL;
    for (const char *const *file = library->files; *file && !opened; file++)
        opened = open_file(*file);
    void *function = opened ? find(opened, name) : NULL;
    if (!function)
        cannot(library);
    dlclose(opened); /* RTLD_NODELETE: only the count of openings goes down */
    return function;
}
