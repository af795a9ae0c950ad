/* SPDX-License-Identifier: Apache-2.0 */
/* What all programs that follow a trace share: verdicts, the answer, the options. */
#include "task/follow.h"

#include "base/arena.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_WHY 240
#define MAX_SHOWN 60 /* bytes of unread words that a reason names */

static rdv_str say(follow *f, const char *fmt, va_list args)
{
    char line[MAX_WHY];
    int n = vsnprintf(line, sizeof line, fmt, args);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
    if (len == sizeof line - 1)
        while (len && ((unsigned char)line[len] & 0xc0) == 0x80)
            len--; /* not within a character */
    rdv_str out = rdv_str_copy(f->arena, (rdv_str){line, len});
    f->failed |= !out.p;
    return out;
}

static bool proven_wrong(const follow *f)
{
    return f->kind == RDV_CONTRADICT && !f->by_custom;
}

void follow_wrong(follow *f, const char *fmt, ...)
{
    if (proven_wrong(f))
        return;
    va_list args;
    va_start(args, fmt);
    f->kind = RDV_CONTRADICT;
    f->by_custom = false;
    f->why = say(f, fmt, args);
    va_end(args);
}

void follow_off(follow *f, const char *fmt, ...)
{
    if (proven_wrong(f) || (f->unsure && f->kind == RDV_UNKNOWN))
        return;
    va_list args;
    va_start(args, fmt);
    f->kind = f->unsure ? RDV_UNKNOWN : RDV_CONTRADICT;
    f->by_custom = false;
    f->why = f->unsure ? RDV_STR("it rests on a step that could not be read") : say(f, fmt, args);
    va_end(args);
}

void follow_custom(follow *f, const char *fmt, ...)
{
    if (f->kind == RDV_CONTRADICT || (f->unsure && f->kind == RDV_UNKNOWN))
        return;
    va_list args;
    va_start(args, fmt);
    f->kind = f->unsure ? RDV_UNKNOWN : RDV_CONTRADICT;
    f->by_custom = !f->unsure;
    f->why = f->unsure ? RDV_STR("it rests on a step that could not be read") : say(f, fmt, args);
    va_end(args);
}

void follow_unread(follow *f, const char *fmt, ...)
{
    if (f->kind == RDV_CONTRADICT || f->kind == RDV_UNKNOWN)
        return;
    va_list args;
    va_start(args, fmt);
    f->kind = RDV_UNKNOWN;
    f->why = say(f, fmt, args);
    va_end(args);
}

void follow_right(follow *f)
{
    if (f->kind == RDV_UNRELATED)
        f->kind = RDV_SUPPORT;
}

void follow_read(follow *f, rdv_str part)
{
    rdv_str text = f->chain->steps[f->step];
    if (part.len && part.p >= text.p && part.p < text.p + text.len)
        memset(&f->read[part.p - text.p], true, part.len);
}

/* Marks that state nothing between words. Others, such as "?" or "=", are part of what is read. */
static bool is_plain_mark(char c)
{
    return strchr(",.;:()\"", c) != NULL;
}

/* The words from here to what was read. */
static rdv_str unread_words(const follow *f, scan c)
{
    size_t from = c.at;
    while (c.at < c.s.len && !f->read[c.at])
        c.at++;
    return rdv_str_head(rdv_trim(rdv_slice(c.s, from, c.at)), MAX_SHOWN);
}

static bool is_plain(const follow_task *task, scan *c)
{
    static const char *const leads[] = {"so", "hence", "thus", "therefore", "the answer is", NULL};
    return follow_scan_one_of(c, leads) != RDV_NOT_FOUND ||
           follow_scan_one_of(c, task->plain) != RDV_NOT_FOUND;
}

/* "(3)" before a step. */
static void read_step_number(follow *f, rdv_str text)
{
    scan c = {.s = text};
    size_t number;
    if (follow_scan_char(&c, '(') && c.at < text.len && rdv_is_digit(text.p[c.at]) &&
        follow_scan_count(&c, &number) && follow_scan_char(&c, ')'))
        follow_read(f, rdv_slice(text, 0, c.at));
}

/* Support needs that the whole step was read. */
static void look_for_unread(follow *f, const follow_task *task, rdv_str text)
{
    for (scan c = {.s = text}; !follow_scan_end(&c) && f->kind == RDV_SUPPORT;) {
        rdv_str words;
        if (f->read[c.at] || is_plain_mark(text.p[c.at])) {
            c.at++;
        } else if (!is_plain(task, &c)) {
            words = unread_words(f, c);
            follow_unread(f, "could not read \"%.*s\"", RDV_FMT(words));
        }
    }
}

static rdv_verdict verdict_of(follow *f)
{
    rdv_evidence *evidence = NULL;
    if (f->kind == RDV_CONTRADICT && f->by_custom) {
        evidence = rdv_evidence_map(f->arena, NULL, (rdv_str){0});
        f->failed |= !evidence || !rdv_evidence_flag(f->arena, evidence, RDV_STR("custom"), true);
    }
    double score = f->kind == RDV_UNKNOWN ? NAN : f->kind == RDV_CONTRADICT ? 0 : 1;
    return (rdv_verdict){
        .step = f->step, .kind = f->kind, .score = score, .why = f->why, .evidence = evidence};
}

static void judge(const follow_task *task, follow *f, bool wrong_before)
{
    rdv_str text = f->chain->steps[f->step];
    f->kind = wrong_before ? RDV_UNKNOWN : RDV_UNRELATED;
    f->by_custom = false;
    f->why = wrong_before ? RDV_STR("it comes after the first mistake") : (rdv_str){0};
    if (wrong_before)
        return;
    if (text.len > FOLLOW_MAX_TEXT)
        follow_unread(f, "the step is too long to read");
    else {
        memset(f->read, 0, text.len);
        read_step_number(f, text);
        task->step(f, text);
        look_for_unread(f, task, text);
    }
}

static void judge_all(const follow_task *task, follow *f, rdv_verdict *verdicts)
{
    bool wrong = false;
    for (f->step = 0; f->step < f->chain->n_steps && !f->failed; f->step++) {
        judge(task, f, wrong);
        wrong |= f->kind == RDV_CONTRADICT;
        verdicts[f->step] = verdict_of(f);
    }
}

static void not_of_this_task(follow *f, rdv_verdict *verdicts)
{
    f->kind = RDV_UNKNOWN;
    f->why = RDV_STR("the question is not one of this task");
    for (f->step = 0; f->step < f->chain->n_steps; f->step++)
        verdicts[f->step] = verdict_of(f);
}

static size_t longest_step(const rdv_chain *chain)
{
    size_t longest = 1;
    for (size_t i = 0; i < chain->n_steps; i++)
        if (chain->steps[i].len > longest && chain->steps[i].len <= FOLLOW_MAX_TEXT)
            longest = chain->steps[i].len;
    return longest;
}

int follow_chain(const follow_task *task, const rdv_chain *chain, rdv_arena *arena,
                 rdv_verdict *verdicts, rdv_error *err)
{
    follow f = {.chain = chain, .arena = arena};
    f.read = RDV_NEW_ARRAY(arena, bool, longest_step(chain));
    if (!f.read)
        return rdv_no_memory(err);
    bool readable = chain->question.text.p && chain->question.text.len <= FOLLOW_MAX_TEXT;
    int r = readable ? task->open(&f) : RDV_NONE;
    if (r == RDV_OK)
        judge_all(task, &f, verdicts);
    else if (r == RDV_NONE)
        not_of_this_task(&f, verdicts);
    if (task->close && f.state)
        task->close(&f);
    bool memory = r != RDV_E_NOMEM && !f.failed;
    return memory ? RDV_OK : rdv_no_memory(err);
}

/* ---- the answer ------------------------------------------------------------------------------ */

bool follow_answer(rdv_str step, rdv_str *body, rdv_str *answer)
{
    static const char *const leads[] = {"so", "hence", "thus", "therefore"};
    size_t at = rdv_find_last(step, RDV_STR("he answer is"));
    *body = step;
    *answer = (rdv_str){0};
    if (at == RDV_NOT_FOUND || at == 0 || rdv_lower(step.p[at - 1]) != 't')
        return false;
    *answer = rdv_slice(step, at + 12, step.len);
    *answer = rdv_trim(rdv_slice(*answer, 0, rdv_find_char(*answer, '\n', 0)));
    rdv_str before = rdv_trim(rdv_slice(step, 0, at - 1));
    while (before.len && before.p[before.len - 1] == ',')
        before.len--;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        rdv_str lead = rdv_str_of(leads[i]);
        size_t from = before.len >= lead.len ? before.len - lead.len : 0;
        bool whole = from == 0 || !rdv_is_alnum(before.p[from - 1]);
        if (whole && rdv_str_ieq(rdv_slice(before, from, before.len), lead))
            before = rdv_slice(before, 0, from);
    }
    *body = rdv_trim(before);
    return true;
}

size_t follow_letter(rdv_str answer)
{
    answer = rdv_trim(answer);
    bool bracket = answer.len > 2 && answer.p[0] == '(' && answer.p[2] == ')';
    rdv_str rest = rdv_slice(answer, bracket ? 3 : 1, answer.len);
    if (!answer.len || (rest.len && !bracket && rdv_is_alnum(rest.p[0])))
        return RDV_NOT_FOUND;
    char c = bracket ? answer.p[1] : answer.p[0];
    return c >= 'A' && c <= 'Z' ? (size_t)(c - 'A') : RDV_NOT_FOUND;
}

static rdv_str without_stop(rdv_str text)
{
    text = rdv_trim(text);
    while (text.len && text.p[text.len - 1] == '.')
        text.len--;
    return text;
}

void follow_read_letter(follow *f, rdv_str answer, rdv_str option)
{
    answer = rdv_trim(answer);
    size_t end = answer.len && answer.p[0] == '(' ? 3 : 1;
    follow_read(f, rdv_slice(answer, 0, end));
    rdv_str rest = without_stop(rdv_slice(answer, end, answer.len));
    if (follow_scan_same(rest, option))
        follow_read(f, rest);
}

rdv_str follow_option(const rdv_question *question, size_t i)
{
    rdv_str rest = question->text, line;
    if (question->n_options)
        return i < question->n_options ? without_stop(question->options[i]) : (rdv_str){0};
    while (rdv_next_line(&rest, &line)) {
        line = rdv_trim(line);
        if (line.len > 3 && line.p[0] == '(' && line.p[2] == ')' &&
            line.p[1] == (char)('A' + (int)(i < 26 ? i : 0)) && i < 26)
            return without_stop(rdv_slice(line, 3, line.len));
    }
    return (rdv_str){0};
}

rdv_str follow_question(const rdv_question *question)
{
    size_t at = rdv_find(question->text, RDV_STR("Options:"), 0);
    return at == RDV_NOT_FOUND ? question->text : rdv_slice(question->text, 0, at);
}
