/* SPDX-License-Identifier: Apache-2.0 */
/* What is added to a report: each part is written to the temporary file at once and counted. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/html_markdown.h"
#include "report/html_text.h"
#include "study/study.h"

#include <errno.h>
#include <stdlib.h>

#define FAILED_QUESTION "\xff" /* no id of a question: it is not UTF-8 */

int rdv_html_new(const rdv_html_options *options, rdv_html **out, rdv_error *err)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_html *html = arena ? RDV_NEW(arena, rdv_html) : NULL;
    if (!html) {
        rdv_arena_free(&arena);
        return rdv_no_memory(err);
    }
    *html = (rdv_html){.arena = arena, .options = *options, .failures = HTML_NONE};
    if (html->options.plain_max == 0)
        html->options.plain_max = RDV_HTML_PLAIN_MAX;
    interner_init(&html->ids, arena);
    interner_init(&html->datasets, arena);
    interner_init(&html->methods, arena);
    interner_init(&html->anchors, arena);
    interner_init(&html->stages, arena);
    rdv_study_options study = {.size = sizeof study,
                               .weight = options->weight,
                               .aggregate = options->aggregate,
                               .grading = options->grading};
    int code = rdv_study_new(RDV_STR("evaluation"), &study, arena, &html->study, err);
    html->scratch = code == RDV_OK ? rdv_arena_new(0) : NULL;
    if (!html->scratch) {
        rdv_html_free(&html);
        return code == RDV_OK ? rdv_no_memory(err) : code;
    }
    *out = html;
    return RDV_OK;
}

void rdv_html_free(rdv_html **html)
{
    if (!html || !*html)
        return;
    rdv_arena *arena = (*html)->arena; /* the report lives in it */
    rdv_arena_free(&(*html)->scratch);
    rdv_arena_free(&arena);
    *html = NULL;
}

/* ---- the temporary file ---------------------------------------------------------------------- */

static int spill(rdv_html *html, rdv_str bytes, html_piece *out, rdv_error *err)
{
    if (!bytes.p)
        return rdv_no_memory(err);
    if (bytes.len > UINT32_MAX)
        return rdv_fail(err, RDV_E_LIMIT, "more than 4 GiB of a report in one piece");
    if (bytes.len && fwrite(bytes.p, 1, bytes.len, html->options.spill) != bytes.len)
        return rdv_fail(err, RDV_E_IO, "the report's temporary file cannot be written: %s",
                        strerror(errno));
    html->has_formulas |= rdv_find(bytes, RDV_STR(HTML_FORMULA), 0) != RDV_NOT_FOUND;
    *out = (html_piece){html->spilled, (uint32_t)bytes.len};
    html->spilled += bytes.len;
    return RDV_OK;
}

int html_read(const rdv_html *html, html_piece piece, rdv_arena *arena, rdv_str *out,
              rdv_error *err)
{
    FILE *file = html->options.spill;
    char *bytes = rdv_alloc(arena, piece.size);
    if (!bytes)
        return rdv_no_memory(err);
    if (fseeko(file, (off_t)piece.at, SEEK_SET) != 0 ||
        fread(bytes, 1, piece.size, file) != piece.size)
        return rdv_fail(err, RDV_E_IO, "the report's temporary file cannot be read");
    *out = (rdv_str){bytes, piece.size};
    return RDV_OK;
}

/* ---- questions ------------------------------------------------------------------------------- */

static int find_question(rdv_html *html, rdv_str id, size_t *at, bool *is_new, rdv_error *err)
{
    if (interner_add(&html->ids, id, at) != RDV_OK)
        return rdv_no_memory(err);
    *is_new = *at == html->n_questions;
    if (!*is_new)
        return RDV_OK;
    if (!RDV_PUSH_ROOM(html->arena, html->questions, html->n_questions, html->cap_questions))
        return rdv_no_memory(err);
    html->questions[html->n_questions++] = (html_question){.first = HTML_NONE, .last = HTML_NONE};
    return RDV_OK;
}

static int question_of(rdv_html *html, const rdv_question *question, size_t *at, rdv_arena *scratch,
                       rdv_error *err)
{
    bool is_new;
    int code = find_question(html, question->id, at, &is_new, err);
    if (code != RDV_OK)
        return code;
    html_question *q = &html->questions[*at];
    if (q->head.size)
        return RDV_OK;
    rdv_buf b;
    rdv_buf_init(&b, scratch, 0);
    html_question_head(&b, question);
    return spill(html, rdv_buf_str(&b), &q->head, err);
}

/* ---- entries --------------------------------------------------------------------------------- */

static int add_entry(rdv_html *html, size_t question, const html_entry *entry, rdv_error *err)
{
    html_question *q = &html->questions[question];
    if (html->n == HTML_NONE)
        return rdv_fail(err, RDV_E_LIMIT, "a report has at most 2^32 - 1 chains");
    if (!RDV_PUSH_ROOM(html->arena, html->entries, html->n, html->cap))
        return rdv_no_memory(err);
    uint32_t at = (uint32_t)html->n++;
    html->entries[at] = *entry;
    html->entries[at].next = HTML_NONE;
    if (q->last == HTML_NONE)
        q->first = at;
    else
        html->entries[q->last].next = at;
    q->last = at;
    q->n++;
    return RDV_OK;
}

/* Whether the page itself has an element of that id: its script and its links mean that one. */
static bool is_of_page(rdv_str anchor)
{
    static const char *const ids[] = {"chains", "failed", "figures", "help",     "index",
                                      "keys",   "list",   "method",  "next",     "numbers",
                                      "page",   "pages",  "search",  "previous", "set",
                                      "shown",  "theme",  "tools",   "summary",  "tables"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (rdv_str_eq(anchor, rdv_str_of(ids[i])))
            return true;
    return rdv_starts(anchor, RDV_STR("figure-")) || rdv_starts(anchor, RDV_STR("hatch-"));
}

/* The anchor of a chain: its id, with a number if an earlier chain has the same one, so that links
 * stay the same when chains are added after it. */
static int anchor_of(rdv_html *html, rdv_str id, rdv_arena *scratch, rdv_str *out, rdv_error *err)
{
    rdv_buf b;
    size_t known = html->anchors.n, at;
    rdv_buf_init(&b, scratch, 0);
    html_anchor(&b, id.len ? id : RDV_STR("chain"));
    size_t base = b.len;
    if (is_of_page(rdv_buf_str(&b)))
        rdv_buf_lit(&b, "~~1");
    for (size_t times = 2;; times++) {
        if (!rdv_buf_ok(&b) || interner_add(&html->anchors, rdv_buf_str(&b), &at) != RDV_OK)
            return rdv_no_memory(err);
        if (at == known)
            break;
        b.len = base;
        /* Many chains with one id would be tried one by one: the number of all chains is free. */
        rdv_buf_printf(&b, "~~%zu", times < 8 ? times : html->n + times);
    }
    *out = rdv_buf_str(&b);
    return RDV_OK;
}

/* Add what was written for an entry: its anchor, its HTML and its text for searches. */
static int spill_entry(rdv_html *html, html_entry *entry, rdv_str anchor, const rdv_buf *body,
                       const rdv_buf *text, rdv_error *err)
{
    html_piece pieces[3] = {{0}};
    int code = spill(html, anchor, &pieces[0], err);
    if (code == RDV_OK)
        code = spill(html, rdv_buf_str(body), &pieces[1], err);
    if (code == RDV_OK)
        code = spill(html, rdv_buf_str(text), &pieces[2], err);
    entry->at = pieces[0].at;
    entry->anchor = pieces[0].size;
    entry->html = pieces[1].size;
    entry->text = pieces[2].size;
    return code;
}

static uint16_t number_of(interner *in, rdv_str name, bool *failed)
{
    size_t id;
    if (in->n >= UINT16_MAX) /* all further names share the last number */
        return UINT16_MAX - 1;
    *failed |= interner_add(in, name, &id) != RDV_OK;
    return *failed ? 0 : (uint16_t)id;
}

/* ---- chains ---------------------------------------------------------------------------------- */

static uint16_t flags_of(const rdv_html_chain *chain, const html_found *found,
                         const rdv_grade *grade)
{
    unsigned flags = html_found_flags(found);
    bool wrong = grade->correct == 0 && !grade->untold;
    flags |= grade->correct == 1 ? HTML_ANSWER_RIGHT : wrong ? HTML_ANSWER_WRONG : 0;
    flags |= chain->repaired && chain->repaired->changed ? HTML_CHANGED : 0;
    return (uint16_t)flags;
}

static uint64_t hash_of(rdv_str answer)
{
    uint64_t hash = answer.p ? rdv_hash(answer, 1) : 0;
    return answer.p && hash == 0 ? 1 : hash;
}

static void search_text(rdv_buf *b, const rdv_html_chain *of, const rdv_check *check)
{
    const rdv_chain *chain = of->chain;
    const rdv_str texts[] = {chain->id, chain->question.id, chain->question.text, chain->answer};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (i == 2 && rdv_str_eq(texts[1], texts[2]))
            continue;
        html_plain(b, texts[i]);
        rdv_buf_add_char(b, ' ');
    }
    for (size_t i = 0; i < chain->n_steps; i++) {
        html_plain(b, chain->steps[i]);
        rdv_buf_add_char(b, ' ');
    }
    for (size_t i = 0; check && i < check->n_verdicts; i++) {
        html_plain(b, check->verdicts[i].why);
        rdv_buf_add_char(b, ' ');
    }
}

static int write_chain(rdv_html *html, const rdv_html_chain *chain, const html_found *found,
                       const rdv_grade *grade, html_entry *entry, rdv_arena *scratch,
                       rdv_error *err)
{
    const rdv_chain *of = chain->chain;
    const rdv_check *check = of->n_checks ? &of->checks[of->n_checks - 1] : NULL;
    rdv_buf body, text;
    rdv_str anchor;
    int code = anchor_of(html, of->id, scratch, &anchor, err);
    if (code != RDV_OK)
        return code;
    rdv_buf_init(&body, scratch, 0);
    rdv_buf_init(&text, scratch, 0);
    html_chain(&body, chain, found, grade, anchor, scratch);
    search_text(&text, chain, check);
    return spill_entry(html, entry, anchor, &body, &text, err);
}

/* The figures' own data. A chain that the evaluation does not take has no part in the figures. */
static int add_to_figures(rdv_html *html, const rdv_chain *chain, const rdv_grade *grade,
                          rdv_arena *scratch, rdv_error *err)
{
    rdv_error why = {0};
    int code = study_add_graded(html->study, chain, grade, scratch, &why);
    return code == RDV_E_NOMEM ? rdv_no_memory(err) : RDV_OK;
}

int rdv_html_add_chain(rdv_html *html, const rdv_html_chain *chain, rdv_arena *scratch,
                       rdv_error *err)
{
    const rdv_chain *of = chain->chain;
    const rdv_check *check = of->n_checks ? &of->checks[of->n_checks - 1] : NULL;
    html_entry entry = {0};
    html_found found = html_found_of(chain);
    rdv_grade grade;
    size_t question;
    bool failed = false;
    int code = RDV_OK;
    if (chain->grade)
        grade = *chain->grade;
    else
        code = rdv_grade_chain(of, &html->options.grading, scratch, &grade, err);
    if (code == RDV_OK)
        code = question_of(html, &of->question, &question, scratch, err);
    if (code == RDV_OK)
        code = write_chain(html, chain, &found, &grade, &entry, scratch, err);
    if (code == RDV_OK && chain->repaired)
        code = html_count_repair(html, chain, &grade, scratch, err);
    if (code == RDV_OK)
        code = add_to_figures(html, of, &grade, scratch, err);
    if (code != RDV_OK)
        return code;
    entry.dataset = number_of(&html->datasets, chain->dataset, &failed);
    entry.method =
        number_of(&html->methods, check ? check->method : RDV_STR("not checked"), &failed);
    entry.flags = flags_of(chain, &found, &grade);
    entry.correct = (int8_t)grade.correct;
    entry.answer = hash_of(grade.shown);
    if (failed || html_count_chain(html, chain, &found, &grade) != RDV_OK)
        return rdv_no_memory(err);
    return add_entry(html, question, &entry, err);
}

/* ---- results --------------------------------------------------------------------------------- */

/* The answer of most chains, the first of several; SIZE_MAX: none. */
static size_t majority_of(const rdv_result *result)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < result->n_answers; i++)
        if (result->answers[i].chains &&
            (best == SIZE_MAX || result->answers[i].chains > result->answers[best].chains))
            best = i;
    return best;
}

typedef struct known_answer {
    uint64_t hash;
    int8_t correct;
} known_answer;

static int by_hash(const void *a, const void *b)
{
    uint64_t x = ((const known_answer *)a)->hash, y = ((const known_answer *)b)->hash;
    return (x > y) - (x < y);
}

/* Whether each answer is right, as the chains that gave it say. */
static int8_t *rights_of(const rdv_html *html, const html_question *q, const rdv_result *result,
                         rdv_arena *scratch)
{
    int8_t *right = rdv_alloc(scratch, result->n_answers + 1);
    known_answer *known = RDV_NEW_ARRAY(scratch, known_answer, q->n + 1);
    size_t n = 0;
    if (!right || !known)
        return NULL;
    for (uint32_t e = q->first; e != HTML_NONE; e = html->entries[e].next)
        if (html->entries[e].answer && html->entries[e].correct >= 0)
            known[n++] = (known_answer){html->entries[e].answer, html->entries[e].correct};
    qsort(known, n, sizeof *known, by_hash);
    for (size_t i = 0; i < result->n_answers; i++) {
        known_answer wanted = {.hash = hash_of(result->answers[i].answer)};
        known_answer *found = bsearch(&wanted, known, n, sizeof *known, by_hash);
        bool wins = result->answer.p && rdv_str_eq(result->answers[i].answer, result->answer);
        right[i] = wins ? (int8_t)result->correct : found ? found->correct : -1;
    }
    return right;
}

int rdv_html_add_result(rdv_html *html, const rdv_result *result, rdv_arena *scratch,
                        rdv_error *err)
{
    rdv_question question = {.id = result->question_id};
    size_t at, majority = majority_of(result);
    rdv_buf b;
    int code = question_of(html, &question, &at, scratch, err);
    if (code != RDV_OK)
        return code;
    html_question *q = &html->questions[at];
    int8_t *right = rights_of(html, q, result, scratch);
    if (!right)
        return rdv_no_memory(err);
    q->turned = majority != SIZE_MAX && result->answer.p &&
                !rdv_str_eq(result->answers[majority].answer, result->answer);
    html_count_result(html, result, majority, right, q->turned);
    rdv_buf_init(&b, scratch, 0);
    html_result(&b, result, majority, right);
    return spill(html, rdv_buf_str(&b), &q->result, err);
}

/* ---- failures -------------------------------------------------------------------------------- */

static int failed_question(rdv_html *html, rdv_error *err)
{
    bool is_new;
    size_t at;
    if (html->failures != HTML_NONE)
        return RDV_OK;
    int code = find_question(html, RDV_STR(FAILED_QUESTION), &at, &is_new, err);
    if (code != RDV_OK)
        return code;
    html->failures = (uint32_t)at;
    return spill(html,
                 RDV_STR("<h2 id=\"failed\">Records that could not be read or processed</h2>"
                         "<p class=\"fine\">They have no verdict and count neither as right nor "
                         "as wrong.</p>"),
                 &html->questions[at].head, err);
}

int rdv_html_add_failure(rdv_html *html, rdv_str what, bool unread, rdv_arena *scratch,
                         rdv_error *err)
{
    html_entry entry = {.flags = HTML_FAILED, .correct = -1};
    bool failed = false;
    rdv_str anchor;
    rdv_buf body, text;
    int code = failed_question(html, err);
    if (code == RDV_OK)
        code = anchor_of(html, RDV_STR("failed-record"), scratch, &anchor, err);
    if (code != RDV_OK)
        return code;
    rdv_buf_init(&body, scratch, 0);
    rdv_buf_init(&text, scratch, 0);
    rdv_buf_printf(&body,
                   "<header><span class=\"badge unread\">∅ %s</span></header><p class=\"text\">",
                   unread ? "not read" : "failed");
    html_prose(&body, what);
    rdv_buf_lit(&body, "</p>");
    html_plain(&text, what);
    code = spill_entry(html, &entry, anchor, &body, &text, err);
    if (code != RDV_OK)
        return code;
    html->count.unread += unread;
    html->count.failed += !unread;
    entry.dataset = number_of(&html->datasets, RDV_STR("no data set"), &failed);
    entry.method = number_of(&html->methods, RDV_STR("not checked"), &failed);
    return failed ? rdv_no_memory(err) : add_entry(html, html->failures, &entry, err);
}

void rdv_html_add_tables(rdv_html *html, const rdv_study_tables *tables)
{
    html->tables = *tables;
}
