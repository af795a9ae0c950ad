/* SPDX-License-Identifier: Apache-2.0 */
/* A line of a file of results of a batch, read as the result of every kind of request: a reply must
 * be UTF-8, an error one line. The first byte chooses what was asked. */
#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "model/batch.h"

#include <math.h>
#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* How the reply is read is what was written about the request. */
static void make_reading(unsigned char which, rdv_arena *arena, batch_reading *out)
{
    static const rdv_message turns[] = {{RDV_USER, {"a b", 3}}, {RDV_ASSISTANT, {"c d", 3}}};
    static const rdv_str stop = {"support", 7}, answers[] = {{"yes", 3}, {"no", 2}};
    rdv_abilities vllm = {.completions = RDV_CANNOT,
                          .echo = RDV_CANNOT,
                          .token_grammar = RDV_CANNOT,
                          .prefix = RDV_CAN,
                          .prefix_back = which & 16 ? RDV_CAN : RDV_CANNOT};
    rdv_request request = {.kind = which % 3,
                           .messages = turns,
                           .n_messages = which % 3 ? 2 : 1,
                           .sampling = {NAN, NAN, 7, &stop, 1, true, 2},
                           .answers = answers,
                           .n_answers = which & 8 ? 2 : 0};
    rdv_buf asked, reading;
    wire w;
    rdv_buf_init(&asked, arena, 0);
    rdv_buf_init(&reading, arena, 0);
    require(wire_write(&request, RDV_STR("m"), &vllm, arena, &w, NULL) == RDV_OK);
    rdv_buf_lit(&asked, "{\"messages\":[{\"content\":\"c d\"}],\"stop\":[\"support\"],"
                        "\"top_logprobs\":2}");
    batch_write_reading(&reading, &request, &w);
    require(batch_read_reading(rdv_str_of(rdv_request_kind_name(request.kind)), rdv_buf_str(&asked),
                               rdv_buf_str(&reading), arena, out, NULL) == RDV_OK);
    require(out->wire.form == w.form && out->wire.uses == w.uses &&
            rdv_str_eq(out->wire.continues, w.continues));
}

static void check_result(const batch_result *r, const batch_reading *reading, rdv_arena *arena)
{
    rdv_reply reply;
    rdv_abilities abilities = {0};
    require(r->status == 0 || (r->status >= 100 && r->status <= 599));
    if (wire_is_whole(r->status) &&
        wire_read_parsed(&reading->wire, &reading->request, r->body, arena, &reply, NULL) == RDV_OK)
        require(reply.text.p && rdv_utf8_valid(reply.text) == reply.text.len);
    if (!wire_is_whole(r->status)) {
        require(rdv_find_char(r->error.message, '\n', 0) == RDV_NOT_FOUND);
        wire_refused(&reading->wire, (int)r->status, &r->error, &abilities);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    batch_reading reading, other;
    batch_result result;
    rdv_arena *arena = size ? rdv_arena_new(0) : NULL;
    if (!arena)
        return 0;
    rdv_str line = {(const char *)data + 1, size - 1};
    make_reading(data[0], arena, &reading);
    if (batch_read_result(line, arena, &result, NULL) == RDV_OK)
        check_result(&result, &reading, arena);
    batch_result_release(&result);
    (void)batch_read_reading(RDV_STR("chat"), line, line, arena, &other, NULL);
    rdv_arena_free(&arena);
    return 0;
}
