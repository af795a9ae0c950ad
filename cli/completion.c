/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"
#include "help.h"

#include <string.h>

int help_completion(FILE *out, const char *shell)
{
    static const struct {
        const char *shell;
        void (*print)(FILE *out);
    } scripts[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (strcmp(scripts[i].shell, shell) == 0) {
            scripts[i].print(out);
            return RDV_OK;
        }
    return RDV_NONE;
}
