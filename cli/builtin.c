/* SPDX-License-Identifier: Apache-2.0 */
#include "builtin.h"

#include "base/arena.h"
#include "base/str.h"
#include "lm/lm.h"
#include "terminal.h"

#include <stdlib.h>
#include <unistd.h>

#define VARIABLE "RDV_MODEL"
/* What the model of models/rederive.gguf was trained on (models/README.md). */
#define BUILTIN_TASKS                                                                              \
    "short stories with numbers up to 150, sorting words, shuffled objects, logical deduction, "   \
    "arithmetic expressions, brackets, coin flips, last letters"

/* The first default path that exists; *path is NULL where there is none. */
static int find_default(const char **path, rdv_error *err)
{
    static const char *const places[] = {RDV_INSTALLED_MODEL, RDV_SOURCE_MODEL};
    const char *chosen = getenv(VARIABLE);
    *path = chosen && *chosen ? chosen : NULL;
    for (size_t i = 0; !*path && i < sizeof places / sizeof *places; i++)
        if (access(places[i], R_OK) == 0)
            *path = places[i];
    if (*path)
        return RDV_OK;
    return rdv_fail(err, RDV_E_IO,
                    "there is no file of the built-in model at %.150s or %.150s; name one: --model "
                    "builtin:FILE, or in the environment as " VARIABLE,
                    places[0], places[1]);
}

int builtin_open(rdv_builtin *out, rdv_model_spec *spec, rdv_arena *arena, rdv_error *err)
{
    const char *path = rdv_cstring(arena, spec->path);
    if (!path)
        return rdv_no_memory(err);
    int code = spec->path.p ? RDV_OK : find_default(&path, err);
    if (code == RDV_OK)
        code = rdv_builtin_open(path, spec->name, arena, out, err);
    if (code != RDV_OK)
        return code;
    spec->path = rdv_str_copy(arena, rdv_str_of(path));
    spec->name = out->name;
    return spec->path.p ? RDV_OK : rdv_no_memory(err);
}

void builtin_tell(const rdv_builtin *model)
{
    rdv_lm_info info;
    rdv_lm_about(model->lm, &info);
    double millions = (double)info.params / 1e6;
    if (model->n_prompts)
        say("%.*s is a model of %.1f M parameters for the tasks it was taught (" BUILTIN_TASKS
            "); its replies to other questions are not meaningful",
            RDV_FMT(model->name), millions);
    else
        say("%.*s is a model of %.1f M parameters that runs inside this program",
            RDV_FMT(model->name), millions);
}
