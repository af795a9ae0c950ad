/* SPDX-License-Identifier: Apache-2.0 */
#include "server/reported_tokens.h"
#include "base/str.h"

#define ITS_G 3                         /* the letter of "usage" that is rare */
#define MOST_TOKENS ((uint64_t)1 << 40) /* of one reply; more is taken for that */

static void take(uint64_t *most, bool *said, const json_t *usage, const char *const names[],
                 size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t count = parse_count(json_object_get(usage, names[i]));
        sum += count < MOST_TOKENS ? count : MOST_TOKENS;
    }
    *said |= json_is_number(json_object_get(usage, names[0]));
    *most = sum > *most ? sum : *most;
}

static void take_usage(reported_tokens *t, reply_protocol p, const json_t *usage)
{
    static const char *const chat_in[] = {"prompt_tokens"};
    static const char *const chat_out[] = {"completion_tokens"};
    static const char *const in[] = {"input_tokens", "cache_creation_input_tokens",
                                     "cache_read_input_tokens"};
    static const char *const out[] = {"output_tokens"};
    bool chat = p == REPLY_CHAT || p == REPLY_TEXT;
    if (!json_is_object(usage))
        return;
    /* In Responses, tokens of a cache are among the input. */
    take(&t->in, &t->said_in, usage, chat ? chat_in : in, p == REPLY_MESSAGES ? 3 : 1);
    take(&t->out, &t->said_out, usage, chat ? chat_out : out, 1);
    t->said = t->said_in && t->said_out;
}

/* Of the reply itself, of a response in an event of Responses, or of the message that an event of
 * Messages begins. */
static const json_t *usage_of(const json_t *root, reply_protocol p, bool event)
{
    const json_t *own = json_object_get(root, "usage");
    if (!event || own)
        return own;
    const char *within = p == REPLY_RESPONSES ? "response" : p == REPLY_MESSAGES ? "message" : "";
    return json_object_get(json_object_get(root, within), "usage");
}

void reported_tokens_read(reported_tokens *t, reply_protocol p, bool event, rdv_str data)
{
    json_t *root = NULL;
    rdv_error err;
    if (!data.len)
        return;
    t->n_events += event;
    t->n_bytes += data.len;
    /* Most events say nothing of it, and parsing takes time. */
    if (rdv_find_by(data, RDV_STR("usage"), ITS_G) == RDV_NOT_FOUND)
        return;
    if (parse_json(data, false, &root, &err) == RDV_OK)
        take_usage(t, p, usage_of(root, p, event));
    json_decref(root);
}
