/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rows that are compiled in, as the program does, and writes a stamp.
 *
 *     check_rules RULES_FOLDER STAMP
 *
 * A fault is reported as "rules/FILE:LINE: ROW: what is wrong", and nothing is written: the build
 * ends there. Without it a program would end at its first text, as if it were out of memory. */
#include "base/arena.h"
#include "base/str.h"
#include "claims/verbal_grammar.h"
#include "explain/explanation.h"
#include "language/rule.h"
#include "read_file.h"
#include "reply/grammar.h"

typedef struct readers {
    rule_set *claims, *answers;
    verbal_grammar *verbal;
    explanations *explain;
    reply_grammar *replies;
} readers;

static int add_rules(const readers *to, rdv_str file, rdv_str text, rdv_error *err)
{
    return rule_set_add(to->claims, file, text, err);
}

static int add_answers(const readers *to, rdv_str file, rdv_str text, rdv_error *err)
{
    return rule_set_add(to->answers, file, text, err);
}

static int add_verbal(const readers *to, rdv_str file, rdv_str text, rdv_error *err)
{
    int code = verbal_grammar_add(to->verbal, file, text, err);
    return code == RDV_OK ? rule_set_list(to->claims, EFFECT_READ, file, text, err) : code;
}

static int add_explanations(const readers *to, rdv_str file, rdv_str text, rdv_error *err)
{
    int code = explanations_add(to->explain, file, text, err);
    return code == RDV_OK ? rule_set_list(to->claims, EFFECT_EXPLAINED, file, text, err) : code;
}

static int add_replies(const readers *to, rdv_str file, rdv_str text, rdv_error *err)
{
    int code = grammar_add(to->replies, file, text, err);
    return code == RDV_OK ? rule_set_list(to->claims, EFFECT_REPLY, file, text, err) : code;
}

static int add_words(const readers *to, rdv_str file, rdv_str text, rdv_error *err)
{
    int code = rule_set_list(to->claims, EFFECT_CLASS, file, text, err);
    return code == RDV_OK ? rule_set_list(to->answers, EFFECT_CLASS, file, text, err) : code;
}

/* In the order in which the program adds them: an id stands once in all that it lists. */
static const struct {
    const char *file;
    int (*add)(const readers *, rdv_str, rdv_str, rdv_error *);
} files[] = {{"context.rules", add_rules},
             {"rare/context.rules", add_rules},
             {"answers.rules", add_answers},
             {"verbal.rules", add_verbal},
             {"statements.rules", add_verbal},
             {"rare/verbal.rules", add_verbal},
             {"explanations.rules", add_explanations},
             {"rare/explanations.rules", add_explanations},
             {"replies.rules", add_replies},
             {"words.rules", add_words}};

static int check(const char *folder, rdv_arena *arena, rdv_error *err)
{
    const readers to = {rule_set_new(arena), rule_set_new(arena), verbal_grammar_new(arena),
                        explanations_new(arena), grammar_new(arena)};
    bool made = to.claims && to.answers && to.verbal && to.explain && to.replies;
    int code = made ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < sizeof files / sizeof *files && code == RDV_OK; i++) {
        rdv_str text, name = rdv_str_of(files[i].file);
        rdv_str path = rdv_str_printf(arena, "%s/%s", folder, files[i].file);
        if (!path.p || read_file(path.p, arena, &text) != RDV_OK || !text.p)
            return rdv_fail(err, RDV_E_IO, "%s: cannot be read", files[i].file);
        code = files[i].add(&to, name, text, err);
    }
    return code;
}

int main(int argc, char **argv)
{
    rdv_error err = {0};
    rdv_arena *arena = argc == 3 ? rdv_arena_new(0) : NULL;
    int code = arena ? check(argv[1], arena, &err) : rdv_no_memory(&err);
    rdv_arena_free(&arena);
    FILE *stamp = code == RDV_OK ? fopen(argv[2], "w") : NULL;
    if (code != RDV_OK)
        fprintf(stderr, "rules/%s\n", err.msg);
    return stamp && fclose(stamp) == 0 ? 0 : 1;
}
