/* SPDX-License-Identifier: Apache-2.0 */
/* Taking out what a reasoning model thought aloud before its reply. */
#include "text/think.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* ---- the marks ------------------------------------------------------------------------------- */

/* How models mark what they think, where no server takes it out. Letter case does not matter.
 * `open` and `close`: NULL: none. `to`: a mark goes on to this text where it is near: gpt-oss
 * writes the format of a message between. A row `of_replies` is read in the replies that we asked
 * for alone: data sets write solutions in the same form. A row `within` closes only what is open,
 * because the same mark also ends a reply.
 *
 * Sources: the reasoning parsers of vLLM (https://docs.vllm.ai/en/latest/api/vllm/reasoning/),
 * which name the families; for gpt-oss https://github.com/ggml-org/llama.cpp/pull/15181. */
static const struct row {
    const char *open, *close, *to;
    bool of_replies, within;
} rows[] = {
    /* DeepSeek-R1, Qwen3, GLM-4.5, MiniMax-M2, Kimi K2, Nemotron, OLMo 3, Hunyuan, ERNIE 4.5 */
    {"<think>", "</think>", NULL, false, false},
    {"<thinking>", "</thinking>", NULL, false, false},  /* as many prompts ask for it */
    {"<thought>", "</thought>", NULL, false, false},    /* EXAONE Deep, Gemini's OpenAI address */
    {"<reasoning>", "</reasoning>", NULL, true, false}, /* what was trained as in TRL's examples */
    {"<seed:think>", "</seed:think>", NULL, false, false},                 /* Seed-OSS */
    {"[THINK]", "[/THINK]", NULL, false, false},                           /* Magistral */
    {"\u25c1think\u25b7", "\u25c1/think\u25b7", NULL, false, false},       /* Kimi-VL, Kimi-Dev */
    {"<|open|>think<|sep|>", "<|close|>think<|sep|>", NULL, false, false}, /* Kimi K3 */
    {"<|START_THINKING|>", "<|END_THINKING|>", NULL, false, false},        /* Command A */
    {"<|begin_of_thought|>", "<|end_of_thought|>", NULL, false, false},    /* Sky-T1 */
    {"<|inner_prefix|>", "<|inner_suffix|>", NULL, false, false},          /* Apertus */
    {"<|channel>thought", "<channel|>", NULL, false, false},               /* Gemma 4 */
    {"<unused94>thought", "<unused95>", NULL, false, false},               /* MedGemma */
    {"<|channel|>analysis", "<|channel|>final", "<|message|>", false, false}, /* gpt-oss */
    {"<|channel|>commentary", NULL, "<|message|>", false, false},             /* gpt-oss */
    {"<|start|>assistant", "<|end|>", NULL, true, true},                      /* gpt-oss */
};

#define NEAR 64 /* bytes between a mark and its `to` */

/* gpt-oss where a decoder has dropped the marks: "analysisWe need ... assistantfinalYes." */
#define BARE_OPEN RDV_STR("analysis")
#define BARE_CLOSE RDV_STR("assistantfinal")

/* How templates end a turn: some servers leave it in the reply. */
static const char *const ends[] = {
    "<|im_end|>",                              /* ChatML: Qwen, SmolLM2, Yi */
    "<|eot_id|>",                              /* Llama 3 */
    "<|eom_id|>",                              /* Llama 3.1 */
    "<|eot|>",                                 /* Llama 4 */
    "<|end_of_text|>",                         /* Llama 3, Granite */
    "<|endoftext|>",                           /* GPT-2, Qwen, Phi */
    "<|end|>",                                 /* Phi, gpt-oss */
    "<|return|>",                              /* gpt-oss */
    "<|endofturn|>",                           /* EXAONE */
    "[|endofturn|]",                           /* EXAONE */
    "<|END_OF_TURN_TOKEN|>",                   /* Command A */
    "<|END_RESPONSE|>",                        /* Command A */
    "<end_of_turn>",                           /* Gemma */
    "<turn|>",                                 /* Gemma 4 */
    "<eos>",                                   /* Gemma */
    "</s>",                                    /* Llama 2, Mistral */
    "<seed:eos>",                              /* Seed-OSS */
    "<\uff5cend\u2581of\u2581sentence\uff5c>", /* DeepSeek */
};

/* The bytes of `s` of a mark of that length, with what it goes on to. */
static size_t mark_bytes(rdv_str s, const struct row *row, size_t len)
{
    rdv_str near = rdv_slice(s, len, s.len < len + NEAR ? s.len : len + NEAR);
    size_t to = row->to ? rdv_find(near, rdv_str_of(row->to), 0) : RDV_NOT_FOUND;
    return to == RDV_NOT_FOUND ? len : len + to + strlen(row->to);
}

/* Does `s`, which is not empty, begin with `mark`? No mark begins with a letter, so its first byte
 * has no case; most texts differ there, or in the second, which is `second` in lower case. */
static inline bool begins_with(rdv_str s, char second, const char *mark)
{
    return mark && s.p[0] == *mark && second == rdv_lower(mark[1]) &&
           rdv_istarts(s, rdv_str_of(mark));
}

bool think_mark_at(rdv_str s, bool of_reply, think_mark *out)
{
    char second = rdv_lower(rdv_char_at(s, 1));
    if (!s.len || !think_may_begin(s.p[0]) || !think_may_go_on(second))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        bool opens = begins_with(s, second, row->open);
        bool closes = begins_with(s, second, row->close);
        if ((!opens && !closes) || (row->of_replies && !of_reply))
            continue;
        size_t len = strlen(opens ? row->open : row->close);
        *out = (think_mark){mark_bytes(s, row, len), closes, closes && row->within};
        return true;
    }
    return false;
}

/* Is `s` the beginning of `mark`, or the mark with less behind it than is looked at for `to`? */
static bool may_become(rdv_str s, const char *mark, const char *to)
{
    if (!mark)
        return false;
    rdv_str whole = rdv_str_of(mark);
    if (s.len < whole.len)
        return rdv_istarts(whole, s);
    return to && rdv_istarts(s, whole) && s.len < whole.len + NEAR &&
           rdv_find(s, rdv_str_of(to), whole.len) == RDV_NOT_FOUND;
}

bool think_mark_may_grow(rdv_str s, bool of_reply)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        if (row->of_replies && !of_reply)
            continue;
        if (may_become(s, row->open, row->to) || may_become(s, row->close, row->to))
            return true;
    }
    return false;
}

rdv_str think_row(size_t i, bool closing)
{
    const char *mark = i >= sizeof rows / sizeof *rows ? NULL
                       : closing                       ? rows[i].close
                                                       : rows[i].open;
    return mark ? rdv_str_of(mark) : (rdv_str){0};
}

bool think_closes_within(size_t i)
{
    return rows[i].within;
}

rdv_str think_without_end(rdv_str text)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        rdv_str rest = rdv_trim(text);
        if (!rdv_ends(rest, rdv_str_of(ends[i])))
            continue;
        text = rdv_slice(rest, 0, rest.len - strlen(ends[i]));
        i = SIZE_MAX; /* from the first again */
    }
    return text;
}

/* ---- a text with marks ----------------------------------------------------------------------- */

typedef struct tag {
    size_t begin, end; /* bytes of the text */
    bool closing, within;
} tag;

typedef struct scanner {
    rdv_str text;
    bool of_reply, bare;
    size_t at;
} scanner;

static scanner scan(rdv_str text, bool of_reply)
{
    rdv_str head = rdv_trim(text), open = BARE_OPEN;
    char next = head.len > open.len ? head.p[open.len] : ' ';
    bool bare = of_reply && rdv_starts(head, open) &&
                ((next >= 'A' && next <= 'Z') || rdv_find(head, BARE_CLOSE, 0) != RDV_NOT_FOUND);
    return (scanner){text, of_reply, bare, 0};
}

static bool next_tag(scanner *s, tag *out)
{
    think_mark mark;
    for (size_t i = s->at; i < s->text.len; i++) {
        if (!think_may_begin(s->text.p[i]) && !s->bare)
            continue;
        rdv_str rest = rdv_slice(s->text, i, s->text.len);
        if (s->bare && rdv_starts(rest, BARE_CLOSE))
            mark = (think_mark){BARE_CLOSE.len, true, false};
        else if (!think_mark_at(rest, s->of_reply, &mark))
            continue;
        *out = (tag){i, i + mark.len, mark.closing, mark.within};
        s->at = i + mark.len;
        return true;
    }
    return false;
}

bool think_is_marked(rdv_str text, bool of_reply)
{
    scanner s = scan(text, of_reply);
    tag t;
    return s.bare || next_tag(&s, &t);
}

rdv_str think_spoken(rdv_str text)
{
    scanner s = scan(text, true);
    size_t begin = 0, end = s.bare ? 0 : text.len;
    tag t;
    while (next_tag(&s, &t)) {
        bool inside = end < text.len || (s.bare && end == 0);
        if (t.closing && (inside || !t.within)) {
            begin = t.end;
            end = text.len;
        } else if (!t.closing && !inside) {
            end = t.begin;
        }
    }
    return rdv_trim(rdv_slice(text, begin, end < begin ? begin : end));
}

/* Add a piece of thinking on lines of its own, so that the steps of two pieces stay apart. What
 * gpt-oss writes between its messages is no part of it. */
static void add_thought(rdv_buf *thought, rdv_str piece)
{
    rdv_str turn = RDV_STR("<|start|>assistant");
    piece = rdv_trim(piece);
    if (rdv_ends(piece, turn))
        piece = rdv_slice(piece, 0, piece.len - turn.len);
    piece = rdv_trim(think_without_end(piece));
    if (thought->len && piece.len)
        rdv_buf_lit(thought, "\n\n");
    rdv_buf_add(thought, piece);
}

int think_split(rdv_str text, bool of_reply, rdv_arena *arena, rdv_str *out, rdv_str *thinking,
                rdv_error *err)
{
    rdv_buf before, thought, so_far; /* so_far: both, in their order */
    rdv_buf_init(&before, arena, 0);
    rdv_buf_init(&thought, arena, 0);
    rdv_buf_init(&so_far, arena, 0);
    scanner s = scan(text, of_reply);
    tag t;
    size_t keep = 0;
    bool inside = s.bare;
    if (s.bare)
        keep = (size_t)(rdv_trim(text).p - text.p) + BARE_OPEN.len;
    while (next_tag(&s, &t)) {
        rdv_str piece = rdv_slice(text, keep, t.begin);
        if (!inside && t.closing && t.within)
            continue;
        add_thought(&so_far, piece);
        if (inside) { /* a second opening says nothing new */
            add_thought(&thought, piece);
        } else if (t.closing) { /* opened in the prompt, or closed twice: all so far was thought */
            rdv_buf_clear(&before);
            rdv_buf_clear(&thought);
            rdv_buf_add(&thought, rdv_buf_str(&so_far));
        } else {
            rdv_buf_add(&before, piece);
        }
        keep = t.end;
        inside = !t.closing;
    }
    if (inside)
        add_thought(&thought, rdv_slice(text, keep, text.len));
    rdv_str last = inside ? rdv_slice(text, text.len, text.len) : rdv_slice(text, keep, text.len);
    bool several = rdv_trim(rdv_buf_str(&before)).len > 0;
    if (several)
        rdv_buf_add(&before, last);
    if (!rdv_buf_ok(&before) || !rdv_buf_ok(&thought) || !rdv_buf_ok(&so_far))
        return rdv_no_memory(err);
    *out = rdv_trim(several ? rdv_buf_str(&before) : last);
    if (thinking)
        *thinking = rdv_buf_str(&thought);
    return RDV_OK;
}
