/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of brackets that steps carry along: each should be the one before with the bracket that the
 * step names put on, or cancelled against its partner. Only where the question is such a run. */
#include "reward/checks.h"

static const char opening[] = "([{<", closing[] = ")]}>";

static bool is_bracket(const token *t)
{
    return t->is == TOKEN_MARK && (strchr(opening, t->text.p[0]) || strchr(closing, t->text.p[0]));
}

static char partner_of(char c)
{
    const char *at = strchr(opening, c);
    if (at)
        return closing[at - opening];
    at = strchr(closing, c);
    return at ? opening[at - closing] : 0;
}

static size_t run_at(const tokens *t, size_t i)
{
    size_t n = 0;
    while (i + n < t->n && is_bracket(&t->of[i + n]) && t->of[i + n].quoted == t->of[i].quoted &&
           (n == 0 || !t->of[i + n - 1].last))
        n++;
    return n;
}

static char *copy_run(const tokens *t, size_t i, size_t n, rdv_arena *arena)
{
    char *run = rdv_alloc(arena, n + 1);
    for (size_t k = 0; run && k < n; k++)
        run[k] = t->of[i + k].text.p[0];
    return run;
}

int check_brackets_begin(brackets *b, const tokens *question, rdv_arena *arena)
{
    size_t best = 0, at = 0, n;
    *b = (brackets){0};
    for (size_t i = 0; i < question->n; i += n ? n : 1) {
        n = run_at(question, i);
        if (n > best) {
            best = n;
            at = i;
        }
    }
    if (best < 2)
        return RDV_OK;
    b->asked = copy_run(question, at, best, arena);
    b->n_asked = best;
    return b->asked ? RDV_OK : RDV_E_NOMEM;
}

static void count(tally *out, bool well)
{
    *(well ? &out->held : &out->broken) += 1;
}

static bool run_is(const tokens *t, size_t i, size_t n, const char *run, size_t n_run)
{
    bool same = n == n_run;
    for (size_t k = 0; k < n && same; k++)
        same = t->of[i + k].text.p[0] == run[k];
    return same;
}

/* "X ; ... : RUN": RUN is the run before with X put on or cancelled, and X is the next asked. */
static int named_step(brackets *b, const tokens *t, rdv_arena *arena, tally *out)
{
    char c = t->of[0].text.p[0];
    size_t from = t->n;
    while (from > 1 && is_bracket(&t->of[from - 1]))
        from--;
    size_t n = t->n - from;
    bool cancels = b->n_run && strchr(closing, c) && b->run[b->n_run - 1] == partner_of(c);
    size_t kept = cancels ? b->n_run - 1 : b->n_run;
    bool well = cancels ? run_is(t, from, n, b->run, kept)
                        : n == kept + 1 && run_is(t, from, kept, b->run, kept) &&
                              t->of[from + kept].text.p[0] == c;
    count(out, well);
    count(out, b->at < b->n_asked && b->asked[b->at] == c);
    b->at++;
    b->began = true;
    b->run = copy_run(t, from, n, arena);
    b->n_run = n;
    return b->run ? RDV_OK : RDV_E_NOMEM;
}

/* Brackets quoted one by one, or listed after "answer is": the run before from its end, as it is or
 * as partners. */
static void listed(const brackets *b, const tokens *t, size_t from, bool quoted, tally *out)
{
    size_t n = 0;
    bool same = true, partners = true;
    for (size_t i = from; i < t->n; i++) {
        if (!is_bracket(&t->of[i]) || t->of[i].quoted != quoted)
            continue;
        char c = t->of[i].text.p[0], due = n < b->n_run ? b->run[b->n_run - 1 - n] : 0;
        same = same && c == due;
        partners = partners && c == partner_of(due);
        n++;
    }
    if (n)
        count(out, n == b->n_run && (same || partners));
}

/* A step that names no bracket: what it says of the run, once all that was asked is named. */
static void closing_step(const brackets *b, const tokens *t, tally *out)
{
    size_t from = t->n, n, quoted = 0;
    bool whole = false;
    for (size_t i = 0; i < t->n; i += n ? n : 1) {
        n = run_at(t, i);
        quoted += n && t->of[i].quoted;
        if (n > 1 && t->of[i].quoted) {
            whole = true;
            count(out, run_is(t, i, n, b->run, b->n_run));
        }
        if (is_word(&t->of[i], "answer") && i + 1 < t->n && is_word(&t->of[i + 1], "is"))
            from = i + 2;
    }
    if (quoted && !whole)
        listed(b, t, 0, true, out);
    if (from < t->n)
        listed(b, t, from, false, out);
    count(out, b->at == b->n_asked);
}

int check_brackets_step(brackets *b, const tokens *step, rdv_arena *arena, tally *out)
{
    *out = (tally){0};
    if (!b->asked || !step->n)
        return RDV_OK;
    if (is_bracket(&step->of[0]) && !step->of[0].quoted)
        return named_step(b, step, arena, out);
    if (b->began)
        closing_step(b, step, out);
    return RDV_OK;
}
