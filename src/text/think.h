/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Taking apart what a model thought and what it replied. One table (think.c) has the marks of
 * thinking: "<think>...</think>", "[THINK]", "<|channel|>analysis<|message|>", and the like.
 * `of_reply`: the text is the reply to a request of our own; else it is a record's, in which
 * "<reasoning>" holds the solution itself. */
#include <rederive/base.h>

typedef struct think_mark {
    size_t len; /* bytes */
    bool closing;
    bool within; /* it closes only what is open: the same mark also ends a reply */
} think_mark;

/* Whether a mark may begin with that byte. */
static inline bool think_may_begin(char c)
{
    return c == '<' || c == '[' || c == '\xe2';
}
/* Whether one may go on with that byte: "<<2+3=5>>" is none. */
static inline bool think_may_go_on(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '|' || (c & 0x80);
}
/* The mark of thinking that `s` begins with (letter case ignored); false: none. */
bool think_mark_at(rdv_str s, bool of_reply, think_mark *out);
/* Whether what follows a text that ends with `s` could make a mark at its beginning, or a longer
 * one. */
bool think_mark_may_grow(rdv_str s, bool of_reply);
/* The opening or closing mark of row `i` of the table, for tests; p == NULL: it has none. Rows are
 * numbered from 0; the first row without either is behind the last. */
rdv_str think_row(size_t i, bool closing);
/* Whether the closing mark of row `i` closes only what is open. */
bool think_closes_within(size_t i);

/* Whether the text has a mark of thinking. */
bool think_is_marked(rdv_str text, bool of_reply);
/* The text without what was thought. Thinking that is never closed runs to the end of the text; a
 * closing mark that was never opened (templates open it in the prompt) ends thinking that began
 * with the text. What remains is trimmed. *out borrows from `text` where one piece remains, else is
 * a copy in `arena`; untouched on failure. What was thought is in *thinking (NULL: not wanted; len
 * 0: nothing), in `arena`; several pieces are separated by an empty line. Faults: RDV_E_NOMEM. */
int think_split(rdv_str text, bool of_reply, rdv_arena *arena, rdv_str *out, rdv_str *thinking,
                rdv_error *err);
/* What a reply says after all that was thought, trimmed and borrowed: the text behind the last
 * closing mark, up to thinking that is not finished. */
rdv_str think_spoken(rdv_str reply);

/* The text without the marks that end a turn ("<|im_end|>", "<|eot_id|>", "</s>") behind it, and
 * without white space around what was cut; the text itself if there is none. */
rdv_str think_without_end(rdv_str text);
