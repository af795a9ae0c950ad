/* SPDX-License-Identifier: Apache-2.0 */
/* The values that completion offers for an option, in every shell. */
#include "completion.h"

#include "base/str.h"

#include <rederive/data.h>
#include <rederive/method.h>
#include <rederive/study.h>

bool completion_has_values(const struct opt *o)
{
    return o->choices || o->words || o->names != OPT_NO_NAMES;
}

bool completion_is_file(const struct opt *o)
{
    return o->type == OPT_FILE || o->type == OPT_FILES;
}

/* The `i`-th name of the list, or NULL past the last. */
static const char *name_at(opt_names names, size_t i)
{
    switch (names) {
    case OPT_NO_NAMES:
        return NULL;
    case OPT_METHODS:
        return rdv_method_at(i) ? rdv_method_at(i)->name : NULL;
    case OPT_FORMATS:
        return rdv_format_name(i, NULL);
    case OPT_RECIPES:
        return rdv_study_at(i) ? rdv_study_at(i)->name : NULL;
    }
    return NULL;
}

static void print_word(FILE *out, rdv_str word, const char *before, const char *colon)
{
    fputs(before, out);
    for (size_t i = 0; i < word.len; i++)
        fputs(word.p[i] == ':' ? colon : (char[]){word.p[i], '\0'}, out);
}

static void print_list(FILE *out, const char *words, const char *colon)
{
    rdv_str word;
    for (const char *before = ""; opt_next_choice(&words, &word); before = " ")
        print_word(out, word, before, colon);
}

void completion_print_words(FILE *out, const char *words)
{
    print_list(out, words, ":");
}

void completion_print_values(FILE *out, const struct opt *o, const char *colon)
{
    const char *words = o->choices ? o->choices : o->words, *name;
    print_list(out, words ? words : "", colon);
    for (size_t i = 0; (name = name_at(o->names, i)); i++)
        print_word(out, rdv_str_of(name), i || words ? " " : "", colon);
}
