/* SPDX-License-Identifier: Apache-2.0 */
#include "model/reward.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

#include <math.h>

#define MAX_BODY ((size_t)32 << 20) /* of texts; the prefixes of all steps grow quadratically */
#define QWEN_SYSTEM "Please reason step by step, and put your final answer within \\boxed{}."
#define QWEN_TAG "<extra_0>"
#define SHEPHERD_TAG " \xd0\xba\xd0\xb8" /* " ки" */

/* ---- pairs ----------------------------------------------------------------------------------- */

/* A pair of numbers per step from POST /pooling, which is beside /v1.
 *
 * Request {"model","messages"} or {"model","input"}; response {"object":"list","data":[{"index":0,
 * "object":"pooling","data":[[a,b],...]}],"usage"}: vLLM, PoolingRequest and PoolingResponse in
 * vllm/entrypoints/openai/protocol.py (0.6 to 0.11; later under pooling/), and
 * https://docs.vllm.ai/en/v0.18.1/examples/pooling/pooling/. LMDeploy speaks the same.
 *
 * Qwen2.5-Math-PRM: Qwen2ForProcessRewardModel pools by STEP at token 151651 (<extra_0>) and gives
 * the probabilities (wrong, right); the layout is the model card's. Math-Shepherd: served with
 * {"pooling_type":"STEP","step_tag_id":12902,"returned_token_ids":[648,387]} it gives (right,
 * wrong) at each " ки" (vLLM pull request 9697); the layout is the model card's. */

/* Append the text without occurrences of the tag, each of which would count as an additional tag;
 * the remaining text contains none either. */
static void add_untagged(rdv_buf *b, rdv_str text, rdv_str tag)
{
    size_t from = b->len;
    for (size_t i = 0; i < text.len; i++) {
        rdv_buf_add_char(b, text.p[i]);
        if (rdv_ends(rdv_slice(rdv_buf_str(b), from, b->len), tag))
            b->len -= tag.len;
    }
}

/* Each step followed by its tag. */
static void add_steps(rdv_buf *b, const rdv_request *r, rdv_str tag, const char *heading)
{
    for (size_t i = 0; i < r->n_steps; i++) {
        if (heading)
            rdv_buf_printf(b, "%s%s %zu: ", i ? "\n" : "", heading, i + 1);
        add_untagged(b, r->steps[i], tag);
        rdv_buf_add(b, tag);
    }
}

static void add_message(rdv_buf *b, const char *role, rdv_str text, bool first)
{
    rdv_buf_printf(b, "%s{\"role\":\"%s\",\"content\":", first ? "" : ",", role);
    rdv_json_text(b, text.p ? text : RDV_STR(""));
    rdv_buf_add_char(b, '}');
}

static void write_pairs(rdv_buf *b, const rdv_request *request, rdv_arena *arena)
{
    rdv_buf text, question;
    rdv_buf_init(&text, arena, 0);
    rdv_buf_init(&question, arena, 0);
    if (request->prm == RDV_PRM_PAIRS_SHEPHERD) {
        rdv_buf_add(&text, request->text);
        rdv_buf_add_char(&text, ' ');
        add_steps(&text, request, RDV_STR(SHEPHERD_TAG), "Step");
        rdv_buf_lit(b, ",\"input\":");
        rdv_json_text(b, rdv_buf_str(&text));
    } else {
        add_untagged(&question, request->text, RDV_STR(QWEN_TAG));
        add_steps(&text, request, RDV_STR(QWEN_TAG), NULL);
        rdv_buf_lit(b, ",\"messages\":[");
        add_message(b, "system", RDV_STR(QWEN_SYSTEM), true);
        add_message(b, "user", rdv_buf_str(&question), false);
        add_message(b, "assistant", rdv_buf_str(&text), false);
        rdv_buf_add_char(b, ']');
    }
    if (!rdv_buf_ok(&text) || !rdv_buf_ok(&question))
        b->failed = true;
}

static bool are_chances(double a, double b)
{
    return a >= 0 && b >= 0 && fabs(a + b - 1) < 0.02; /* rounded to 16 bits in transit */
}

/* Read the two numbers of a pair; false: it is not a pair. */
static bool read_pair(const json_t *pair, size_t right, double *yes, double *no)
{
    *yes = parse_double(json_array_get(pair, right));
    *no = parse_double(json_array_get(pair, 1 - right));
    return json_array_size(pair) == 2 && !isnan(*yes) && !isnan(*no);
}

/* Servers configured for raw numbers return logits: then all pairs are logits, even one that
 * happens to add up to 1. */
static bool are_logits(const json_t *pairs, size_t right)
{
    double yes, no;
    for (size_t i = 0; i < json_array_size(pairs); i++)
        if (read_pair(json_array_get(pairs, i), right, &yes, &no) && !are_chances(yes, no))
            return true;
    return false;
}

/* The probability of "right". */
static double reward_of(const json_t *pair, size_t right, bool logits)
{
    double yes, no;
    if (!read_pair(pair, right, &yes, &no))
        return NAN;
    return logits ? 1 / (1 + exp(no - yes)) : yes / (yes + no);
}

static int read_pairs(const rdv_request *request, const json_t *list, rdv_arena *arena,
                      rdv_reply *out, rdv_error *err)
{
    const json_t *pairs = json_object_get(parse_numbered(list), "data");
    size_t n = json_array_size(pairs), right = request->prm == RDV_PRM_PAIRS_SHEPHERD ? 0 : 1;
    bool logits = are_logits(pairs, right);
    if (!json_is_array(pairs))
        return rdv_fail(err, RDV_E_INPUT, "the reply's data holds no list of pairs");
    double *rewards = RDV_NEW_ARRAY(arena, double, n);
    if (!rewards)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++)
        rewards[i] = reward_of(json_array_get(pairs, i), right, logits);
    out->rewards = rewards;
    out->n_rewards = n;
    if (logits)
        out->adapted = RDV_STR("pairs taken for logits");
    return RDV_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A value per token from POST /v1/embeddings; the value at a step's last token is the step's value.
 *
 * Request {"model","input":[TEXT,...]}; response {"object":"list","data":[{"object":"embedding",
 * "index":i,"embedding":[...]}],"usage"}: OpenAI's embeddings, as Skywork's plugin for vLLM serves
 * its Skywork-o1-Open-PRM (https://github.com/SkyworkAI/skywork-o1-prm-inference, README: the score
 * of a text is `data.embedding[-1]`). In the model card a solution is the problem and the steps,
 * one line each, and the reward is the sigmoid of the value.
 *
 * The plugin's own client sends token numbers and picks the ends of steps among the values. Without
 * the model's tokenizer, each prefix that ends with a step is sent as one text of a call, and its
 * last value is used: the model reads from left to right, so text after the step has no effect. In
 * a prefix the line break may form one token with the preceding punctuation mark; the client
 * tokenizes each step separately. */

/* A step must stay one line. */
static void add_line(rdv_buf *b, rdv_str text)
{
    text = rdv_trim(text);
    for (size_t i = 0; i < text.len; i++)
        rdv_buf_add_char(b, text.p[i] == '\n' || text.p[i] == '\r' ? ' ' : text.p[i]);
    rdv_buf_add_char(b, '\n');
}

static void write_values(rdv_buf *b, const rdv_request *request, rdv_arena *arena)
{
    rdv_buf text;
    rdv_buf_init(&text, arena, 0);
    rdv_buf_add(&text, request->text);
    rdv_buf_add_char(&text, '\n');
    rdv_buf_lit(b, ",\"encoding_format\":\"float\",\"input\":[");
    for (size_t i = 0; i < request->n_steps; i++) {
        add_line(&text, request->steps[i]);
        rdv_json_item(b);
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

static int read_values(const json_t *list, rdv_arena *arena, rdv_reply *out, rdv_error *err)
{
    size_t n = json_array_size(list);
    double *rewards = RDV_NEW_ARRAY(arena, double, n);
    if (!rewards)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++)
        rewards[i] = NAN;
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(list, i);
        const json_t *index = json_object_get(one, "index"); /* they may be in any order */
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

/* ---- both ------------------------------------------------------------------------------------ */

static size_t bytes_to_send(const rdv_request *request, bool prefixes)
{
    size_t sum = 0, prefix = request->text.len;
    for (size_t i = 0; i < request->n_steps && sum < MAX_BODY; i++) {
        prefix += request->steps[i].len + 1;
        sum = prefixes ? sum + prefix : prefix;
    }
    return sum;
}

int reward_write(const rdv_request *request, rdv_str name, rdv_arena *arena, wire *out,
                 rdv_error *err)
{
    bool values = request->prm == RDV_PRM_TOKEN_VALUES;
    rdv_buf b;
    if (bytes_to_send(request, values) >= MAX_BODY) {
        (void)rdv_fail(err, RDV_NONE, "the chain is too long for a reward model");
        return RDV_NONE;
    }
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{\"model\":");
    rdv_json_text(&b, name);
    (values ? write_values : write_pairs)(&b, request, arena);
    rdv_buf_add_char(&b, '}');
    out->form = values ? WIRE_VALUES : WIRE_PAIRS;
    out->path = values ? "/embeddings" : "/pooling";
    out->body = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(err);
}

int reward_read(const wire *w, const rdv_request *request, const json_t *root, rdv_arena *arena,
                rdv_reply *out, rdv_error *err)
{
    const json_t *list = json_object_get(root, "data");
    if (!json_is_array(list))
        return rdv_fail(err, RDV_E_INPUT, "the reply has no data");
    out->text = RDV_STR("");
    out->finish = RDV_FINISH_STOP;
    return w->form == WIRE_VALUES ? read_values(list, arena, out, err)
                                  : read_pairs(request, list, arena, out, err);
}
