/* SPDX-License-Identifier: Apache-2.0 */
/* A pair of numbers a step from POST /pooling, which stands beside /v1.
 *
 * Request {"model","messages"} or {"model","input"}; response {"object":"list","data":[{"index":0,
 * "object":"pooling","data":[[a,b],...]}],"usage"}: vLLM, PoolingRequest and PoolingResponse in
 * vllm/entrypoints/openai/protocol.py (0.6 to 0.11; later under pooling/), and
 * https://docs.vllm.ai/en/v0.18.1/examples/pooling/pooling/. LMDeploy speaks the same.
 *
 * Qwen2.5-Math-PRM: Qwen2ForProcessRewardModel pools by STEP at token 151651 (<extra_0>) and gives
 * the chances (wrong, right); the layout is the model card's. Math-Shepherd: served with
 * {"pooling_type":"STEP","step_tag_id":12902,"returned_token_ids":[648,387]} it gives (right,
 * wrong) at each " ки" (vLLM pull request 9697); the layout is the model card's. */
#include "model/reward.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

#include <math.h>

#define QWEN_SYSTEM "Please reason step by step, and put your final answer within \\boxed{}."
#define QWEN_TAG "<extra_0>"
#define SHEPHERD_TAG " \xd0\xba\xd0\xb8" /* " ки" */

/* ---- writing --------------------------------------------------------------------------------- */

/* Each step followed by its tag. The tag's own spelling in a step would count as one more. */
static void add_steps(rdv_buf *b, const rdv_request *r, rdv_str tag, const char *heading)
{
    for (size_t i = 0; i < r->n_steps; i++) {
        if (heading)
            rdv_buf_printf(b, "%s%s %zu: ", i ? "\n" : "", heading, i + 1);
        rdv_str rest = r->steps[i];
        for (size_t at; (at = rdv_find(rest, tag, 0)) != RDV_NOT_FOUND;) {
            rdv_buf_add(b, rdv_slice(rest, 0, at));
            rest = rdv_slice(rest, at + tag.len, rest.len);
        }
        rdv_buf_add(b, rest);
        rdv_buf_add(b, tag);
    }
}

static void add_message(rdv_buf *b, const char *role, rdv_str text, bool first)
{
    rdv_buf_printf(b, "%s{\"role\":\"%s\",\"content\":", first ? "" : ",", role);
    rdv_json_text(b, text.p ? text : RDV_STR(""));
    rdv_buf_add_char(b, '}');
}

void reward_write_pairs(rdv_buf *b, const rdv_request *request, rdv_arena *arena)
{
    rdv_buf text;
    rdv_buf_init(&text, arena, 0);
    if (request->prm == RDV_PRM_PAIRS_SHEPHERD) {
        rdv_buf_add(&text, request->text);
        rdv_buf_add_char(&text, ' ');
        add_steps(&text, request, RDV_STR(SHEPHERD_TAG), "Step");
        rdv_buf_lit(b, ",\"input\":");
        rdv_json_text(b, rdv_buf_str(&text));
    } else {
        add_steps(&text, request, RDV_STR(QWEN_TAG), NULL);
        rdv_buf_lit(b, ",\"messages\":[");
        add_message(b, "system", RDV_STR(QWEN_SYSTEM), true);
        add_message(b, "user", request->text, false);
        add_message(b, "assistant", rdv_buf_str(&text), false);
        rdv_buf_add_char(b, ']');
    }
    if (!rdv_buf_ok(&text))
        b->failed = true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool are_chances(double a, double b)
{
    return a >= 0 && b >= 0 && fabs(a + b - 1) < 0.02; /* rounded to 16 bits on the way */
}

/* The chance of "right". Servers that were told to give raw numbers give logits. */
static double reward_of(const json_t *pair, size_t right, bool *logits)
{
    double yes = parse_double(json_array_get(pair, right));
    double no = parse_double(json_array_get(pair, 1 - right));
    if (json_array_size(pair) != 2 || isnan(yes) || isnan(no))
        return NAN;
    if (are_chances(yes, no))
        return yes / (yes + no);
    *logits = true;
    return 1 / (1 + exp(no - yes));
}

int reward_read_pairs(const rdv_request *request, const json_t *list, rdv_arena *arena,
                      rdv_reply *out, rdv_error *err)
{
    const json_t *pairs = json_object_get(json_array_get(list, 0), "data");
    size_t n = json_array_size(pairs), right = request->prm == RDV_PRM_PAIRS_SHEPHERD ? 0 : 1;
    bool logits = false;
    if (!json_is_array(pairs))
        return rdv_fail(err, RDV_E_INPUT, "the reply's data holds no list of pairs");
    double *rewards = RDV_NEW_ARRAY(arena, double, n);
    if (!rewards)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory reading a reply");
    for (size_t i = 0; i < n; i++)
        rewards[i] = reward_of(json_array_get(pairs, i), right, &logits);
    out->rewards = rewards;
    out->n_rewards = n;
    if (logits)
        out->adapted = RDV_STR("pairs taken for logits");
    return RDV_OK;
}
