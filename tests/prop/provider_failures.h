/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What providers write where a reply failed: made of the table's rows, and as they were seen to
 * write it (tests/golden/provider-failures.txt). */
#include "../unit/failure_rows.h"
#include "failed_replies.h"
#include "golden_lines.h"

#include <stdlib.h>

/* ",MEMBER" of the row, for one of a kind's places. */
static const char *row_text(const failure_row *row, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_char(&b, ',');
    put_row(&b, row);
    return rdv_cstring(arena, rdv_buf_str(&b));
}

static kind kind_of_row(const failure_row *row, rdv_arena *arena)
{
    kind k = {.is = SPOILT_REPLY, .failure = NO_FAILURE, .cut_off = row->says == SAYS_CUT_OFF};
    k.name = rdv_cstring(arena, rdv_str_printf(arena, "%s %s", row->member, row->value));
    if (compares_two(row)) {
        k.second = ",{\"index\":0,\"message\":{\"content\":\"No.\"},\"text\":\"No.\","
                   "\"finish_reason\":\"stop\"}";
        return k;
    }
    const char *member = row_text(row, arena);
    if (is_finish(row))
        k.finish = strchr(member, ':') + 1;
    else if (row->place == PLACE_BODY)
        k.in_root = member;
    else if (row->place == PLACE_CHOICE)
        k.in_choice = member;
    else
        k.beside = member;
    return k;
}

/* ---- as they write it ------------------------------------------------------------------------ */

typedef struct provider_case {
    const char *name, *body; /* "%": the supporting text */
    bool is_whole, is_cut_off;
    const failure_row *row; /* that tells it from a whole one; NULL: none does */
} provider_case;

/* The row that holds of the body at any place; NULL: none. */
static const failure_row *row_of(const json_t *body)
{
    const json_t *choice = parse_numbered(json_object_get(body, "choices"));
    const json_t *at[] = {[PLACE_BODY] = body,
                          [PLACE_CHOICE] = choice,
                          [PLACE_MESSAGE] = json_object_get(choice, "message")};
    const failure_row *row = NULL, *worst = NULL;
    const json_t *value;
    for (failure_place p = PLACE_BODY; p < N_FAILURE_PLACES; p++)
        if (failures_find(p, at[p], &row, &value) > SAYS_WHOLE && !worst)
            worst = row;
    return worst;
}

/* Each case is a line with "@" and its name, "whole" if it is one, and a line with the body. */
static size_t read_provider_cases(rdv_arena *arena, provider_case **cases)
{
    FILE *f = golden_open("provider-failures.txt", "r");
    char *line = NULL;
    size_t room = 0, n = 0, cap = 0;
    ssize_t len;
    *cases = NULL;
    while ((len = getline(&line, &room, f)) >= 0) {
        rdv_str text = rdv_trim((rdv_str){line, (size_t)len});
        if (rdv_starts(text, RDV_STR("@"))) {
            assert_true(RDV_PUSH_ROOM(arena, *cases, n, cap));
            (*cases)[n++] =
                (provider_case){.name = rdv_cstring(arena, rdv_slice(text, 1, text.len)),
                                .is_whole = rdv_ends(text, RDV_STR(" (whole)"))};
        } else if (n && text.len) {
            provider_case *c = &(*cases)[n - 1];
            rdv_buf filled;
            json_t *body;
            c->body = rdv_cstring(arena, text);
            rdv_buf_init(&filled, arena, 0);
            put_pattern(&filled, c->body, RDV_STR("yes"));
            assert_int_equal(parse_json(rdv_buf_str(&filled), false, &body, NULL), RDV_OK);
            c->row = row_of(body);
            c->is_cut_off = c->row && c->row->says == SAYS_CUT_OFF;
            json_decref(body);
        }
    }
    free(line);
    fclose(f);
    return n;
}

static bool has_provider_case(const provider_case *cases, size_t n, const failure_row *row)
{
    for (size_t i = 0; i < n; i++)
        if (cases[i].row == row && !cases[i].is_whole)
            return true;
    return false;
}
