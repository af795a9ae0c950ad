/* SPDX-License-Identifier: Apache-2.0 */
/* Records in the body of a request, checked, graded and voted on: a line of JSON comes out for
 * each, or the reason why there is none. The same body as a gateway's request to its guard: an
 * answer with an action comes out, or the reason. */
#include "base/arena.h"
#include "base/str.h"
#include "judge/guardrail.h"
#include "judge/records.h"
#include "model/parse.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_lines(rdv_str out)
{
    while (out.len) {
        json_t *root = NULL;
        size_t end = rdv_find_char(out, '\n', 0);
        require(end != RDV_NOT_FOUND &&
                parse_json(rdv_slice(out, 0, end), true, &root, NULL) == RDV_OK);
        require(json_is_object(root));
        json_decref(root);
        out = rdv_slice(out, end + 1, out.len);
    }
}

static void check(judge_work work, rdv_str text)
{
    rdv_buf out;
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    require(arena != NULL);
    rdv_buf_init(&out, arena, 0);
    rdv_buf_lit(&out, "");
    int code = judge_records(work, NULL, text, arena, &out, &err);
    require(code == RDV_OK || *err.msg);
    if (code == RDV_OK)
        check_lines(rdv_buf_str(&out));
    rdv_arena_free(&arena);
}

static void guard(judge_mode mode, rdv_str text)
{
    judge_rule rule = judge_rule_default();
    rule.mode = mode;
    rule.refuses = mode == JUDGE_STRICT;
    json_t *root = NULL;
    rdv_buf out;
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    require(arena != NULL);
    rdv_buf_init(&out, arena, 0);
    if (guardrail_answer(text, &rule, arena, &out, &err) == RDV_OK) {
        require(parse_json(rdv_buf_str(&out), true, &root, NULL) == RDV_OK);
        require(json_is_string(json_object_get(root, "action")));
        json_decref(root);
    } else {
        require(err.msg[0]);
    }
    rdv_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str text = {(const char *)data, size};
    check(JUDGE_CHECK, text);
    check(JUDGE_GRADE, text);
    check(JUDGE_VOTE, text);
    guard(JUDGE_WHOLE, text);
    guard(JUDGE_STRICT, text);
    return 0;
}
