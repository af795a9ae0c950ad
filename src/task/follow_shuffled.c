/* SPDX-License-Identifier: Apache-2.0 */
/* `shuffled-objects`: who has what after each swap.
 *
 * A step that names swaps carries them out, and they must be the next ones; one that only lists
 * what people have carries out the next swap. Each that is listed must have what the swaps give. A
 * step that lists more than one person must list both that swap, and must not drop one whom the
 * list before had, unless it lists only those that swap. */
#include "task/follow_shuffled.h"

static int open_shuffled(follow *f)
{
    shuffle *s = RDV_NEW(f->arena, shuffle);
    if (!s)
        return RDV_E_NOMEM;
    f->state = s;
    return follow_shuffle_read_question(follow_question(&f->chain->question), s) ? RDV_OK
                                                                                 : RDV_NONE;
}

static void carry_out(shuffle *s, shuffle_swap swap)
{
    size_t thing = s->has[swap.a];
    s->has[swap.a] = s->has[swap.b];
    s->has[swap.b] = thing;
    s->done++;
}

static bool same_swap(shuffle_swap x, shuffle_swap y)
{
    return (x.a == y.a && x.b == y.b) || (x.a == y.b && x.b == y.a);
}

static void do_swaps(follow *f, shuffle *s, const shuffle_said *said)
{
    for (size_t i = 0; i < said->n_swaps; i++) {
        if (s->done == s->n_swaps) {
            follow_off(f, "all %zu swaps were made before", s->n_swaps);
            return;
        }
        shuffle_swap next = s->swaps[s->done];
        if (!same_swap(next, said->swaps[i])) {
            follow_off(f, "the next swap is that of %.*s and %.*s", RDV_FMT(s->names[next.a]),
                       RDV_FMT(s->names[next.b]));
            return;
        }
        carry_out(s, next);
        follow_right(f);
    }
}

static void judge_claims(follow *f, const shuffle *s, const shuffle_said *said)
{
    for (size_t i = 0; i < said->n_claims; i++) {
        const shuffle_claim *c = &said->claims[i];
        if (c->thing == SHUFFLE_NOBODY)
            follow_unread(f, "\"%.*s\" is nothing that the question names", RDV_FMT(c->said));
        else if (s->has[c->who] != c->thing)
            follow_off(f, "%.*s should have \"%.*s\", not \"%.*s\"", RDV_FMT(s->names[c->who]),
                       RDV_FMT(s->things[s->has[c->who]]), RDV_FMT(s->things[c->thing]));
        else
            follow_right(f);
    }
}

/* Is everybody listed who should be? `from`: the first swap that this step made. */
static void judge_list(follow *f, shuffle *s, const shuffle_said *said, size_t from)
{
    bool listed[SHUFFLE_MAX_PEOPLE] = {0}, swaps[SHUFFLE_MAX_PEOPLE] = {0}, others = false;
    size_t n = 0;
    for (size_t i = 0; i < said->n_claims; i++)
        listed[said->claims[i].who] = true;
    for (size_t i = from; i < s->done; i++)
        swaps[s->swaps[i].a] = swaps[s->swaps[i].b] = true;
    for (size_t i = 0; i < s->n; i++) {
        n += listed[i];
        others |= listed[i] && !swaps[i];
    }
    for (size_t i = 0; i < s->n && n > 1; i++)
        if (!listed[i] && (swaps[i] || (others && s->listed[i])))
            follow_custom(f, "%.*s is left out", RDV_FMT(s->names[i]));
    if (n > 1)
        memcpy(s->listed, listed, sizeof listed);
}

static void read_answer(follow *f, const shuffle *s, rdv_str answer)
{
    size_t letter = follow_letter(answer), thing;
    rdv_str named = letter == RDV_NOT_FOUND ? answer : follow_option(&f->chain->question, letter);
    if (!named.len) {
        follow_wrong(f, "it gives no answer");
        return;
    }
    thing = follow_shuffle_thing(s, named);
    if (letter != RDV_NOT_FOUND)
        follow_read_letter(f, answer, named);
    else if (thing != SHUFFLE_NOBODY)
        follow_shuffle_read_thing(f, s, answer, thing);
    if (s->done < s->n_swaps)
        follow_off(f, "%zu swaps are not made yet", s->n_swaps - s->done);
    else if (thing == SHUFFLE_NOBODY)
        follow_unread(f, "the answer is none of the options");
    else if (thing != s->has[s->asked])
        follow_off(f, "%.*s should have \"%.*s\"", RDV_FMT(s->names[s->asked]),
                   RDV_FMT(s->things[s->has[s->asked]]));
    else
        follow_right(f);
}

static void read_body(follow *f, shuffle *s, rdv_str body, const shuffle_said *said)
{
    size_t before = s->done;
    bool at_start = rdv_istarts(body, RDV_STR("At the start")) ||
                    rdv_istarts(body, RDV_STR("In the beginning")) ||
                    (f->step == 0 && !said->n_swaps);
    bool at_end =
        rdv_istarts(body, RDV_STR("At the end")) || rdv_istarts(body, RDV_STR("In the end"));
    do_swaps(f, s, said);
    if (at_start && before)
        follow_off(f, "it is not the start any more");
    if (at_end && s->done < s->n_swaps)
        follow_off(f, "%zu swaps are not made yet", s->n_swaps - s->done);
    if (!said->n_swaps && !at_start && !at_end && said->n_claims) {
        if (s->done == s->n_swaps)
            at_end = true; /* the last state once more */
        else
            carry_out(s, s->swaps[s->done]);
    }
    judge_claims(f, s, said);
    if (said->unread.len)
        follow_unread(f, "what it says of \"%.*s\" could not be read", RDV_FMT(said->unread));
    if (!at_end)
        judge_list(f, s, said, before);
    if (!said->n_swaps && !said->n_claims) {
        follow_unread(f, "it neither swaps nor says who has what");
        f->unsure |=
            f->step > 0 || follow_shuffle_names_somebody(s, body); /* a swap in other words */
    } else if (said->n_swaps && f->kind == RDV_SUPPORT) {
        f->unsure = false; /* back in step */
    }
}

static void step_shuffled(follow *f, rdv_str text)
{
    shuffle *s = f->state;
    shuffle_said said;
    rdv_str body, answer;
    bool concludes = follow_answer(text, &body, &answer);
    if (body.len) {
        follow_shuffle_read_step(f, s, body, &said);
        read_body(f, s, rdv_trim(body), &said);
    }
    if (concludes)
        read_answer(f, s, answer);
}

static const char *const plain[] = {
    "at the start", "in the beginning", "at the end", "in the end", "first", "then",
    "next",         "finally",          "and",        NULL};

const follow_task follow_shuffled = {.open = open_shuffled, .step = step_shuffled, .plain = plain};
