/* SPDX-License-Identifier: Apache-2.0 */
/* Rule files from --rules-dir. NUL bytes cut the input: the first piece is a file, the others are
 * steps. A file that is not taken leaves the set as it was and gives a place and a reason; one that
 * is taken excuses what it may, and nothing else changes. */
#include "base/arena.h"
#include "base/str.h"

#include <rederive/rules.h>

#include <stdlib.h>
#include <string.h>

#define MEMORY ((size_t)1 << 28)
#define STEPS_MOST 8

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_rule(const rdv_rule *r)
{
    must(r->id.len > 0 && r->file.len > 0 && r->line > 0 && r->effect && r->n_fires > 0);
    must(rdv_starts(r->text, RDV_STR("## ")));
    must(!r->added || r->reason);
}

static void check_step(rdv_calculator *plain, rdv_calculator *ruled, rdv_str step)
{
    rdv_calc *a, *b;
    size_t n_a, n_b;
    if (rdv_calculator_step(plain, step, &a, &n_a, NULL) != RDV_OK ||
        rdv_calculator_step(ruled, step, &b, &n_b, NULL) != RDV_OK)
        return;
    must(n_a == n_b);
    for (size_t i = 0; i < n_a; i++) {
        bool excused = a[i].kind == RDV_CALC_WRONG && b[i].kind == RDV_CALC_UNDECIDED;
        must(a[i].begin == b[i].begin && a[i].end == b[i].end);
        must(b[i].excused == excused && (excused || a[i].kind == b[i].kind));
        must(!excused || (b[i].rule.len > 0 && b[i].note.len > 0));
    }
}

/* The text up to the next NUL, which is cut off the rest with it. */
static rdv_str next_piece(rdv_str *rest)
{
    size_t end = rdv_find_char(*rest, '\0', 0);
    rdv_str piece = rdv_slice(*rest, 0, end);
    *rest = end == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(*rest, end + 1, rest->len);
    return piece;
}

static void check_steps(const rdv_rules *rules, rdv_str rest, rdv_arena *arena)
{
    rdv_calculator *plain = rdv_calculator_new(arena, (rdv_str){0});
    rdv_calculator *ruled = rdv_calculator_new(arena, (rdv_str){0});
    if (ruled)
        rdv_calculator_set_rules(ruled, rules);
    for (size_t i = 0; plain && ruled && rest.p && i < STEPS_MOST; i++)
        check_step(plain, ruled, next_piece(&rest));
    rdv_calculator_free(&plain);
    rdv_calculator_free(&ruled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str rest = {(const char *)data, size}, file = next_piece(&rest);
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(MEMORY);
    rdv_rules *rules = arena ? rdv_rules_new(arena) : NULL;
    size_t n = rules ? rdv_rules_count(rules) : 0;
    int code = rules ? rdv_rules_add(rules, RDV_STR("F"), file, &err) : RDV_E_NOMEM;
    if (code == RDV_E_INPUT || code == RDV_E_LIMIT)
        must(strncmp(err.msg, "F:", 2) == 0 && rdv_rules_count(rules) == n);
    for (size_t i = n; code == RDV_OK && i < rdv_rules_count(rules); i++) {
        rdv_rule rule = rdv_rules_at(rules, i);
        check_rule(&rule);
    }
    if (code == RDV_OK)
        check_steps(rules, rest, arena);
    rdv_arena_free(&arena);
    return 0;
}
