/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to `rederive mcp`: the answer is none, or one line that is JSON, with the form of a
 * response; a result of a tool is short, and says "right" only where something was checked. An
 * input that is no JSON is tried again as the text of a call. */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "mcp/answer.h"
#include "mcp/result.h"
#include "model/parse.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_structured(const json_t *result)
{
    const json_t *found = json_object_get(result, "structuredContent");
    rdv_str outcome = parse_text(json_object_get(found, "outcome"));
    require(outcome.len > 0);
    if (!rdv_str_eq(outcome, RDV_STR("calculations_right")))
        return;
    require(parse_count(json_object_get(found, "n_right")) > 0);
    require(json_array_size(json_object_get(found, "findings")) == 0);
}

static void check_result(const json_t *result)
{
    const json_t *content = json_object_get(result, "content");
    if (!content)
        return;
    rdv_str text = parse_text(json_object_get(json_array_get(content, 0), "text"));
    require(json_array_size(content) == 1 && text.len > 0 && text.len <= MCP_TEXT_MAX);
    require(json_is_true(json_object_get(result, "isError")) ==
            !json_object_get(result, "structuredContent"));
    if (!json_object_get(result, "isError"))
        check_structured(result);
}

/* By HTTP, what is answered has a status that fits. */
static void check_http(rdv_str message, rdv_str alone, rdv_arena *arena)
{
    rdv_str answer;
    unsigned status = 0;
    const mcp_headers none = {0};
    require(mcp_answer_http(message, &none, arena, &answer, &status, NULL) == RDV_OK);
    require(!answer.p == !alone.p && !answer.p == (status == 202));
    require(status == 200 || status == 202 || status == 400 || status == 404);
}

/* Whether it was a message. */
static bool check(rdv_str message, rdv_arena *arena)
{
    rdv_str answer;
    json_t *root = NULL;
    require(mcp_answer(message, arena, &answer, NULL) == RDV_OK);
    check_http(message, answer, arena);
    if (!answer.p)
        return true;
    require(rdv_find_char(answer, '\n', 0) == answer.len - 1);
    require(parse_json(answer, true, &root, NULL) == RDV_OK);
    const json_t *result = json_object_get(root, "result"), *error = json_object_get(root, "error");
    require(!result == (error != NULL) && json_object_get(root, "id"));
    check_result(result);
    bool is_message = json_integer_value(json_object_get(error, "code")) != -32700;
    json_decref(root);
    return is_message;
}

static void check_call(const char *tool, const char *argument, rdv_str text, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b,
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                   "\"%s\",\"arguments\":{",
                   tool);
    if (strcmp(tool, "grade") == 0)
        rdv_buf_lit(&b, "\"gold\":\"12\"");
    rdv_json_put_text(&b, argument, text);
    rdv_buf_lit(&b, "}}}");
    require(rdv_buf_ok(&b) && check(rdv_buf_str(&b), arena));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str text = {(const char *)data, size};
    rdv_arena *arena = rdv_arena_new(0);
    require(arena != NULL);
    if (!check(text, arena)) {
        check_call("check", "text", text, arena);
        check_call("grade", "reply", text, arena);
        check_call("calculate", "expression", text, arena);
    }
    rdv_arena_free(&arena);
    return 0;
}
