/* SPDX-License-Identifier: Apache-2.0 */
/* rederive methods, formats, completion: what the program says of itself. */
#include "cmd.h"
#include "help.h"
#include "terminal.h"

#include <rederive/data.h>
#include <rederive/method.h>

static int end_list(void)
{
    return fflush(stdout) == 0 ? DONE : NOTHING_DONE;
}

int cmd_methods(const struct settings *settings)
{
    const rdv_method *method;
    for (size_t i = 0; (method = rdv_method_at(i)); i++)
        printf("%-20s %s\n", method->name, method->summary);
    return end_list();
}

int cmd_formats(const struct settings *settings)
{
    const char *name, *about;
    for (size_t i = 0; (name = rdv_format_name(i, &about)); i++)
        printf("%-20s %s\n", name, about);
    return end_list();
}

int cmd_completion(const struct settings *settings)
{
    if (settings->in.n != 1 || help_completion(stdout, settings->in.items[0]) != RDV_OK) {
        say("completion: name one shell, bash or zsh");
        return USAGE;
    }
    return end_list();
}
