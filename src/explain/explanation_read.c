/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of rows that explain a mismatch. */
#include "base/arena.h"
#include "base/built_in.h"
#include "base/str.h"
#include "explain/checks.h"
#include "explain/explanation.h"
#include "language/cue_read.h"
#include "language/embedded_rules.h"

#include <string.h>

#define ROWS_MOST 1000
#define COUNT(table) (sizeof(table) / sizeof *(table))

enum {
    KEY_WHY,
    KEY_SAID,
    KEY_NEAR,
    KEY_SHAPE,
    KEY_SIDES,
    KEY_HOLDS,
    KEY_CHECK,
    KEY_FIRES,
    KEY_SILENT,
    N_KEYS
};

static const char *const keys[N_KEYS] = {"why",   "said",  "near",  "shape", "sides",
                                         "holds", "check", "fires", "silent"};
/* In the order in which they are looked for in a condition: "<=" before "<". */
static const struct {
    const char *written;
    condition_is is;
} signs[] = {{" divides ", DIVIDES}, {"<=", IS_AT_MOST}, {">=", IS_AT_LEAST}, {"<", IS_LESS},
             {">", IS_MORE},         {"~", IS_SHOWN},    {"=", IS_EQUAL}};

static explanation *last_row(const row_reader *r)
{
    const explanations *all = r->of;
    return &all->at[all->n - 1];
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* "a + b", "a/b + c/d = e/f" */
static int read_shape(const row_reader *r, rdv_str text)
{
    size_t sign = rdv_find_char(text, '=', 0);
    int code = formula_read(r, rdv_trim(rdv_slice(text, 0, sign)), &last_row(r)->left);
    if (code == RDV_OK && sign != RDV_NOT_FOUND)
        code = formula_read(r, rdv_trim(rdv_slice(text, sign + 1, text.len)), &last_row(r)->right);
    return code;
}

static int read_condition(const row_reader *r, rdv_str text, condition *out)
{
    *out = (condition){.is = IS_WHOLE};
    if (rdv_starts(text, RDV_STR("whole ")))
        return formula_read(r, rdv_slice(text, 6, text.len), &out->a);
    for (size_t i = 0; i < COUNT(signs); i++) {
        rdv_str sign = rdv_str_of(signs[i].written);
        size_t at = rdv_find(text, sign, 0);
        if (at == RDV_NOT_FOUND)
            continue;
        out->is = signs[i].is;
        int code = formula_read(r, rdv_trim(rdv_slice(text, 0, at)), &out->a);
        return code == RDV_OK
                   ? formula_read(r, rdv_trim(rdv_slice(text, at + sign.len, text.len)), &out->b)
                   : code;
    }
    return row_fault(r, "\"%.*s\" is no condition", RDV_FMT(row_shown(text)));
}

static int read_conditions(const row_reader *r, rdv_str value)
{
    explanation *row = last_row(r);
    rdv_str text;
    int code = RDV_OK;
    while (code == RDV_OK && row_next_piece(&value, ';', &text)) {
        if (!RDV_PUSH_ROOM(r->arena, row->conditions, row->n, row->cap))
            return rdv_no_memory(r->err);
        code = read_condition(r, text, &row->conditions[row->n++]);
    }
    row->conditions[row->n - 1].last = true;
    return code;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int read_cues(const row_reader *r, rdv_str value, bool said)
{
    explanation *row = last_row(r);
    rdv_str text;
    int code = RDV_OK;
    while (code == RDV_OK && row_next_piece(&value, ';', &text)) {
        if (!RDV_PUSH_ROOM(r->arena, row->cues, row->n_cues, row->cap_cues))
            return rdv_no_memory(r->err);
        explanation_cue *c = &row->cues[row->n_cues++];
        c->said = said;
        code = cue_read(r, text, &c->pattern);
        if (code != RDV_OK)
            break;
        uint64_t begins = c->pattern.elements[c->pattern.anchor].of->begins;
        row->begins[c->pattern.reach ? AROUND : NEAR] |= begins;
        row->begins[QUESTION] |= said ? begins : 0;
    }
    return code;
}

static int read_check(const row_reader *r, rdv_str name)
{
    last_row(r)->check = mismatch_check_named(name);
    return last_row(r)->check
               ? RDV_OK
               : row_fault(r, "check \"%.*s\" is not known", RDV_FMT(row_shown(name)));
}

static int read_member(row_reader *r, size_t key, rdv_str value)
{
    switch (key) {
    case KEY_WHY:
        last_row(r)->why = rdv_cstring(r->arena, value);
        return last_row(r)->why ? RDV_OK : rdv_no_memory(r->err);
    case KEY_SAID:
        return read_cues(r, value, true);
    case KEY_NEAR:
        return read_cues(r, value, false);
    case KEY_SHAPE:
        return read_shape(r, value);
    case KEY_SIDES:
        last_row(r)->either = rdv_str_eq(value, RDV_STR("either"));
        return last_row(r)->either ? RDV_OK : row_fault(r, "sides is \"either\"");
    case KEY_HOLDS:
        return read_conditions(r, value);
    case KEY_CHECK:
        return read_check(r, value);
    default:
        return RDV_OK; /* examples, which language/rule.h keeps */
    }
}

static int begin_row(row_reader *r, rdv_str id)
{
    explanations *all = r->of;
    for (size_t i = 0; i < all->n; i++)
        if (rdv_str_eq(all->at[i].id, id))
            return row_fault(r, "%.*s stands twice", RDV_FMT(id));
    if (all->n == ROWS_MOST)
        return row_limit(r, "more than %d rows", ROWS_MOST);
    if (!RDV_PUSH_ROOM(r->arena, all->at, all->n, all->cap))
        return rdv_no_memory(r->err);
    all->at[all->n++] = (explanation){.id = id};
    return RDV_OK;
}

static bool has_letter(const row_formula *f, rdv_str letter)
{
    rdv_str one;
    bool has = false;
    for (size_t at = 0; formula_next_letter(f, &at, &one);)
        has |= rdv_str_eq(one, letter);
    return has;
}

/* Each letter of the formula has a value: l and r, n of the cue, those of the shape. */
static int check_letters(const row_reader *r, const row_formula *f)
{
    explanation *row = last_row(r);
    rdv_str letter;
    for (size_t at = 0; formula_next_letter(f, &at, &letter);) {
        bool counts = rdv_str_eq(letter, RDV_STR("n"));
        row->counts |= counts;
        if (!counts && !rdv_str_eq(letter, RDV_STR("l")) && !rdv_str_eq(letter, RDV_STR("r")) &&
            !has_letter(&row->left, letter) && !has_letter(&row->right, letter))
            return row_fault(r, "the shape has no letter \"%.*s\"", RDV_FMT(letter));
    }
    return RDV_OK;
}

static bool has_number(const cue *c)
{
    bool has = false;
    for (size_t i = 0; i < c->n; i++)
        has |= c->elements[i].kind == CUE_NUMBER && !c->elements[i].negated;
    return has;
}

static int end_row(row_reader *r)
{
    const explanation *row = last_row(r);
    int code = RDV_OK;
    for (size_t i = 0; i < row->n && code == RDV_OK; i++) {
        code = check_letters(r, &row->conditions[i].a);
        code = code == RDV_OK ? check_letters(r, &row->conditions[i].b) : code;
    }
    if (code != RDV_OK)
        return code;
    bool number = false;
    for (size_t i = 0; i < row->n_cues; i++)
        number |= has_number(&row->cues[i].pattern);
    if (row->counts && !number)
        return row_fault(r, "no cue has a number, \"#\"");
    if (!row->why)
        return row_fault(r, "there is no \"why\"");
    if (!row->n && !row->check)
        return row_fault(r, "nothing has to hold: an explanation gives the number that is shown");
    return RDV_OK;
}

explanations *explanations_new(rdv_arena *arena)
{
    explanations *all = RDV_NEW(arena, explanations);
    if (all)
        all->arena = arena;
    return all;
}

int explanations_add(explanations *all, rdv_str file, rdv_str text, rdv_error *err)
{
    word_lists lists = {0};
    row_reader r = {.arena = all->arena,
                    .lists = &lists,
                    .file = file,
                    .err = err,
                    .keys = keys,
                    .n_keys = N_KEYS,
                    .of = all,
                    .begin = begin_row,
                    .member = read_member,
                    .end = end_row};
    return rows_read(&r, text);
}

/* ---- those that are compiled in -------------------------------------------------------------- */

static const void *make(rdv_arena *arena)
{
    explanations *all = explanations_new(arena);
    int code = all ? RDV_OK : RDV_E_NOMEM;
    for (size_t i = 0; i < RULES_EXPLAIN && code == RDV_OK; i++)
        code = explanations_add(all, rdv_str_of(rules_explain[i]),
                                rules_embedded_text(rules_explain[i]), NULL);
    return code == RDV_OK ? all : NULL;
}

const explanations *explanations_built_in(void)
{
    static built_in all;
    return built_in_get(&all, make);
}
