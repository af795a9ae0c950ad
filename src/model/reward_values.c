/* SPDX-License-Identifier: Apache-2.0 */
/* A value a token from POST /v1/embeddings, where the value at a step's last token is the step's.
 *
 * Request {"model","input":[TEXT,...]}; response {"object":"list","data":[{"object":"embedding",
 * "index":i,"embedding":[...]}],"usage"}: OpenAI's embeddings, as Skywork's plugin for vLLM serves
 * its Skywork-o1-Open-PRM (https://github.com/SkyworkAI/skywork-o1-prm-inference, README: the score
 * of a text is `data.embedding[-1]`). The model card lays a solution out as problem and steps, a
 * line each, and takes the sigmoid of the value.
 *
 * The plugin's own client sends token numbers and picks the ends of steps among the values. Without
 * the model's tokenizer each prefix that ends with a step is sent as a text of one call, and its
 * last value taken: the model reads from left to right, so that nothing after the step counts. The
 * line break may there be one token with the mark before it, where the client tokenizes each step
 * alone. */
#include "model/reward.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

#include <math.h>

/* A step must stay one line. */
static void add_line(rdv_buf *b, rdv_str text)
{
    text = rdv_trim(text);
    for (size_t i = 0; i < text.len; i++)
        rdv_buf_add_char(b, text.p[i] == '\n' || text.p[i] == '\r' ? ' ' : text.p[i]);
    rdv_buf_add_char(b, '\n');
}

void reward_write_values(rdv_buf *b, const rdv_request *request, rdv_arena *arena)
{
    rdv_buf text;
    rdv_buf_init(&text, arena, 0);
    rdv_buf_add(&text, request->text);
    rdv_buf_add_char(&text, '\n');
    rdv_buf_lit(b, ",\"encoding_format\":\"float\",\"input\":[");
    for (size_t i = 0; i < request->n_steps; i++) {
        add_line(&text, request->steps[i]);
        if (i)
            rdv_buf_add_char(b, ',');
        rdv_json_text(b, rdv_buf_str(&text));
    }
    rdv_buf_add_char(b, ']');
    if (!rdv_buf_ok(&text))
        b->failed = true;
}

static double sigmoid_of_last(const json_t *values)
{
    size_t n = json_array_size(values);
    double x = n ? parse_double(json_array_get(values, n - 1)) : NAN;
    return 1 / (1 + exp(-x));
}

int reward_read_values(const json_t *list, rdv_arena *arena, rdv_reply *out, rdv_error *err)
{
    size_t n = json_array_size(list);
    double *rewards = RDV_NEW_ARRAY(arena, double, n);
    if (!rewards)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory reading a reply");
    for (size_t i = 0; i < n; i++)
        rewards[i] = NAN;
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(list, i);
        const json_t *index = json_object_get(one, "index"); /* they may come in any order */
        uint64_t at = index ? parse_count(index) : i;
        if (!json_is_array(json_object_get(one, "embedding")))
            return rdv_fail(err, RDV_E_INPUT, "the reply's data holds no list of values");
        if (at < n)
            rewards[at] = sigmoid_of_last(json_object_get(one, "embedding"));
    }
    out->rewards = rewards;
    out->n_rewards = n;
    return RDV_OK;
}
