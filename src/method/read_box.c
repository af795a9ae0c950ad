/* SPDX-License-Identifier: Apache-2.0 */
/* The index that a critic puts in \boxed{}. */
#include "method/read.h"

#include "base/str.h"
#include "method/read_sentences.h"
#include "method/read_words.h"

/* The whole number in the box that opens at byte `at` of `s`: behind "boxed". */
static bool number_in_box(rdv_str s, size_t at, long *out)
{
    size_t end = rdv_find_char(rdv_slice(s, 0, at + 32), '}', at);
    if (at >= s.len || s.p[at] != '{' || end == RDV_NOT_FOUND)
        return false;
    rdv_str number = rdv_trim(rdv_slice(s, at + 1, end));
    bool negative = rdv_starts(number, RDV_STR("-"));
    number = rdv_trim(rdv_slice(number, negative, number.len));
    if (number.len == 0 || number.len > 9)
        return false;
    long n = 0;
    for (size_t i = 0; i < number.len; i++) {
        if (!rdv_is_digit(number.p[i]))
            return false;
        n = n * 10 + (number.p[i] - '0');
    }
    *out = negative ? -n : n;
    return true;
}

static int paper(rdv_str reply, long *out)
{
    size_t at = rdv_find_last(reply, RDV_STR("\\boxed{"));
    return at != RDV_NOT_FOUND && number_in_box(reply, at + 6, out) ? RDV_OK : RDV_NONE;
}

typedef struct boxes {
    long index;
    bool any, unlike; /* unlike: boxes of this sentence differ, or one holds no number */
} boxes;

static void add_box(boxes *b, rdv_str sentence, size_t at)
{
    long n = 0;
    bool number = number_in_box(sentence, at, &n);
    b->unlike |= !number || (b->any && n != b->index);
    b->any = true;
    b->index = n;
}

/* What a sentence claims is `found`, unless a later one takes it back. */
static void follow(boxes *found, read_sentence *sentence)
{
    boxes here = {0};
    read_word w;
    bool amiss = sentence->asked, retracts = false;
    while (read_next_said(sentence, &w)) {
        bool box = read_in(w.text, "boxed");
        if (w.does == READ_RETRACTS) {
            here = (boxes){0};
            retracts = true;
        } else if (box && !w.idle && !w.denied && !sentence->asked) {
            add_box(&here, sentence->text, sentence->at);
        }
        amiss |= w.does == READ_CONTRASTS && here.any;
        amiss |= w.does == READ_OBJECTS && (here.any || read_in(w.before, "is was that's not"));
    }
    if (retracts || amiss)
        *found = (boxes){0};
    if (here.any && !amiss)
        *found = here;
}

static int robust(rdv_str reply, long *out)
{
    read_window w;
    read_sentence sentence;
    boxes found = {0};
    read_window_of_tail(&w, reply);
    while (read_next_sentence(&w, &sentence))
        follow(&found, &sentence);
    if (!found.any || found.unlike)
        return RDV_NONE;
    *out = found.index;
    return RDV_OK;
}

int read_boxed(rdv_str reply, rdv_profile profile, long *out)
{
    reply = read_spoken(reply);
    return profile == RDV_ROBUST ? robust(reply, out) : paper(reply, out);
}
