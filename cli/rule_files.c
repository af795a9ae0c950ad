/* SPDX-License-Identifier: Apache-2.0 */
#include "rule_files.h"
#include "text_files.h"

#include "base/arena.h"
#include "base/str.h"

static int add_folder(const char *dir, rdv_rules *rules, rdv_arena *arena, rdv_error *err)
{
    rdv_prompt_text *files;
    size_t n;
    int code = text_files_read(dir, ".rules", "--rules-dir", arena, &files, &n, err);
    if (code == RDV_OK && n == 0)
        return rdv_fail(err, RDV_E_INPUT,
                        "--rules-dir %.200s: there is no file of rules "
                        "(NAME.rules)",
                        dir);
    for (size_t i = 0; i < n && code == RDV_OK; i++) {
        rdv_str path = rdv_str_printf(arena, "%s/%.*s.rules", dir, RDV_FMT(files[i].id));
        code = path.p ? rdv_rules_add(rules, path, files[i].text, err) : rdv_no_memory(err);
    }
    return code;
}

int rule_files_read(const struct settings *s, rdv_arena *arena, rdv_rules **out, rdv_error *err)
{
    rdv_rules *rules = rdv_rules_new(arena);
    if (!rules)
        return rdv_no_memory(err);
    int code = s->rules_dir ? add_folder(s->rules_dir, rules, arena, err) : RDV_OK;
    for (size_t i = 0; i < s->disabled_rules.n && code == RDV_OK; i++) {
        const char *id = s->disabled_rules.items[i];
        code = rdv_rules_disable(rules, rdv_str_of(id), err);
        if (code != RDV_OK)
            return rdv_wrap(err, code, "--disable-rule %.64s", id);
    }
    if (code == RDV_OK)
        *out = rules;
    return code;
}
