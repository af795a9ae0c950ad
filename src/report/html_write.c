/* SPDX-License-Identifier: Apache-2.0 */
/* The document: a page that reads well without its script, and the data for the script. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/html_text.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct page {
    rdv_html *html;
    const rdv_html_run *run;
    const rdv_html_sink *sink;
    rdv_error *err;
    rdv_arena *arena;
    rdv_buf b;
    int code;
} page;

/* Write what is in the buffer. */
static void flush(page *p)
{
    if (p->code == RDV_OK && !rdv_buf_ok(&p->b))
        p->code = rdv_no_memory(p->err);
    if (p->code == RDV_OK && p->b.len)
        p->code = p->sink->write(p->sink->payload, rdv_buf_str(&p->b), p->err);
    rdv_arena_reset(p->arena);
    rdv_buf_init(&p->b, p->arena, 0);
}

static void put(page *p, const char *text)
{
    rdv_buf_add(&p->b, rdv_str_of(text));
}

/* ---- which answers disagree ------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t first_at_least(const uint64_t *hashes, size_t n, uint64_t hash)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hashes[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How often a hash is among the n sorted ones. */
static size_t count_of(const uint64_t *hashes, size_t n, uint64_t hash)
{
    return first_at_least(hashes, n, hash + 1) - first_at_least(hashes, n, hash);
}

/* The answer of most chains, of more than half of the n that have one: it is the middle one. 0: no
 * answer has so many. */
static uint64_t majority_of(const uint64_t *hashes, size_t n)
{
    uint64_t middle = n ? hashes[n / 2] : 0;
    return 2 * count_of(hashes, n, middle) > n ? middle : 0;
}

/* Flag the chains whose answer is not that of the majority. */
static int flag_answers(rdv_html *html, html_question *q, rdv_arena *arena)
{
    uint64_t *hashes = RDV_NEW_ARRAY(arena, uint64_t, q->n + 1);
    size_t n = 0;
    if (!hashes)
        return RDV_E_NOMEM;
    for (uint32_t e = q->first; e != HTML_NONE; e = html->entries[e].next)
        if (html->entries[e].answer)
            hashes[n++] = html->entries[e].answer;
    qsort(hashes, n, sizeof *hashes, by_size);
    uint64_t majority = majority_of(hashes, n);
    for (uint32_t e = q->first; e != HTML_NONE; e = html->entries[e].next) {
        html_entry *entry = &html->entries[e];
        if (majority && entry->answer && entry->answer != majority)
            entry->flags |= HTML_DISAGREES;
        if (q->turned)
            entry->flags |= HTML_TURNED;
    }
    return RDV_OK;
}

static void flag_all(page *p)
{
    for (size_t i = 0; i < p->html->n_questions && p->code == RDV_OK; i++) {
        rdv_arena_reset(p->html->scratch);
        if (flag_answers(p->html, &p->html->questions[i], p->html->scratch) != RDV_OK)
            p->code = rdv_no_memory(p->err);
    }
}

/* ---- the head of the page -------------------------------------------------------------------- */

/* The library that draws formulas is in the pages that have one. */
static bool draws_formulas(const rdv_html *html)
{
    return html->has_formulas && html_katex[0];
}

static void head(page *p)
{
    rdv_buf *b = &p->b;
    put(p,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '");
    put(p, html_css_hash);
    put(p, "'; script-src '");
    put(p, html_js_hash);
    if (draws_formulas(p->html)) {
        put(p, "' '");
        put(p, html_katex_hash);
    }
    put(p, "'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
           "<meta name=\"referrer\" content=\"no-referrer\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n<title>");
    html_text(b, p->run->title);
    rdv_buf_printf(b, " · rederive %s</title>\n<style>", p->run->name);
    put(p, html_css);
    put(p,
        "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#chains\">Skip to the solutions</a>\n"
        "<header class=\"top\"><div class=\"bar\"><h1><span class=\"product\">rederive ");
    put(p, p->run->name);
    put(p, "</span> <span class=\"title\">");
    html_prose(b, p->run->title);
    put(p, "</span></h1><nav aria-label=\"Parts of the report\">");
    if (p->html->tables.n)
        put(p, "<a href=\"#tables\">Tables</a>");
    if (p->html->n)
        put(p, "<a href=\"#chains\">Solutions</a>");
    put(p, "<a href=\"#numbers\">Numbers</a><a href=\"#figures\">Figures</a></nav>"
           "<span class=\"buttons\"><button type=\"button\" id=\"theme\" hidden>Theme</button>"
           "<button type=\"button\" id=\"help\" hidden "
           "aria-label=\"Keyboard shortcuts\">?</button></span></div></header>\n<main>\n"
           "<section id=\"summary\" class=\"first\">");
    html_headline(p->html, p->run, b);
    put(p, "</section>\n");
}

/* ---- chains ---------------------------------------------------------------------------------- */

static void options_of(rdv_buf *b, const interner *in)
{
    for (size_t i = 0; i < in->n; i++) {
        rdv_buf_printf(b, "<option value=\"%zu\">", i);
        html_text(b, in->texts[i].len ? in->texts[i] : RDV_STR("none"));
        rdv_buf_lit(b, "</option>");
    }
}

/* The filters, in the order of their buttons. */
static const struct {
    int flag;
    const char *class, *name, *title;
    bool opens; /* the report opens on the first of these that has a chain */
} all_filters[] = {
    {HTML_WRONG, "wrong", "with wrong steps", "A step is wrong", true},
    {HTML_ANSWER_WRONG, "wrong", "with wrong answers", "By the gold answer", true},
    {HTML_UNREAD, "unread", "with something not read", "A calculation could not be read", true},
    {HTML_UNDECIDED, "undecided", "with something undecided",
     "A step or calculation could not be decided", true},
    {HTML_FAILED, "unread", "failed", "Not read, failed or not finished", true},
    {HTML_CORRECTED, "", "corrected later", "A step was wrong, and the solution corrects it",
     false},
    {HTML_UNUSED, "", "not used", "A step was wrong, and the reply uses nothing of it", false},
    {HTML_DISAGREES, "", "unlike most",
     "The answer is not the one of most solutions of its question", false},
    {HTML_TURNED, "", "of turned votes", "The vote chose another answer than the majority", false},
    {HTML_CHANGED, "", "repaired", "Changed by a repair", false},
    {HTML_RIGHT, "", "no error found",
     "No wrong step, and all was decided of what there is to check", false},
    {HTML_ANSWER_RIGHT, "", "with right answers", "By the gold answer", false},
    {HTML_NOTHING, "", "nothing to check", "No step has anything that the method checks", false},
    {0, "", "all", "Every solution", true}};

#define N_FILTERS (sizeof all_filters / sizeof *all_filters)

static void filters(page *p)
{
    rdv_buf *b = &p->b;
    bool open = false;
    put(p, "<form class=\"tools\" id=\"tools\" hidden><div class=\"filters\" role=\"group\" "
           "aria-label=\"Show\">");
    for (size_t i = 0; i < N_FILTERS; i++) {
        int flag = all_filters[i].flag;
        size_t n = flag ? html_count_flag(p->html, flag) : p->html->n;
        bool opens = n && !open && all_filters[i].opens;
        open |= opens;
        if (n)
            rdv_buf_printf(b,
                           "<button type=\"button\" class=\"%s\" data-flag=\"%d\" "
                           "aria-pressed=\"%s\" title=\"%s\">%s <span class=\"count\">%zu</span>"
                           "</button>",
                           all_filters[i].class, flag, opens ? "true" : "false",
                           all_filters[i].title, all_filters[i].name, n);
    }
    put(p, "</div><label class=\"search\"><span>Search</span><input type=\"search\" id=\"search\" "
           "placeholder=\"question, step, id\" autocomplete=\"off\" spellcheck=\"false\">"
           "</label>");
    if (p->html->datasets.n > 1) {
        put(p, "<label>Data set <select id=\"set\"><option value=\"\">all</option>");
        options_of(b, &p->html->datasets);
        put(p, "</select></label>");
    }
    if (p->html->methods.n > 1) {
        put(p, "<label>Method <select id=\"method\"><option value=\"\">all</option>");
        options_of(b, &p->html->methods);
        put(p, "</select></label>");
    }
    put(p, "<p id=\"shown\" role=\"status\" aria-live=\"polite\"></p></form>"
           "<p class=\"fine\">Steps are counted from 0. A solution stands under each heading that "
           "holds for it.</p>");
}

static void put_piece(page *p, uint64_t at, uint32_t size)
{
    rdv_str bytes;
    if (p->code == RDV_OK)
        p->code = html_read(p->html, (html_piece){at, size}, p->arena, &bytes, p->err);
    if (p->code == RDV_OK)
        rdv_buf_add(&p->b, bytes);
}

static void chain_of(page *p, const html_entry *e, size_t question)
{
    rdv_str anchor;
    p->code = html_read(p->html, (html_piece){e->at, e->anchor}, p->arena, &anchor, p->err);
    if (p->code != RDV_OK)
        return;
    html_article_open(&p->b, e, anchor, question);
    put_piece(p, e->at + e->anchor, e->html);
    put(p, "</article>\n");
    flush(p);
}

static void all_chains(page *p)
{
    for (size_t i = 0; i < p->html->n_questions && p->code == RDV_OK; i++) {
        const html_question *q = &p->html->questions[i];
        put(p, "<section class=\"question\"><div class=\"head\">");
        put_piece(p, q->head.at, q->head.size);
        put_piece(p, q->result.at, q->result.size);
        put(p, "</div>\n");
        for (uint32_t e = q->first; e != HTML_NONE && p->code == RDV_OK;
             e = p->html->entries[e].next)
            chain_of(p, &p->html->entries[e], i);
        put(p, "</section>\n");
        flush(p);
    }
}

static bool is_packed(const rdv_html *html)
{
    return html->n > html->options.plain_max;
}

static void chains(page *p)
{
    if (!p->html->n_questions)
        return;
    put(p, "<section id=\"chains\" class=\"part\"><h2 class=\"hide\">Solutions</h2>");
    if (p->html->n)
        filters(p);
    if (is_packed(p->html)) {
        rdv_buf_printf(
            &p->b,
            "<noscript><p class=\"banner\">This report has %zu solutions, which are packed "
            "in this file: its script shows them. The summary and the figures need no "
            "script.</p></noscript>",
            p->html->n);
        put(p, "<div id=\"list\"></div><nav class=\"pages\" id=\"pages\" aria-label=\"Pages\" "
               "hidden><button type=\"button\" id=\"previous\">Previous</button>"
               "<span id=\"page\"></span><button type=\"button\" id=\"next\">Next</button></nav>");
    } else {
        put(p, "<div id=\"list\">\n");
        all_chains(p);
        put(p, "</div>");
    }
    put(p, "</section>\n");
    flush(p);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void tables(page *p)
{
    if (!p->html->tables.n)
        return;
    put(p, "<section id=\"tables\" class=\"part\"><h2 class=\"part-title\">Tables</h2>");
    html_tables(&p->b, &p->html->tables);
    put(p, "</section>\n");
    flush(p);
}

static void numbers(page *p)
{
    put(p, "<section id=\"numbers\" class=\"part\"><h2 class=\"part-title\">Numbers</h2>");
    html_summary(p->html, p->run, &p->b);
    put(p, "</section>\n");
    flush(p);
}

static void figures(page *p)
{
    put(p, "<section id=\"figures\" class=\"part\"><h2 class=\"part-title\">Figures</h2>"
           "<div class=\"figures\">");
    size_t before = p->b.len;
    if (p->code == RDV_OK)
        p->code = html_figures(p->html, &p->b, p->err);
    if (p->b.len == before)
        put(p, "<p>There is nothing to draw: no figure of this run would have more than a few "
               "points.</p>");
    put(p, "</div></section>\n");
    flush(p);
}

static void end(page *p)
{
    put(p, "</main>\n<footer>Written by <b>rederive</b>. This file is complete in itself: it loads "
           "nothing and sends nothing.</footer>\n"
           "<dialog id=\"keys\" aria-label=\"Keyboard shortcuts\"><h2>Keyboard</h2><dl>"
           "<dt><kbd>j</kbd></dt><dd>next wrong step</dd>"
           "<dt><kbd>k</kbd></dt><dd>previous wrong step</dd>"
           "<dt><kbd>/</kbd></dt><dd>search</dd>"
           "<dt><kbd>e</kbd></dt><dd>open or close the evidence of the marked step</dd>"
           "<dt><kbd>t</kbd></dt><dd>change the theme</dd>"
           "<dt><kbd>?</kbd></dt><dd>this list</dd>"
           "<dt><kbd>Esc</kbd></dt><dd>clear the search, close</dd></dl>"
           "<form method=\"dialog\"><button>Close</button></form></dialog>\n");
    flush(p);
    if (p->code == RDV_OK && is_packed(p->html))
        p->code = html_pack(p->html, p->sink, p->err);
    if (draws_formulas(p->html)) {
        put(p, "<script>");
        put(p, html_katex);
        put(p, "</script>\n");
    }
    put(p, "<script>");
    put(p, html_js);
    put(p, "</script>\n</body>\n</html>\n");
    flush(p);
}

int rdv_html_write(rdv_html *html, const rdv_html_run *run, const rdv_html_sink *sink,
                   rdv_error *err)
{
    page p = {.html = html, .run = run, .sink = sink, .err = err, .arena = rdv_arena_new(0)};
    if (!p.arena)
        return rdv_no_memory(err);
    rdv_buf_init(&p.b, p.arena, 0);
    flag_all(&p);
    head(&p);
    flush(&p);
    tables(&p);
    chains(&p);
    numbers(&p);
    figures(&p);
    end(&p);
    rdv_arena_free(&p.arena);
    return p.code;
}

int rdv_html_write_questions(rdv_html *html, const rdv_html_sink *sink, rdv_error *err)
{
    page p = {.html = html, .sink = sink, .err = err, .arena = rdv_arena_new(0)};
    if (!p.arena)
        return rdv_no_memory(err);
    rdv_buf_init(&p.b, p.arena, 0);
    flag_all(&p);
    all_chains(&p);
    flush(&p);
    rdv_arena_free(&p.arena);
    return p.code;
}

const char *rdv_html_style(void)
{
    return html_css;
}
