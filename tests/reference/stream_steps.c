/* SPDX-License-Identifier: Apache-2.0 */
/* For stream_steps.py: texts on standard input, each behind its length in bytes and a newline. Each
 * is cut into pieces in every way of the mode, and its steps compared with those of the text that
 * comes whole, and with rdv_split_steps(). Prints counts, or the first text that differs.
 *
 *     stream_steps bytes|cuts|cost|judge       bytes: in single bytes, and at each byte in two
 *                                        cuts: in single bytes, and in drawn pieces
 *                                        cost: how long single bytes and drawn pieces take
 *                                        judge: how long each judgement of strict streams takes, of
 *                                        pieces of four bytes
 */
#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "decide/claim.h"
#include "judge/judgement.h"
#include "model/reply_readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct counts {
    size_t texts, bytes, same, finer, one_step, held, too_long;
    double single_s, drawn_s;
    double *judged_ms; /* of each judgement, n_judged of them */
    size_t n_judged, cap_judged;
} counts;

#define PIECE 4 /* bytes, about a token */

static void stop(const char *why, rdv_str text)
{
    printf("%s\n%.*s\n", why, RDV_FMT(text));
    exit(1);
}

/* Whether what is decided of the pieces so far is the beginning of what the whole text has. */
static void compare(const step_stream *got, const step_stream *whole, rdv_str text)
{
    if (got->n > whole->n)
        stop("more steps than in the whole text:", text);
    size_t i = got->n ? got->n - 1 : 0; /* those before were compared when they were decided */
    for (; i < got->n; i++)
        if (got->steps[i].end != whole->steps[i].end ||
            !rdv_str_eq(got->steps[i].text, whole->steps[i].text))
            stop("a step that ends elsewhere in the whole text:", text);
}

static step_stream begin(rdv_arena *arena)
{
    step_stream s;
    step_stream_init(&s, RDV_SPLIT_MAX_STEPS, arena);
    return s;
}

static bool read_to(step_stream *s, rdv_str text, size_t at)
{
    rdv_error err;
    int rc = step_stream_read(s, rdv_slice(text, 0, at), at == text.len, &err);
    if (rc != RDV_OK && rc != RDV_E_LIMIT)
        stop(err.msg, text);
    return rc == RDV_OK;
}

static void in_pieces(rdv_str text, size_t most, const step_stream *whole, rdv_rng *rng)
{
    rdv_arena *arena = rdv_arena_new(0);
    step_stream s = begin(arena);
    for (size_t at = 0; at < text.len;) {
        at += most == 1 ? 1 : 1 + rdv_rng_below(rng, most);
        at = at < text.len ? at : text.len;
        if (!read_to(&s, text, at))
            stop("a piece cannot be held, though the whole text can:", text);
        if (whole)
            compare(&s, whole, text);
    }
    if (whole && s.n != whole->n)
        stop("fewer steps than in the whole text:", text);
    rdv_arena_free(&arena);
}

static void at_each_byte(rdv_str text, const step_stream *whole)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t at = 0; at < text.len; at++) {
        rdv_arena_reset(arena);
        step_stream s = begin(arena);
        read_to(&s, text, at);
        compare(&s, whole, text);
        read_to(&s, text, text.len);
        compare(&s, whole, text);
        if (s.n != whole->n)
            stop("fewer steps than in the whole text:", text);
    }
    rdv_arena_free(&arena);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Against rdv_split_steps(). */
static void count(counts *c, rdv_str text, const step_stream *whole, rdv_arena *arena)
{
    rdv_steps steps;
    rdv_error err;
    size_t n = 0;
    bool same = true;
    if (rdv_split_steps(text, NULL, arena, &steps, &err) != RDV_OK)
        stop(err.msg, text);
    for (size_t i = 0; i < whole->n; i++) {
        if (whole->steps[i].text.len == 0)
            continue;
        same = same && n < steps.n && rdv_str_eq(whole->steps[i].text, steps.text[n]);
        n++;
    }
    same = same && n == steps.n;
    c->same += same;
    c->finer += !same && n > steps.n;
    c->one_step += n <= 1;
    step_stream s = begin(arena);
    rdv_error ignored;
    (void)step_stream_read(&s, text, false, &ignored);
    c->held += n > 1 && s.n == 0;
}

static void add_time(counts *c, double ms)
{
    if (c->n_judged == c->cap_judged) {
        c->cap_judged = c->cap_judged ? c->cap_judged * 2 : 1024;
        c->judged_ms = realloc(c->judged_ms, c->cap_judged * sizeof *c->judged_ms);
        if (!c->judged_ms)
            exit(2);
    }
    c->judged_ms[c->n_judged++] = ms;
}

/* As a strict stream: a judgement whenever a step has ended. What is unknown does not end it. */
static void judge_pieces(rdv_str text, counts *c)
{
    rdv_arena *arena = rdv_arena_new(0), *scratch = rdv_arena_new(0);
    judge_rule rule = judge_rule_default();
    reply_choices reply;
    stepwise steps;
    judgement j;
    rdv_error err;
    int code;
    bool more, ended = false;
    rule.mode = JUDGE_STRICT;
    rule.admits_unknown = true;
    reply_choices_init(&reply, REPLY_CHAT, arena);
    stepwise_init(&steps, arena);
    reply_choice_read *choice = reply_choice(&reply, 0, &code, &err);
    if (!choice)
        stop(err.msg, text);
    for (size_t at = 0; !ended; at += PIECE) {
        uint64_t from = calculator_thread_ns();
        ended = at + PIECE >= text.len;
        reply_add_text(choice, rdv_slice(text, at, ended ? text.len : at + PIECE));
        choice->finish = ended ? RDV_STR("stop") : (rdv_str){0};
        if (stepwise_read(&steps, &reply, ended, &more, &err) != RDV_OK)
            break;
        if (!more && !ended)
            continue;
        rdv_arena_reset(scratch);
        if (judgement_of_steps(&reply, &steps, ended, (rdv_str){0}, &rule, NULL, scratch, &j,
                               &err) != RDV_OK)
            stop(err.msg, text);
        add_time(c, (double)(calculator_thread_ns() - from) * 1e-6);
    }
    rdv_arena_free(&arena);
    rdv_arena_free(&scratch);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void show_times(counts *c)
{
    if (!c->n_judged)
        return;
    size_t last = c->n_judged - 1;
    qsort(c->judged_ms, c->n_judged, sizeof *c->judged_ms, by_size);
    printf("judgements %zu p50_ms %.2f p99_ms %.2f most_ms %.2f\n", c->n_judged,
           c->judged_ms[last / 2], c->judged_ms[last * 99 / 100], c->judged_ms[last]);
    free(c->judged_ms);
}

static void try_text(const char *mode, rdv_str text, rdv_rng *rng, counts *c)
{
    rdv_arena *arena = rdv_arena_new(0);
    step_stream whole = begin(arena);
    c->texts++;
    c->bytes += text.len;
    if (!read_to(&whole, text, text.len)) {
        c->too_long++;
    } else if (mode[0] == 'b') {
        in_pieces(text, 1, &whole, rng);
        at_each_byte(text, &whole);
    } else if (mode[0] == 'j') {
        judge_pieces(text, c);
    } else if (mode[1] == 'u') {
        in_pieces(text, 1, &whole, rng);
        for (size_t most = 4; most <= 256; most *= 4)
            in_pieces(text, most, &whole, rng);
    } else {
        double from = seconds();
        in_pieces(text, 1, NULL, rng);
        c->single_s += seconds() - from;
        from = seconds();
        in_pieces(text, 8, NULL, rng);
        c->drawn_s += seconds() - from;
    }
    count(c, text, &whole, arena);
    rdv_arena_free(&arena);
}

int main(int argc, char **argv)
{
    counts c = {0};
    rdv_rng rng;
    size_t n;
    rdv_rng_seed(&rng, 1);
    while (argc == 2 && scanf("%zu", &n) == 1) {
        char *text = malloc(n + 1);
        if (!text || getchar() != '\n' || fread(text, 1, n, stdin) != n)
            return 2;
        try_text(argv[1], (rdv_str){text, n}, &rng, &c);
        free(text);
    }
    printf("texts %zu bytes %zu same %zu finer %zu one_step %zu held %zu too_long %zu "
           "single_ns %.1f drawn_ns %.1f\n",
           c.texts, c.bytes, c.same, c.finer, c.one_step, c.held, c.too_long,
           c.single_s * 1e9 / (double)(c.bytes + 1), c.drawn_s * 1e9 / (double)(c.bytes + 1));
    show_times(&c);
    return c.texts ? 0 : 2;
}
