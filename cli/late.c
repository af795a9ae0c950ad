/* SPDX-License-Identifier: Apache-2.0 */
#include "late.h"

#include "settings.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void cannot(const late_library *library)
{
    fprintf(stderr, "rederive: %s cannot be opened, which is needed for %s: %s\n",
            library->files[0], library->needed_for, dlerror());
    exit(NOTHING_DONE);
}

#ifdef RDV_LIBRARIES
/* Of the Python package, whose wheel holds the libraries under names of their own: "libcurl.so.4"
 * is "libcurl-8a3f0c12.so.4.8.0" in the folder RDV_LIBRARIES, as seen from the program's. */
static bool is_named(const char *entry, const char *file)
{
    size_t n = strcspn(file, "."), hash = n + 1;
    return strncmp(entry, file, n) == 0 && entry[n] == '-' &&
           strspn(entry + hash, "0123456789abcdef") == 8 &&
           strncmp(entry + hash + 8, ".so", 3) == 0;
}

static void *open_own(const char *file)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof RDV_LIBRARIES - NAME_MAX - 2);
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n <= 0)
        return NULL;
    memcpy(path + n, RDV_LIBRARIES, sizeof RDV_LIBRARIES);
    DIR *folder = opendir(path);
    void *opened = NULL;
    for (struct dirent *e; folder && !opened && (e = readdir(folder));) {
        if (!is_named(e->d_name, file))
            continue;
        snprintf(path + (size_t)n + sizeof RDV_LIBRARIES - 1,
                 sizeof path - (size_t)n - sizeof RDV_LIBRARIES, "/%s", e->d_name);
        opened = dlopen(path, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
    }
    if (folder)
        closedir(folder);
    return opened;
}
#else
static void *open_own(const char *file)
{
    (void)file;
    return NULL;
}
#endif

/* Its functions become global, as those of a library that the program is linked with: a library
 * that is preloaded may stand before it. It is never closed. RTLD_NEXT passes over the program's
 * own functions of these names, of which some linkers (gold) make some global too. */
void *late_function(const late_library *library, const char *name)
{
    void *opened = NULL;
    for (const char *const *file = library->files; *file && !opened; file++)
        opened = open_own(*file);
    for (const char *const *file = library->files; *file && !opened; file++)
        opened = dlopen(*file, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
    void *function = opened ? dlsym(RTLD_NEXT, name) : NULL;
    if (!function)
        cannot(library);
    dlclose(opened); /* RTLD_NODELETE: only the count of openings goes down */
    return function;
}
