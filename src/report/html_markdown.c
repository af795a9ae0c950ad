/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html_markdown.h"

#include "base/str.h"
#include "report/html_text.h"
#include "text/block.h"

#define MAX_DEPTH 4    /* of emphasis in emphasis */
#define MAX_RUN 3      /* of the marks of one emphasis */
#define MAX_TICKS 4    /* of the marks of inline code */
#define MAX_INDENTS 5  /* of lists in lists that are told apart */
#define MAX_COLUMNS 40 /* a table with more is text */
#define MAX_HEADING 6  /* levels of headings */
#define MAX_NUMBER 4   /* digits before the dot of a list */

typedef struct md {
    rdv_buf *b;
    rdv_str text;
    rdv_blocks blocks; /* of the text, for display maths */
    const rdv_span *marks;
    size_t n_marks, mark; /* the first mark that is not yet behind what was written */
    const char *close;    /* the tags that end the open block; NULL: none is open */
    bool item;            /* it is a list, with an open item */
} md;

/* ---- text, marked ---------------------------------------------------------------------------- */

/* Write bytes of the text; those within a mark are marked. */
static void leaf(md *m, size_t from, size_t to)
{
    while (from < to) {
        while (m->mark < m->n_marks && m->marks[m->mark].end <= from)
            m->mark++;
        const rdv_span *mark = m->mark < m->n_marks ? &m->marks[m->mark] : NULL;
        bool inside = mark && mark->begin <= from;
        size_t end = inside ? mark->end : mark ? mark->begin : to;
        end = end < to ? end : to;
        if (inside)
            rdv_buf_lit(m->b, "<mark>");
        html_prose(m->b, rdv_slice(m->text, from, end));
        if (inside)
            rdv_buf_lit(m->b, "</mark>");
        from = end;
    }
}

/* ---- formulas -------------------------------------------------------------------------------- */

static bool is_display(rdv_str formula)
{
    return rdv_starts(formula, RDV_STR("$$")) || rdv_starts(formula, RDV_STR("\\[")) ||
           rdv_starts(formula, RDV_STR("\\begin"));
}

static bool is_any_of(char c, const char *all)
{
    return c && strchr(all, c);
}

/* Does a mark cover all of a formula but its delimiters and the point behind it? */
static bool is_covered(md *m, size_t from, size_t to)
{
    static const char around[] = "$\\()[] \t\n";
    rdv_str text = m->text;
    while (m->mark < m->n_marks && m->marks[m->mark].end <= from)
        m->mark++;
    if (m->mark == m->n_marks)
        return false;
    const rdv_span *mark = &m->marks[m->mark];
    while (from < to && from < mark->begin && is_any_of(text.p[from], around))
        from++;
    while (to > from && to > mark->end &&
           (is_any_of(text.p[to - 1], around) || is_any_of(text.p[to - 1], ".,;")))
        to--;
    return from < to && mark->begin <= from && to <= mark->end;
}

/* Its source. The script draws it, and leaves the source where a mark is inside. */
static void formula(md *m, size_t from, size_t to)
{
    bool covered = is_covered(m, from, to);
    if (covered)
        rdv_buf_lit(m->b, "<mark>");
    rdv_buf_add(m->b, is_display(rdv_slice(m->text, from, to)) ? RDV_STR(HTML_FORMULA " block\">")
                                                               : RDV_STR(HTML_FORMULA "\">"));
    if (covered)
        html_prose(m->b, rdv_slice(m->text, from, to));
    else
        leaf(m, from, to);
    rdv_buf_lit(m->b, "</span>");
    if (covered)
        rdv_buf_lit(m->b, "</mark>");
}

/* The byte after the formula that begins at `at` and ends before `to`, or `at`. */
static size_t formula_end(md *m, size_t at, size_t to)
{
    char c = m->text.p[at];
    if (c != '$' && c != '\\')
        return at;
    size_t end = text_block_end(&m->blocks, at);
    if (end == at)
        end = text_inline_end(rdv_slice(m->text, 0, to), at, NULL);
    return end <= to && html_is_plain(rdv_slice(m->text, at, end)) ? end : at;
}

/* ---- emphasis and code ----------------------------------------------------------------------- */

/* What is read as one line, and what is known of it. */
typedef struct stretch {
    md *m;
    size_t from, to;
    int depth;                        /* of emphasis around it */
    bool no_code[MAX_TICKS + 1];      /* so many ticks close no more */
    bool no_emphasis[2][MAX_RUN + 1]; /* so many "_", or "*", close no more */
} stretch;

static size_t run_of(rdv_str text, size_t at, size_t to)
{
    size_t end = at;
    while (end < to && text.p[end] == text.p[at])
        end++;
    return end - at;
}

/* A letter, a digit or a bracket: what may stand on the left, or on the right, of a product. */
static bool is_factor(char c, char bracket)
{
    return rdv_is_alnum(c) || c == bracket;
}

/* May `n` marks at `at` open emphasis, or else close it? Those in 2*3, 2**3 and 5 *3 do neither,
 * nor do those in a_b. */
static bool is_flank(const stretch *l, size_t at, size_t n, bool opens)
{
    const char *p = l->m->text.p;
    char left = at > l->from ? p[at - 1] : ' ', right = at + n < l->to ? p[at + n] : ' ';
    char outer = opens ? left : right, inner = opens ? right : left;
    if (rdv_is_space(inner))
        return false;
    if (is_factor(left, ')') && (is_factor(right, '(') || right == '\\'))
        return false;
    if (p[at] == '_')
        return !((unsigned char)outer & 0x80) && !rdv_is_alnum(outer);
    bool product = opens && left == ' ' && at >= l->from + 2 &&
                   (rdv_is_digit(p[at - 2]) || p[at - 2] == ')') &&
                   (rdv_is_digit(right) || right == '(');
    return !product;
}

/* The byte after the code that begins at `at`, or `at`. */
static size_t code_end(stretch *l, size_t at)
{
    rdv_str text = l->m->text;
    size_t n = text.p[at] == '`' ? run_of(text, at, l->to) : 0;
    if (n == 0 || n > MAX_TICKS || l->no_code[n])
        return at;
    for (size_t i = at + n, run; i < l->to; i += run) {
        run = text.p[i] == '`' ? run_of(text, i, l->to) : 1;
        if (run == n && text.p[i] == '`')
            return i + n;
    }
    l->no_code[n] = true;
    return at;
}

/* The byte after a formula, code or an escaped sign at `at`, in which nothing else begins; or
 * `at`. */
static size_t whole_end(stretch *l, size_t at)
{
    size_t end = formula_end(l->m, at, l->to);
    if (end > at)
        return end;
    return l->m->text.p[at] == '\\' && at + 1 < l->to ? at + 2 : code_end(l, at);
}

/* Where the `n` marks stand that close the emphasis begun at `at`, or RDV_NOT_FOUND. */
static size_t closing(stretch *l, size_t at, size_t n)
{
    rdv_str text = l->m->text;
    for (size_t i = at + n, end; i < l->to; i = end) {
        end = whole_end(l, i);
        if (end > i)
            continue;
        bool is_mark = text.p[i] == text.p[at];
        end = i + (is_mark || text.p[i] == '`' ? run_of(text, i, l->to) : 1);
        if (is_mark && end - i == n && is_flank(l, i, n, false))
            return i;
    }
    return RDV_NOT_FOUND;
}

static void inline_text(md *m, size_t from, size_t to, int depth);

/* Write the emphasis that begins at `at`, after the text from `done` on; the byte after it, or
 * `at`. */
static size_t emphasis(stretch *l, size_t done, size_t at)
{
    static const char *const tags[MAX_RUN + 1][2] = {[1] = {"<em>", "</em>"},
                                                     [2] = {"<strong>", "</strong>"},
                                                     [3] = {"<strong><em>", "</em></strong>"}};
    md *m = l->m;
    bool star = m->text.p[at] == '*';
    size_t n = star || m->text.p[at] == '_' ? run_of(m->text, at, l->to) : 0;
    if (n == 0 || n > MAX_RUN || l->depth == MAX_DEPTH || l->no_emphasis[star][n] ||
        !is_flank(l, at, n, true))
        return at;
    size_t close = closing(l, at, n);
    if (close == RDV_NOT_FOUND) {
        l->no_emphasis[star][n] = true;
        return at;
    }
    leaf(m, done, at);
    rdv_buf_add(m->b, rdv_str_of(tags[n][0]));
    inline_text(m, at + n, close, l->depth + 1);
    rdv_buf_add(m->b, rdv_str_of(tags[n][1]));
    return close + n;
}

/* The same for code and formulas. */
static size_t whole(stretch *l, size_t done, size_t at)
{
    md *m = l->m;
    size_t end = formula_end(m, at, l->to);
    if (end > at) {
        leaf(m, done, at);
        formula(m, at, end);
        return end;
    }
    end = code_end(l, at);
    if (end == at)
        return at;
    size_t n = run_of(m->text, at, end);
    leaf(m, done, at);
    rdv_buf_lit(m->b, "<code>");
    leaf(m, at + n, end - n);
    rdv_buf_lit(m->b, "</code>");
    return end;
}

static bool is_special(char c)
{
    return c == '*' || c == '_' || c == '`' || c == '$' || c == '\\';
}

static void inline_text(md *m, size_t from, size_t to, int depth)
{
    stretch l = {.m = m, .from = from, .to = to, .depth = depth};
    size_t done = from;
    for (size_t i = from; i < to;) {
        if (!is_special(m->text.p[i])) {
            i++;
            continue;
        }
        size_t end = whole(&l, done, i);
        if (end == i)
            end = emphasis(&l, done, i);
        if (end > i) {
            done = i = end;
            continue;
        }
        bool escape = m->text.p[i] == '\\';
        i += escape ? (i + 1 < to ? 2 : 1) : run_of(m->text, i, to);
    }
    leaf(m, done, to);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void close_block(md *m)
{
    if (m->item)
        rdv_buf_lit(m->b, "</li>");
    if (m->close)
        rdv_buf_add(m->b, rdv_str_of(m->close));
    m->close = NULL;
    m->item = false;
}

static void open_block(md *m, const char *open, const char *close)
{
    close_block(m);
    rdv_buf_add(m->b, rdv_str_of(open));
    m->close = close;
}

static size_t spaces(rdv_str text, size_t at, size_t to)
{
    return rdv_skip_any(rdv_slice(text, 0, to), at, " \t") - at;
}

/* The byte after the sign of a list item, "-" or "12.", or `at`. */
static size_t sign_end(rdv_str text, size_t at, size_t to)
{
    size_t i = rdv_skip_digits(rdv_slice(text, 0, to), at);
    if (i > at + MAX_NUMBER || i == to)
        return at;
    bool is = i > at ? text.p[i] == '.' || text.p[i] == ')' : is_any_of(text.p[i], "-*+");
    return is && i + 1 < to && spaces(text, i + 1, to) ? i + 1 : at;
}

static bool is_rule(rdv_str text, size_t at, size_t to)
{
    size_t n = 0;
    char c = text.p[at];
    if (!is_any_of(c, "-*_"))
        return false;
    for (; at < to; at++) {
        if (text.p[at] != c && !rdv_is_space(text.p[at]))
            return false;
        n += text.p[at] == c;
    }
    return n >= 3;
}

static void item(md *m, size_t begin, size_t at, size_t to)
{
    static const char *const opens[MAX_INDENTS] = {"<li class=\"d0\">", "<li class=\"d1\">",
                                                   "<li class=\"d2\">", "<li class=\"d3\">",
                                                   "<li class=\"d4\">"};
    size_t end = sign_end(m->text, at, to), level = (at - begin) / 2;
    if (!m->item)
        open_block(m, "<ul class=\"md\">", "</ul>");
    else
        rdv_buf_lit(m->b, "</li>");
    rdv_buf_add(m->b, rdv_str_of(opens[level < MAX_INDENTS ? level : MAX_INDENTS - 1]));
    m->item = true;
    rdv_buf_lit(m->b, "<span class=\"m\">");
    leaf(m, at, end);
    rdv_buf_lit(m->b, "</span> ");
    inline_text(m, end + spaces(m->text, end, to), to, 0);
}

/* "## A heading": the byte where its text begins, or `at`. */
static size_t heading_begin(rdv_str text, size_t at, size_t to)
{
    size_t n = text.p[at] == '#' ? run_of(text, at, to) : 0;
    bool is = n && n <= MAX_HEADING && at + n < to && spaces(text, at + n, to);
    return is ? at + n + spaces(text, at + n, to) : at;
}

static void heading(md *m, size_t at, size_t to)
{
    size_t begin = heading_begin(m->text, at, to);
    open_block(m, "<p class=\"h\">", "</p>");
    if (m->text.p[at + 1] != '#') /* "# of pens = 5" may be meant */
        rdv_buf_lit(m->b, "<span class=\"m\">#</span> ");
    inline_text(m, begin, to, 0);
    close_block(m);
}

/* Code between fences: what stands behind the first one is shown, too. */
static void fence(md *m, size_t at, size_t to)
{
    rdv_str text = m->text;
    size_t end = text_block_end(&m->blocks, at), close = end - 3;
    size_t info = at + run_of(text, at, end);
    size_t first = rdv_find_char(rdv_slice(text, 0, end), '\n', at);
    if (first == RDV_NOT_FOUND || first >= close) {
        open_block(m, "<p>", "</p>");
        leaf(m, at, to);
        return;
    }
    while (text.p[close - 1] != '\n')
        close--;
    end += end < to && text.p[end] == text.p[at] ? run_of(text, end, to) : 0;
    open_block(m, "<pre class=\"code\">", "</pre>");
    if (rdv_trim(rdv_slice(text, info, first)).len) {
        rdv_buf_lit(m->b, "<span class=\"m\">");
        leaf(m, info, first);
        rdv_buf_lit(m->b, "</span>\n");
    }
    rdv_buf_lit(m->b, "<code>");
    leaf(m, first + 1, close > first + 1 ? close - 1 : first + 1);
    rdv_buf_lit(m->b, "</code>");
    close_block(m);
    if (end < to) {
        open_block(m, "<p>", "</p>");
        inline_text(m, end, to, 0);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The byte of the next "|" that divides cells, or `to`. */
static size_t cell_end(md *m, size_t at, size_t to)
{
    stretch l = {.m = m, .from = at, .to = to};
    while (at < to && m->text.p[at] != '|') {
        size_t end = whole_end(&l, at);
        at = end > at ? end : at + 1;
    }
    return at < to ? at : to;
}

static size_t columns_of(md *m, size_t at, size_t to)
{
    size_t n = 0;
    for (at += at < to && m->text.p[at] == '|'; at < to; n++)
        at = cell_end(m, at, to) + 1;
    return n;
}

/* "|---|:--:|", under the head of a table. */
static bool is_delimiter(rdv_str line)
{
    size_t dashes = 0, bars = 0;
    for (size_t i = 0; i < line.len; i++) {
        if (!is_any_of(line.p[i], "|-: \t\r"))
            return false;
        dashes += line.p[i] == '-';
        bars += line.p[i] == '|';
    }
    return dashes >= 2 && bars;
}

static void table_row(md *m, size_t at, size_t to, const char *open, const char *close)
{
    rdv_buf_lit(m->b, "<tr>");
    at += spaces(m->text, at, to);
    for (at += at < to && m->text.p[at] == '|'; at < to;) {
        size_t end = cell_end(m, at, to);
        rdv_str cell = rdv_trim(rdv_slice(m->text, at, end));
        size_t begin = cell.len ? (size_t)(cell.p - m->text.p) : at;
        rdv_buf_add(m->b, rdv_str_of(open));
        inline_text(m, begin, begin + cell.len, 0);
        rdv_buf_add(m->b, rdv_str_of(close));
        at = end + 1;
    }
    rdv_buf_lit(m->b, "</tr>");
}

static size_t end_of(const rdv_line *line)
{
    return line->begin + rdv_trim_end(line->text).len;
}

/* The table whose head is `head`; *at: behind it, and then behind the table. */
static bool table(md *m, const rdv_line *head, size_t *at)
{
    rdv_blocks blocks = m->blocks;
    rdv_line line;
    size_t next = *at, begin = head->begin + spaces(m->text, head->begin, end_of(head));
    if (rdv_find_char(head->text, '|', 0) == RDV_NOT_FOUND ||
        !text_next_block_line(&blocks, &next, &line) || !is_delimiter(line.text) ||
        columns_of(m, begin, end_of(head)) > MAX_COLUMNS)
        return false;
    open_block(m, "<div class=\"wide\"><table><thead>", "</tbody></table></div>");
    table_row(m, begin, end_of(head), "<th>", "</th>");
    rdv_buf_lit(m->b, "</thead><tbody>");
    for (*at = next; text_next_block_line(&m->blocks, &next, &line); *at = next) {
        if (line.blank || rdv_find_char(line.text, '|', 0) == RDV_NOT_FOUND)
            break;
        table_row(m, line.begin, end_of(&line), "<td>", "</td>");
    }
    close_block(m);
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void rule(md *m)
{
    close_block(m);
    rdv_buf_lit(m->b, "<hr>");
}

/* A line of a paragraph, or one that goes on with a list's item. */
static void paragraph(md *m, size_t begin, size_t to)
{
    bool goes_on = m->item && spaces(m->text, begin, to);
    if (!goes_on && (m->item || !m->close))
        open_block(m, "<p>", "</p>");
    else
        rdv_buf_lit(m->b, "\n");
    inline_text(m, goes_on ? begin + spaces(m->text, begin, to) : begin, to, 0);
}

static void any_line(md *m, const rdv_line *line, size_t *next)
{
    rdv_str text = m->text;
    size_t to = end_of(line), at = line->begin + spaces(text, line->begin, to);
    bool fenced = line->is_block && (text.p[at] == '`' || text.p[at] == '~');
    if (line->blank)
        close_block(m);
    else if (fenced)
        fence(m, at, to);
    else if (is_rule(text, at, to))
        rule(m);
    else if (sign_end(text, at, to) > at)
        item(m, line->begin, at, to);
    else if (heading_begin(text, at, to) > at)
        heading(m, at, to);
    else if (!table(m, line, next))
        paragraph(m, line->begin, to);
}

void html_markdown(rdv_buf *b, rdv_str text, const rdv_span *marks, size_t n)
{
    md m = {.b = b, .text = text, .blocks = {.text = text}, .marks = marks, .n_marks = n};
    rdv_blocks lines = {.text = text};
    rdv_line line;
    for (size_t at = 0; text_next_block_line(&lines, &at, &line);)
        any_line(&m, &line, &at);
    close_block(&m);
}

void html_markdown_inline(rdv_buf *b, rdv_str text)
{
    md m = {.b = b, .text = text, .blocks = {.text = text}};
    inline_text(&m, 0, text.len, 0);
}
