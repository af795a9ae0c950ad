/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"
#include "world.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

static uint64_t drawn(const rdv_request *request, uint64_t salt)
{
    return rdv_hash((rdv_str){(const char *)request->key, sizeof request->key}, salt);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* What models say when they do not say what is asked. The last one gives back the API key. */
static const char *const strange[] = {
    "",
    "I cannot help with that.",
    "Yes and no.",
    "<think>Yes. Correct. It supports the conclusion.",
    "banana",
    "Solution 1 supports the conclusion in Solution 2. Wait, no: it contradicts it.",
    "The answer is perhaps 12, or perhaps 13.",
    "Step 1: 3 * 4 = 13.\n\nStep 2: So the answer is 13.",
    "\\boxed{1}",
    "1. Correct\n2. Wrong\n3. Correct",
    "Thank you for the key " API_KEY ".",
};

/* What judges a step or compares two, one way or the other. */
static const char *const judging[] = {
    "Yes",
    "No",
    "The two agree.\nSolution 1 supports the conclusion in Solution 2.",
    "They differ.\nSolution 1 contradicts the conclusion in Solution 2.",
    "Solution 1 is not directly related to the conclusion in Solution 2.",
    "The first mistake is in Thought 2.\n2",
    "There is no mistake.\n\\boxed{-1}",
    "It follows from Step 0 and Information 0.",
    "The step is correct. Answer: Yes",
    "The step is wrong. Answer: No",
};

static rdv_str written_solution(const rdv_request *request, rdv_arena *arena)
{
    uint64_t x = drawn(request, 1);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (uint64_t i = 0; i < 1 + x % 4; i++)
        rdv_buf_printf(&b, "Step %d: We add %d + 5 = %d.\n\n", (int)i + 1, (int)i, (int)i + 5);
    rdv_buf_printf(&b, "Step %d: So the answer is %d.", (int)(2 + x % 4), (int)(x / 7 % 3));
    return rdv_buf_str(&b);
}

static rdv_str written_step(const rdv_request *request, rdv_arena *arena)
{
    uint64_t x = drawn(request, 2);
    if (x % 3 == 0)
        return rdv_str_printf(arena, " So the answer is %d.", (int)(x / 3 % 3));
    return rdv_str_printf(arena, " %d + 5 = %d.", (int)(x / 3 % 9), (int)(x / 3 % 9) + 5);
}

/* A reply of ordinary length that counts as answered, as an estimate supposes it. */
static rdv_str supposed(rdv_plan *plan, const rdv_request *request, rdv_arena *arena)
{
    rdv_reply dry;
    if (!plan || rdv_plan_dry_reply(plan, request, arena, &dry, NULL) != RDV_OK)
        return RDV_STR("4");
    return dry.text;
}

static rdv_str said(rdv_plan *plan, const rdv_request *request, rdv_arena *arena)
{
    uint64_t x = drawn(request, 3) % 100;
    if (!plan)
        return RDV_STR("4");
    if (x < 8)
        return rdv_str_of(strange[drawn(request, 4) % (sizeof strange / sizeof *strange)]);
    if (rdv_starts(request->stage, RDV_STR("repair/")) ||
        rdv_ends(request->stage, RDV_STR("/thought")) || rdv_ends(request->stage, RDV_STR("/step")))
        return written_step(request, arena);
    if (rdv_ends(request->stage, RDV_STR("/generate")) ||
        rdv_starts(request->stage, RDV_STR("solve/")))
        return x < 60 ? written_solution(request, arena) : written_step(request, arena);
    if (x < 45)
        return supposed(plan, request, arena);
    return rdv_str_of(judging[drawn(request, 5) % (sizeof judging / sizeof *judging)]);
}

/* What a server says that keeps to the form which is asked for, and that a reader makes the same of
 * if it was not asked for. */
static rdv_str held(const model_manner *manner, const rdv_request *request, rdv_str text, bool json,
                    rdv_arena *arena)
{
    bool keeps = request->n_answers && (request->bare ? manner->choice : manner->schema);
    rdv_buf b;
    if (!keeps)
        return text;
    rdv_str is = request->answers[drawn(request, 9) % request->n_answers];
    if (request->bare)
        return is;
    rdv_buf_init(&b, arena, 0);
    if (json) {
        rdv_buf_add(&b, request->reasoned ? RDV_STR("{\"reasoning\":\"I looked.\",\"answer\":")
                                          : RDV_STR("{\"answer\":"));
        rdv_json_text(&b, is);
        rdv_buf_lit(&b, "}");
    } else {
        rdv_buf_add(&b, request->reasoned ? RDV_STR("I looked.\n") : RDV_STR(""));
        rdv_buf_add(&b, is);
    }
    return rdv_buf_str(&b);
}

/* How a turn goes on that the assistant began. */
static rdv_str gone_on(const model_manner *manner, const rdv_plan *plan, const rdv_request *request,
                       rdv_str text, rdv_arena *arena)
{
    rdv_str turn = request->messages[request->n_messages - 1].text;
    if (!plan && (manner->turn || manner->back))
        text = RDV_STR("0, 11, 12");
    return manner->back ? rdv_str_printf(arena, "%.*s%.*s", RDV_FMT(turn), RDV_FMT(text)) : text;
}

/* How the server says that the reply ended. */
static const char *finish(const rdv_request *request)
{
    uint64_t x = drawn(request, 6) % 100;
    return x == 0 ? "\"content_filter\"" : x < 4 ? "\"length\"" : "\"stop\"";
}

static double logprob(const rdv_request *request, size_t i)
{
    return -(double)(drawn(request, 100 + i) % 64) / 16;
}

/* ---- members of bodies ----------------------------------------------------------------------- */

static void comma(rdv_buf *b, size_t i)
{
    if (i)
        rdv_buf_add_char(b, ',');
}

static void put_usage(rdv_buf *b, uint64_t prompt, uint64_t completion)
{
    rdv_buf_printf(b, ",\"usage\":{\"prompt_tokens\":%llu,\"completion_tokens\":%llu}",
                   (unsigned long long)prompt, (unsigned long long)completion);
}

/* Log-probabilities of a reply in chat: a turn that is given back is a token, and the rest is. */
static void put_chat_logprobs(rdv_buf *b, const rdv_request *request, rdv_str text, size_t back)
{
    const rdv_str tokens[] = {rdv_slice(text, 0, back), rdv_slice(text, back, text.len)};
    rdv_buf_lit(b, ",\"logprobs\":{\"content\":[");
    for (size_t i = back ? 0 : 1; i < 2; i++) {
        rdv_buf_lit(b, "{\"token\":");
        rdv_json_text(b, tokens[i]);
        rdv_buf_printf(b, ",\"logprob\":%.17g,\"top_logprobs\":[]}%s", logprob(request, 1 - i),
                       i ? "]}" : ",");
    }
}

static rdv_str scored_text(const rdv_request *r)
{
    return r->text.p ? r->text : r->messages[r->n_messages - 1].text;
}

/* Every byte of the scored text is a token. */
static void put_echo(rdv_buf *b, const rdv_request *r)
{
    rdv_str text = scored_text(r);
    rdv_buf_lit(b, ",\"logprobs\":{\"tokens\":[");
    for (size_t i = 0; i < text.len; i++) {
        comma(b, i);
        rdv_json_text(b, rdv_slice(text, i, i + 1));
    }
    rdv_buf_lit(b, "],\"token_logprobs\":[");
    for (size_t i = 0; i < text.len; i++) {
        comma(b, i);
        rdv_buf_printf(b, "%.17g", logprob(r, i));
    }
    rdv_buf_lit(b, "]}");
}

static void put_prompt_logprobs(rdv_buf *b, const rdv_request *r)
{
    rdv_str text = scored_text(r);
    rdv_buf_lit(b, ",\"prompt_logprobs\":[null");
    for (size_t i = 0; i < text.len; i++) {
        rdv_buf_printf(b, ",{\"%zu\":{\"logprob\":%.17g,\"decoded_token\":", i, logprob(r, i));
        rdv_json_text(b, rdv_slice(text, i, i + 1));
        rdv_buf_lit(b, "}}");
    }
    rdv_buf_lit(b, "]");
}

static void put_rewards(rdv_buf *b, const rdv_request *r, bool pairs)
{
    rdv_buf_add(b, pairs ? RDV_STR("{\"data\":[{\"index\":0,\"data\":[") : RDV_STR("{\"data\":["));
    for (size_t i = 0; i < r->n_steps; i++) {
        double reward = (double)(drawn(r, 200 + i) % 100) / 100;
        comma(b, i);
        if (pairs)
            rdv_buf_printf(b, "[%g,%g]", 1 - reward, reward);
        else
            rdv_buf_printf(b, "{\"index\":%zu,\"embedding\":[%g]}", i, reward);
    }
    rdv_buf_add(b, pairs ? RDV_STR("]}]") : RDV_STR("]"));
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static bool has(rdv_str sent, const char *member)
{
    return rdv_find(sent, rdv_str_of(member), 0) != RDV_NOT_FOUND;
}

static void put_stream(rdv_buf *b, const rdv_request *request, rdv_str text, bool chat)
{
    size_t half = text.len / 2;
    while (half && ((unsigned char)text.p[half] & 0xc0) == 0x80)
        half--;
    const rdv_str parts[] = {rdv_slice(text, 0, half), rdv_slice(text, half, text.len)};
    for (size_t i = 0; i < 2; i++) {
        rdv_buf_lit(b, "data: {\"choices\":[{\"index\":0,");
        rdv_buf_add(b, chat ? RDV_STR("\"delta\":{\"content\":") : RDV_STR("\"text\":"));
        rdv_json_text(b, parts[i]);
        rdv_buf_add(b, chat ? RDV_STR("}") : RDV_STR(""));
        rdv_buf_printf(b, ",\"finish_reason\":%s}]}\n\n", i ? finish(request) : "null");
    }
}

/* The bytes that the request is about, whatever the form in which it is sent. */
static uint64_t bytes_of(const rdv_request *r)
{
    uint64_t bytes = r->text.len;
    for (size_t i = 0; i < r->n_messages; i++)
        bytes += r->messages[i].text.len;
    for (size_t i = 0; i < r->n_steps; i++)
        bytes += r->steps[i].len;
    return bytes;
}

/* About so many tokens of 16 bytes, and never more than one of a byte. */
static uint64_t prompt_of(const model_manner *manner, const rdv_request *request)
{
    uint64_t parts = 80 + drawn(request, 7) % 41; /* of 100: texts differ */
    uint64_t bytes = bytes_of(request), tokens = bytes * manner->dense * parts / 1600;
    return tokens < bytes ? tokens : bytes;
}

/* A server keeps to the limit that the request states. Every fourth reply is as long as it may be.
 */
static uint64_t completion_of(const rdv_request *request)
{
    bool writes = request->kind == RDV_REQUEST_CHAT || request->kind == RDV_REQUEST_CONTINUE;
    uint64_t tokens = drawn(request, 8) % 200, most = request->sampling.max_tokens;
    if (!writes)
        return 0;
    return most && (tokens >= most || drawn(request, 11) % 4 == 0) ? most : tokens;
}

bool model_leaves_gap(const model_manner *manner, const rdv_request *request)
{
    return drawn(request, 12) % 100 < manner->gaps;
}

/* What the model says; *back: the bytes of a turn that is given back before it. */
static rdv_str text_of(const model_manner *manner, const model_asked *asked, rdv_str sent,
                       rdv_arena *arena, size_t *back)
{
    const rdv_request *request = asked->request;
    rdv_str text = said(asked->plan, request, arena);
    text = held(manner, request, text, has(sent, "\"response_format\":"), arena);
    *back = 0;
    if (!has(sent, "\"continue_final_message\":true") || has(sent, "\"prompt_logprobs\":"))
        return text;
    *back = manner->back ? request->messages[request->n_messages - 1].text.len : 0;
    return gone_on(manner, asked->plan, request, text, arena);
}

static void put_choice(rdv_buf *b, const model_manner *manner, const model_asked *asked, size_t i,
                       bool chat, rdv_str sent, rdv_arena *arena)
{
    size_t back;
    const rdv_request *request = asked->request;
    rdv_str text = text_of(manner, asked, sent, arena, &back);
    rdv_buf_printf(b, "{\"index\":%zu,", i);
    rdv_buf_add(b, chat ? RDV_STR("\"message\":{\"content\":") : RDV_STR("\"text\":"));
    rdv_json_text(b, text);
    rdv_buf_add(b, chat ? RDV_STR("}") : RDV_STR(""));
    rdv_buf_printf(b, ",\"finish_reason\":%s", finish(request));
    if (has(sent, "\"echo\":true"))
        put_echo(b, request);
    else if (chat && request->sampling.logprobs && has(sent, "\"logprobs\":true"))
        put_chat_logprobs(b, request, text, back);
    rdv_buf_lit(b, "}");
}

static void put_choices(rdv_buf *b, const model_manner *manner, const model_asked *asked, size_t n,
                        bool chat, rdv_str sent, rdv_arena *arena)
{
    rdv_buf_lit(b, "{\"choices\":[");
    for (size_t i = 0; i < n; i++) {
        comma(b, i);
        if (n > 1 && model_leaves_gap(manner, asked[i].request))
            rdv_buf_printf(b, "{\"index\":%zu}", i);
        else
            put_choice(b, manner, &asked[i], i, chat, sent, arena);
    }
    rdv_buf_lit(b, "]");
}

rdv_str model_body(const model_manner *manner, const model_asked *asked, size_t n, rdv_str path,
                   rdv_str sent, rdv_arena *arena, uint64_t *prompt_tokens,
                   uint64_t *completion_tokens)
{
    rdv_buf b;
    const rdv_request *request = asked->request;
    bool chat = rdv_ends(path, RDV_STR("/chat/completions"));
    bool pairs = rdv_ends(path, RDV_STR("/pooling"));
    bool told = drawn(request, 10) % 100 >= manner->untold;
    *prompt_tokens = told ? prompt_of(manner, request) : 0;
    *completion_tokens = 0;
    for (size_t i = 0; told && i < (manner->first ? 1 : n); i++)
        *completion_tokens += completion_of(asked[i].request);
    rdv_buf_init(&b, arena, 0);
    if (pairs || rdv_ends(path, RDV_STR("/embeddings"))) {
        put_rewards(&b, request, pairs);
    } else if (has(sent, "\"stream\":true")) {
        size_t back;
        put_stream(&b, request, text_of(manner, asked, sent, arena, &back), chat);
        rdv_buf_lit(&b, "data: {\"choices\":[]");
        if (told)
            put_usage(&b, *prompt_tokens, *completion_tokens);
        rdv_buf_lit(&b, "}\n\ndata: [DONE]\n\n");
        return rdv_buf_str(&b);
    } else {
        put_choices(&b, manner, asked, n, chat, sent, arena);
        if (has(sent, "\"prompt_logprobs\":"))
            put_prompt_logprobs(&b, request);
    }
    if (told)
        put_usage(&b, *prompt_tokens, *completion_tokens);
    rdv_buf_lit(&b, "}");
    return rdv_buf_str(&b);
}
