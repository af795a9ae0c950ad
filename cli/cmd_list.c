/* SPDX-License-Identifier: Apache-2.0 */
/* rederive methods, formats, completion: lists of what the program offers. */
#include "cmd.h"
#include "help.h"
#include "methods.h"
#include "terminal.h"

#include <rederive/data.h>
#include <rederive/method.h>

static void print_method(const rdv_method *method)
{
    printf("%-20s %s\n", method->name, method->summary);
}

int cmd_methods(const struct settings *settings)
{
    struct methods own = {0};
    int status = methods_read_own(&own, settings);
    const rdv_method *method;
    for (size_t i = 0; i < own.n_faults; i++) {
        say("%.*s", RDV_FMT(own.faults[i].message));
        status = USAGE;
    }
    for (size_t i = 0; status == DONE && (method = rdv_method_at(i)); i++)
        print_method(method);
    for (size_t i = 0; status == DONE && i < own.n_own; i++)
        print_method(own.own[i]);
    methods_end(&own);
    return status;
}

int cmd_formats(const struct settings *settings)
{
    const char *name, *about;
    for (size_t i = 0; (name = rdv_format_name(i, &about)); i++)
        printf("%-20s %s\n", name, about);
    return DONE;
}

int cmd_completion(const struct settings *settings)
{
    if (settings->in.n != 1 || help_completion(stdout, settings->in.items[0]) != RDV_OK) {
        say("completion: name one shell: bash, zsh or fish");
        return USAGE;
    }
    return DONE;
}
