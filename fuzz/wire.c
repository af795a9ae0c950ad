/* SPDX-License-Identifier: Apache-2.0 */
/* What a server sends, read as every kind of response: a reply must be UTF-8, with tokens that lie
 * in it where they spell it; an error must be one line. The first byte chooses what was asked. */
#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "model/record.h"
#include "model/wire.h"

#include <math.h>
#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_reply(const rdv_reply *r)
{
    require(r->text.p && rdv_utf8_valid(r->text) == r->text.len);
    for (size_t i = 0; i < r->n_tokens; i++)
        require(r->tokens[i].text.p != NULL);
}

/* What is written to a journal is read from it again. */
static void check_record(const rdv_reply *r, rdv_arena *arena)
{
    rdv_buf first, second;
    rdv_reply again;
    rdv_buf_init(&first, arena, 0);
    rdv_buf_init(&second, arena, 0);
    record_write_reply(&first, r);
    require(record_read_reply(rdv_buf_str(&first), arena, &again, NULL) == RDV_OK);
    record_write_reply(&second, &again);
    require(rdv_str_eq(rdv_buf_str(&first), rdv_buf_str(&second)));
}

static void read_as(const rdv_request *request, rdv_str body, rdv_arena *arena)
{
    rdv_abilities abilities = {0};
    wire w;
    rdv_reply reply;
    require(wire_write(request, RDV_STR("m"), &abilities, arena, &w, NULL) == RDV_OK);
    require(wire_ask_stream(&w, request, &abilities, arena, NULL) == RDV_OK);
    if (wire_read(&w, request, body, arena, &reply, NULL) == RDV_OK) {
        check_reply(&reply);
        check_record(&reply, arena);
    }
    wire_error error;
    require(wire_read_error(body, arena, &error, NULL) == RDV_OK);
    require(rdv_utf8_valid(error.message) == error.message.len && error.message.len <= 304);
    require(rdv_find_char(error.message, '\n', 0) == RDV_NOT_FOUND);
    wire_refused(&w, 400, &error, &abilities);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rdv_message turns[] = {{RDV_USER, {"a b", 3}}, {RDV_ASSISTANT, {"c d", 3}}};
    static const rdv_str stop = {"support", 7};
    if (size == 0)
        return 0;
    rdv_request request = {.kind = data[0] % 3,
                           .messages = turns,
                           .n_messages = data[0] & 4 ? 2 : 1,
                           .sampling = {NAN, NAN, 0, &stop, 1, true, 2}};
    request.sampling.logprobs = !(data[0] & 16); /* else it may be a stream */
    if (request.kind == RDV_REQUEST_SCORE && !(data[0] & 4))
        request.text = RDV_STR("a b c");
    static const rdv_str steps[] = {{"a", 1}, {"b", 1}};
    if (data[0] & 8) {
        request = (rdv_request){.kind = RDV_REQUEST_REWARD,
                                .text = RDV_STR("q"),
                                .steps = steps,
                                .n_steps = 2,
                                .prm = (data[0] >> 4) % 3};
    }
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return 0;
    rdv_str body = {(const char *)data + 1, size - 1};
    read_as(&request, body, arena);
    record_line line;
    record_read_line(body, arena, &line, NULL);
    rdv_arena_free(&arena);
    return 0;
}
