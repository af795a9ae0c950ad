/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Every kind of failed, empty or hostile reply that the oracle (unread.c) gives to every method.
 * Each is made from a reply that would support, so that reading it is seen. */
#include "../unit/test.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "model/wire.h"

#include <math.h>
#include <rederive/plan.h>

#define NO_FAILURE (-1)
#define STOPS "\"stop\""

typedef enum spoilt {
    SPOILT_CALL,   /* no body comes: `failure` */
    SPOILT_BODY,   /* `body`, whatever was asked; "%" stands for the supporting text as JSON */
    SPOILT_REPLY,  /* the supporting reply, with what the other members say */
    SPOILT_TEXT,   /* another text, whole by the server's word */
    SPOILT_NUMBERS /* as SPOILT_REPLY, with other log-probabilities or rewards */
} spoilt;

typedef struct kind {
    const char *name;
    spoilt is;
    int failure;         /* rdv_failure; NO_FAILURE */
    const char *body;    /* SPOILT_BODY, SPOILT_TEXT, SPOILT_NUMBERS: that, a text, a number */
    const char *content; /* JSON in place of the content; "%" stands for the text as JSON */
    const char *finish;  /* JSON; NULL: stop; "": left out */
    const char *beside;  /* members of the message, of the choice, of the whole: ",..." */
    const char *in_choice, *in_root;
    const char *index; /* of the choice; NULL: 0 */
    const char *second; /* another choice: ",{...}" */
    bool keeps;   /* in the form of the schema that was asked for: the first answer supports */
    bool quoted;  /* SPOILT_TEXT: "%" stands for the supporting text as JSON */
    bool thought; /* SPOILT_TEXT: "%" stands for the supporting text, all of which is thought */
    bool cut_off; /* whole for one token and for scores */
} kind;

#define CALL(name, failure)                                                                        \
    {                                                                                              \
        name, SPOILT_CALL, failure                                                                 \
    }
#define BODY(name, body)                                                                           \
    {                                                                                              \
        name, SPOILT_BODY, NO_FAILURE, body                                                        \
    }
#define TEXT(name, text)                                                                           \
    {                                                                                              \
        name, SPOILT_TEXT, NO_FAILURE, text                                                        \
    }
#define ENDS(name, reason)                                                                         \
    {                                                                                              \
        name, SPOILT_REPLY, NO_FAILURE, .finish = reason                                           \
    }
#define ECHO "\1" /* SPOILT_TEXT: what was asked */
#define LONG "\2" /* SPOILT_TEXT: 100 kB of "a" */
#define USED "\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":1000}"

static const kind kinds[] = {
    CALL("HTTP 500", RDV_FAIL_UNREACHABLE),
    CALL("HTTP 429 forever", RDV_FAIL_UNREACHABLE),
    CALL("a time-out", RDV_FAIL_TIMEOUT),
    CALL("HTTP 400", RDV_FAIL_REFUSED),
    CALL("HTTP 206", RDV_FAIL_UNREADABLE),
    CALL("no such ability", RDV_FAIL_UNAVAILABLE),
    CALL("no such reply in the transcript", RDV_FAIL_MISSING),
    BODY("truncated JSON", "{\"choices\":[{\"message\":{\"content\":\"Yes"),
    BODY("an empty body", ""),
    BODY("HTML", "<html><body>yes, correct, supports</body></html>"),
    BODY("deep JSON", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["),
    BODY("null", "null"),
    BODY("an error in a 200", "{\"error\":{\"message\":\"busy\"}}"),
    BODY("no choices", "{\"choices\":[],\"data\":[]," USED "}"),
    BODY("usage only", "{" USED "}"),
    {"an error beside the choices", SPOILT_REPLY, NO_FAILURE,
     .in_root = ",\"error\":{\"message\":\"busy\"}"},
    {"an error in the choice", SPOILT_REPLY, NO_FAILURE,
     .in_choice = ",\"error\":{\"message\":\"busy\"}", .in_root = ",\"error\":\"busy\""},
    {"a choice of another index", SPOILT_REPLY, NO_FAILURE, .index = "1"},
    {"null content", SPOILT_REPLY, NO_FAILURE, .content = "null"},
    {"a content that is a number", SPOILT_REPLY, NO_FAILURE, .content = "1"},
    {"thinking parts only", SPOILT_REPLY, NO_FAILURE,
     .content = "[{\"type\":\"thinking\",\"text\":%},{\"type\":\"reasoning\",\"text\":%}]"},
    {"a refusal part", SPOILT_REPLY, NO_FAILURE,
     .content = "[{\"type\":\"text\",\"text\":%},{\"type\":\"refusal\",\"refusal\":\"No.\"}]",
     .finish = "\"refusal\""},
    {"a refusal", SPOILT_REPLY, NO_FAILURE, .beside = ",\"refusal\":\"I cannot.\"",
     .finish = "\"content_filter\""},
    ENDS("finish content_filter", "\"content_filter\""),
    ENDS("finish error", "\"error\""),
    ENDS("finish null", "null"),
    ENDS("finish empty", "\"\""),
    ENDS("finish missing", ""),
    ENDS("finish tool_calls", "\"tool_calls\""),
    ENDS("finish a number", "0"),
    ENDS("finish an unknown word", "\"enough\""),
    {"finish length", SPOILT_REPLY, NO_FAILURE, .finish = "\"length\"", .cut_off = true},
    {"finish max_tokens", SPOILT_REPLY, NO_FAILURE, .finish = "\"max_tokens\"", .cut_off = true},
    TEXT("empty content", ""),
    TEXT("white space", " \n\t\n "),
    TEXT("unclosed thinking", "<think>Yes. Correct. It supports the conclusion. +"),
    TEXT("only thinking", "<think>Yes. Correct. Solution 1 supports Solution 2.</think>"),
    TEXT("banana", "banana"),
    TEXT("the prompt again", ECHO),
    TEXT("a question", "Is it correct?"),
    TEXT("a refusal in words", "I cannot help with that."),
    TEXT("another language", "Das kann ich dir leider nicht sagen."),
    TEXT("100 kB of a", LONG),
    TEXT("control characters", "\x1b[31m\x01\x02\x7f"),
    TEXT("braces", "}{"),
    TEXT("a number", "99999999999999999999"),
    {"no numbers", SPOILT_NUMBERS, NO_FAILURE, ""},
    {"null for numbers", SPOILT_NUMBERS, NO_FAILURE, "null"},
    {"texts for numbers", SPOILT_NUMBERS, NO_FAILURE, "\"1\""},
    {"a number too many", SPOILT_NUMBERS, NO_FAILURE, "+"},
    {"a number too few", SPOILT_NUMBERS, NO_FAILURE, "-"},
};

#define N_KINDS (sizeof kinds / sizeof *kinds)

/* Texts that endorse nothing, though an endorsing word stands in them. */
static const kind denials[] = {
    TEXT("asked and denied", "Is the step correct? No."),
    TEXT("asked and denied of solutions",
         "Does Solution 1 support the conclusion in Solution 2? No."),
    TEXT("correct value", "Correct: 5. The student wrote 6."),
    TEXT("retracted", "Solution 1 supports the conclusion in Solution 2. Wait, no: 5 is not 6."),
    TEXT("called false", "It is false that the solution is correct."),
    TEXT("lacks support", "The conclusion in Solution 2 lacks support."),
    TEXT("yes and no", "Yes and no."),
    TEXT("right and wrong", "The step is correct and wrong."),
    TEXT("supports and contradicts",
         "Solution 1 supports and contradicts the conclusion in Solution 2."),
    TEXT("an empty list", "[]"), /* of calculations that are there */
};

#define N_DENIALS (sizeof denials / sizeof *denials)

/* ---- bodies ---------------------------------------------------------------------------------- */

/* `pattern` with the text, as JSON, at each "%". */
static void put_pattern(rdv_buf *b, const char *pattern, rdv_str text)
{
    for (const char *p = pattern; *p; p++) {
        if (*p == '%')
            rdv_json_text(b, text);
        else
            rdv_buf_add_char(b, *p);
    }
}

static void put(rdv_buf *b, const char *json)
{
    if (json)
        rdv_buf_add(b, rdv_str_of(json));
}

/* How many numbers are sent where `n` are due. */
static size_t sent(const kind *k, size_t n)
{
    const char *say = k->is == SPOILT_NUMBERS ? k->body : NULL;
    return !say ? n : *say == '+' ? n + 1 : *say == '-' ? n - 1 : *say ? n : 0;
}

/* The number itself, or what stands in its place. */
static const char *number(const kind *k, const char *good)
{
    const char *say = k->is == SPOILT_NUMBERS ? k->body : good;
    return *say == '+' || *say == '-' || !*say ? good : say;
}

static void put_rewards(rdv_buf *b, const kind *k, const wire *w, const rdv_request *r)
{
    bool pairs = w->form == WIRE_PAIRS;
    rdv_buf_printf(b, pairs ? "{\"data\":[{\"index\":%s,\"data\":[" : "{\"data\":[",
                   k->index ? k->index : "0");
    for (size_t i = 0; i < sent(k, r->n_steps); i++) {
        rdv_buf_add(b, i ? RDV_STR(",") : RDV_STR(""));
        if (pairs)
            rdv_buf_printf(b, "[%s,%s]", number(k, "0.1"), number(k, "0.9"));
        else
            rdv_buf_printf(b, "{\"index\":%zu,\"embedding\":[%s]}", i, number(k, "5"));
    }
    rdv_buf_add(b, pairs ? RDV_STR("]}]") : RDV_STR("]"));
    put(b, k->in_root);
    rdv_buf_add_char(b, '}');
}

static rdv_str scored_text(const rdv_request *r)
{
    return r->text.p ? r->text : r->messages[r->n_messages - 1].text;
}

/* Every byte of the text is a token, but for the last where one too few is wanted. */
static void put_echo(rdv_buf *b, const kind *k, const rdv_request *r)
{
    rdv_str text = scored_text(r);
    size_t n = sent(k, text.len);
    put(b, ",\"logprobs\":{\"tokens\":[");
    for (size_t i = 0; i < n; i++) {
        rdv_buf_add(b, i ? RDV_STR(",") : RDV_STR(""));
        rdv_json_text(b, i < text.len ? rdv_slice(text, i, i + 1) : RDV_STR("x"));
    }
    put(b, "],\"token_logprobs\":[");
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(b, "%s%s", i ? "," : "", number(k, "-0.1"));
    put(b, "]}");
}

static void put_prompt_logprobs(rdv_buf *b, const kind *k, const rdv_request *r)
{
    rdv_str text = scored_text(r);
    put(b, ",\"prompt_logprobs\":[null");
    for (size_t i = 0; i < sent(k, text.len); i++) {
        rdv_buf_printf(b, ",{\"%zu\":{\"logprob\":%s,\"decoded_token\":", i, number(k, "-0.1"));
        rdv_json_text(b, i < text.len ? rdv_slice(text, i, i + 1) : RDV_STR("x"));
        put(b, "}}");
    }
    put(b, "]");
}

static rdv_str text_of(const kind *k, const wire *w, const rdv_request *r, rdv_str supporting,
                       rdv_arena *arena)
{
    rdv_buf b;
    if (k->keeps && (w->uses & ABILITY_BIT(ABILITY_SCHEMA))) {
        rdv_buf_init(&b, arena, 0);
        rdv_buf_lit(&b, "{\"reasoning\":\"I looked.\",\"answer\":");
        rdv_json_text(&b, r->answers[0]);
        rdv_buf_lit(&b, "}");
        return rdv_buf_str(&b);
    }
    if (k->is != SPOILT_TEXT)
        return supporting;
    if (k->quoted) {
        rdv_buf_init(&b, arena, 0);
        put_pattern(&b, k->body, supporting);
        return rdv_buf_str(&b);
    }
    if (k->thought) {
        size_t mark = strcspn(k->body, "%");
        return rdv_str_printf(arena, "%.*s%.*s%s", (int)mark, k->body, RDV_FMT(supporting),
                              k->body + mark + 1);
    }
    if (*k->body == *ECHO && k->body[0])
        return r->n_messages ? r->messages[r->n_messages - 1].text : r->text;
    if (*k->body != *LONG || !k->body[0])
        return rdv_str_of(k->body);
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < 100000; i++)
        rdv_buf_add_char(&b, 'a');
    return rdv_buf_str(&b);
}

/* The body of a reply of that kind to `w`. */
static rdv_str body_of(const kind *k, const wire *w, const rdv_request *r, rdv_str supporting,
                       rdv_arena *arena)
{
    rdv_str text = text_of(k, w, r, supporting, arena);
    bool rewards = w->form == WIRE_PAIRS || w->form == WIRE_VALUES;
    bool of_text =
        w->form == WIRE_COMPLETIONS || w->form == WIRE_ECHO || w->form == WIRE_SCORE_TEXT;
    bool other = k->is == SPOILT_TEXT;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (k->is == SPOILT_BODY) {
        put_pattern(&b, k->body, text);
        return rdv_buf_str(&b);
    }
    /* Rewards have no end that could be said: only what fails as a whole is asked of them. */
    if (rewards && !other && !k->finish && !k->content && (!k->index || w->form == WIRE_PAIRS)) {
        put_rewards(&b, k, w, r);
        return rdv_buf_str(&b);
    }
    rdv_buf_printf(&b, "{\"choices\":[{\"index\":%s,", k->index ? k->index : "0");
    put(&b, of_text ? "\"text\":" : "\"message\":{\"content\":");
    put_pattern(&b, k->content ? k->content : "%", text);
    if (!of_text) {
        put(&b, k->beside);
        put(&b, "}");
    }
    if (!k->finish || *k->finish)
        rdv_buf_printf(&b, ",\"finish_reason\":%s", k->finish ? k->finish : STOPS);
    if (w->form == WIRE_ECHO && !other && !k->content)
        put_echo(&b, k, r);
    put(&b, k->in_choice);
    put(&b, "}");
    put(&b, k->second);
    put(&b, "]");
    if ((w->form == WIRE_SCORE_CHAT || w->form == WIRE_SCORE_TEXT) && !other && !k->content)
        put_prompt_logprobs(&b, k, r);
    put(&b, k->in_root);
    put(&b, "}");
    return rdv_buf_str(&b);
}
