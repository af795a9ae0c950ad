/* SPDX-License-Identifier: Apache-2.0 */
/* The program of the Python package, rederive_llm/rederive. It finds beside itself what the package
 * has of its own, and looks whether the module `rederive` is still ours (docs/adr/0081). */
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder in which the modules rederive and rederive_llm stand; false where that is not known.
 */
static bool find_modules(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length < 0)
        return false;
    folder[length] = '\0';
    for (int parts = 0; parts < 2; parts++) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    return true;
}

/* What is wrong with the module `rederive`, whose file another distribution of that name may have
 * replaced or removed; NULL: it is ours. */
static const char *find_foreign(const char *init)
{
    FILE *file = fopen(init, "re");
    if (!file)
        return "is missing";
    char text[4096];
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    return memmem(text, length, "rederive_llm", 12) ? NULL : "is of another distribution";
}

static void look_around(void)
{
    char folder[PATH_MAX];
    if (!find_modules(folder))
        return;
    char path[PATH_MAX + sizeof "/rederive/rederive.gguf"];
    snprintf(path, sizeof path, "%s/rederive/__init__.py", folder);
    const char *wrong = find_foreign(path);
    if (wrong)
        fprintf(stderr,
                "rederive: the module %s/rederive %s; import rederive_llm instead, or repair it: "
                "pip install --force-reinstall --no-deps rederive-llm\n",
                folder, wrong);
    snprintf(path, sizeof path, "%s/rederive/rederive.gguf", folder);
    if (access(path, F_OK) == 0)
        setenv("RDV_MODEL", path, 0); /* before there is a second thread */
}

int main(int argc, char **argv)
{
    look_around();
    return rdv_program(argc, argv);
}
