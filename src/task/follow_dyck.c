/* SPDX-License-Identifier: Apache-2.0 */
/* `dyck`: the stack that each step should show, as the paper's automatic annotation
 * (section 2.1.2).
 *
 * A stack is a row of symbols with spaces between, and a list one of symbols with commas or "and"
 * between, in quotes or not: the released labels take "{{" for another symbol than "{ {", and a
 * comma after the last item for one item more. So does this. */
#include "task/follow.h"

#define MAX_SYMBOLS 4096

typedef struct dyck {
    rdv_str input; /* the brackets, without spaces */
    size_t read;   /* how many of them the steps have read */
    char *stack;   /* what is open after them */
    size_t depth;
} dyck;

static const char OPEN[] = "([{<", CLOSE[] = ")]}>";

static char closing_of(char open)
{
    const char *at = strchr(OPEN, open);
    return at && *at ? CLOSE[at - OPEN] : '\0';
}

static bool is_bracket(char c)
{
    return c && (strchr(OPEN, c) || strchr(CLOSE, c));
}

static bool has_bracket(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (is_bracket(s.p[i]))
            return true;
    return false;
}

/* ---- the question ---------------------------------------------------------------------------- */

/* Read one symbol on to the stack. False: it closes nothing. */
static bool push(dyck *d, char c)
{
    if (closing_of(c))
        d->stack[d->depth++] = c;
    else if (d->depth && closing_of(d->stack[d->depth - 1]) == c)
        d->depth--;
    else
        return false;
    return true;
}

/* The brackets nest so far, whatever is still open. */
static bool nests(dyck *d)
{
    bool ok = true;
    for (size_t i = 0; i < d->input.len && ok; i++)
        ok = push(d, d->input.p[i]);
    d->depth = 0;
    return ok;
}

static int open_dyck(follow *f)
{
    rdv_str text = follow_question(&f->chain->question);
    size_t at = rdv_find_last(text, RDV_STR(":"));
    text = rdv_trim(rdv_slice(text, at == RDV_NOT_FOUND ? 0 : at + 1, text.len));
    dyck *d = RDV_NEW(f->arena, dyck);
    char *symbols = rdv_alloc(f->arena, text.len);
    if (!d || !symbols)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < text.len; i++) {
        if (is_bracket(text.p[i]) && d->input.len < MAX_SYMBOLS)
            symbols[d->input.len++] = text.p[i];
        else if (!rdv_is_space(text.p[i]))
            return RDV_NONE;
    }
    d->input.p = symbols;
    d->stack = rdv_alloc(f->arena, d->input.len);
    if (!d->stack)
        return RDV_E_NOMEM;
    f->state = d;
    return d->input.len && nests(d) ? RDV_OK : RDV_NONE;
}

/* ---- rows and lists -------------------------------------------------------------------------- */

static bool strip(rdv_str *s, char c)
{
    bool any = false;
    while (s->len && s->p[0] == c) {
        *s = rdv_slice(*s, 1, s->len);
        any = true;
    }
    while (s->len && s->p[s->len - 1] == c) {
        s->len--;
        any = true;
    }
    return any;
}

static rdv_str bare(rdv_str s)
{
    s = rdv_trim(s);
    while (s.len && s.p[s.len - 1] == '.')
        s = rdv_trim_end(rdv_slice(s, 0, s.len - 1));
    strip(&s, '"');
    s = rdv_trim(s);
    bool nothing = rdv_str_ieq(s, RDV_STR("empty")) || rdv_str_ieq(s, RDV_STR("nothing"));
    return nothing ? (rdv_str){"", 0} : s;
}

/* The symbol that should stand at place `i` of the open ones; from the top, and closing. */
typedef struct wanted {
    const dyck *d;
    bool from_top, closing;
} wanted;

static char symbol(const wanted *w, size_t i)
{
    char c = w->d->stack[w->from_top ? w->d->depth - 1 - i : i];
    return w->closing ? closing_of(c) : c;
}

/* Compare the words of a row from place *i on. */
static bool row_goes_on(rdv_str row, const wanted *w, size_t *i)
{
    for (size_t at = 0; at < row.len;) {
        size_t end = at;
        while (end < row.len && !rdv_is_space(row.p[end]))
            end++;
        if (end > at && (end != at + 1 || *i >= w->d->depth || row.p[at] != symbol(w, *i)))
            return false;
        *i += end > at;
        at = end + (end == at);
    }
    return true;
}

static bool is_row(rdv_str text, const wanted *w)
{
    size_t i = 0;
    return row_goes_on(bare(text), w, &i) && i == w->d->depth;
}

/* The next item of a list, which ends at a comma or "and". False: there was none left. */
static bool next_item(rdv_str *rest, bool *more, rdv_str *item)
{
    if (!*more)
        return false;
    size_t comma = rdv_find_char(*rest, ',', 0), word = rdv_find(*rest, RDV_STR(" and "), 0);
    size_t end = comma < word ? comma : word;
    *more = end != RDV_NOT_FOUND;
    *item = rdv_trim(rdv_slice(*rest, 0, *more ? end : rest->len));
    *rest = *more ? rdv_slice(*rest, end + (end == comma ? 1 : 5), rest->len) : (rdv_str){0};
    rdv_str next = rdv_trim(*rest);
    if (*more && end == comma && rdv_starts(next, RDV_STR("and "))) /* ", and" is one mark */
        *rest = rdv_slice(next, 4, next.len);
    return true;
}

static bool is_list(rdv_str text, const wanted *w)
{
    rdv_str rest = rdv_trim(text), item;
    size_t i = 0;
    bool more = true;
    while (rest.len && rest.p[rest.len - 1] == '.')
        rest = rdv_trim_end(rdv_slice(rest, 0, rest.len - 1));
    if (!bare(rest).len)
        return w->d->depth == 0;
    while (next_item(&rest, &more, &item)) {
        strip(&item, '"');
        item = rdv_trim(item);
        if (!item.len || !row_goes_on(item, w, &i))
            return false;
    }
    return i == w->d->depth;
}

/* ---- the steps ------------------------------------------------------------------------------- */

static void judge(follow *f, bool holds, const char *what, const wanted *w)
{
    char row[64];
    size_t n = 0, shown = w->d->depth < 24 ? w->d->depth : 24;
    for (size_t i = 0; i < shown; i++) {
        row[n++] = symbol(w, i);
        row[n++] = ' ';
    }
    n -= n > 0;
    if (holds)
        follow_right(f);
    else if (!n)
        follow_off(f, "%s should be empty", what);
    else
        follow_off(f, "%s should be %.*s%s", what, (int)n, row, shown < w->d->depth ? " ..." : "");
}

static void read_symbol(follow *f, dyck *d, char said, rdv_str stack)
{
    wanted w = {.d = d};
    if (d->read >= d->input.len) {
        follow_off(f, "all of the input was read before");
        return;
    }
    char c = d->input.p[d->read++];
    push(d, c);
    if (said != c) {
        follow_off(f, "the next symbol of the input is %c", c);
        return;
    }
    judge(f, is_row(stack, &w), "the stack", &w);
    f->unsure &= f->kind != RDV_SUPPORT; /* back in step */
}

/* Nothing but symbols and what stands between them; or one word that says that there are none. */
static bool is_symbols(rdv_str text)
{
    text = bare(text);
    for (size_t i = 0; i < text.len; i++) {
        bool joined = rdv_starts(rdv_slice(text, i, text.len), RDV_STR("and "));
        if (joined)
            i += 3;
        else if (!is_bracket(text.p[i]) && !rdv_is_space(text.p[i]) && !strchr(",\".", text.p[i]))
            return false;
    }
    return true;
}

/* How a step that reads no symbol ends the input. */
typedef enum ending_is {
    END_FINAL,   /* "The final stack is ..." */
    END_POPS,    /* "We will need to pop out ... one by one in that order" */
    END_NEEDS,   /* "So, we need ..."; or the symbols alone */
    END_NOTHING, /* "we don't need to add anything" */
    END_REACHED, /* "Now, we have reached the end", without symbols */
    END_UNREAD
} ending_is;

static ending_is ending_of(follow *f, rdv_str text, rdv_str *symbols)
{
    static const struct {
        rdv_str phrase;
        ending_is is;
    } endings[] = {{RDV_STR("final stack is"), END_FINAL},
                   {RDV_STR("pop out"), END_POPS},
                   {RDV_STR("don't need"), END_NOTHING},
                   {RDV_STR("need"), END_NEEDS}};
    *symbols = text;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t at = rdv_ifind(text, endings[i].phrase, 0);
        if (at == RDV_NOT_FOUND)
            continue;
        size_t end = rdv_ifind(text, RDV_STR("one by one"), at);
        *symbols = rdv_slice(text, at + endings[i].phrase.len, end < text.len ? end : text.len);
        follow_read(f, rdv_slice(text, at, at + endings[i].phrase.len));
        if (endings[i].is != END_NOTHING)
            follow_read(f, *symbols);
        if (endings[i].is == END_NOTHING || is_symbols(*symbols))
            return endings[i].is;
        return endings[i].is == END_POPS && !has_bracket(*symbols) ? END_REACHED : END_UNREAD;
    }
    if (rdv_ifind(text, RDV_STR("reached the end"), 0) != RDV_NOT_FOUND && !has_bracket(text))
        return END_REACHED;
    if (!has_bracket(text) || !is_symbols(text))
        return END_UNREAD;
    follow_read(f, text);
    return END_NEEDS;
}

static void unread(follow *f)
{
    follow_unread(f, "it shows no stack and no symbols that could be read");
    f->unsure = true; /* it may have read a symbol in words of its own */
}

static void read_end(follow *f, const dyck *d, rdv_str text)
{
    wanted open = {.d = d}, pops = {.d = d, .from_top = true};
    wanted closes = {.d = d, .from_top = true, .closing = true};
    rdv_str symbols;
    ending_is is = ending_of(f, text, &symbols);
    if (is == END_UNREAD)
        unread(f);
    else if (d->read < d->input.len)
        follow_off(f, "%zu symbols of the input are not read yet", d->input.len - d->read);
    else if (is == END_FINAL)
        judge(f, is_row(symbols, &open), "the final stack", &open);
    else if (is == END_POPS)
        judge(f, is_list(symbols, &pops), "what is popped", &pops);
    else if (is == END_NEEDS)
        judge(f, is_list(symbols, &closes), "what is needed", &closes);
    else
        judge(f, is == END_REACHED || d->depth == 0, "what is needed", &closes);
}

static bool tells_the_method(rdv_str text)
{
    return !has_bracket(text) && rdv_ifind(text, RDV_STR("one by one"), 0) != RDV_NOT_FOUND &&
           rdv_ifind(text, RDV_STR("pop out"), 0) == RDV_NOT_FOUND;
}

static void read_body(follow *f, dyck *d, rdv_str body)
{
    size_t at = rdv_ifind(body, RDV_STR("stack:"), 0);
    rdv_str before = rdv_trim(rdv_slice(body, 0, at == RDV_NOT_FOUND ? 0 : at));
    rdv_str stack = rdv_slice(body, at == RDV_NOT_FOUND ? body.len : at + 6, body.len);
    wanted open = {.d = d};
    bool shown = at != RDV_NOT_FOUND && is_symbols(stack);
    if (shown && (!before.len || before.p[before.len - 1] == ';'))
        follow_read(f, body);
    if (shown && !before.len) {
        judge(f, is_row(stack, &open), "the stack", &open);
    } else if (shown && before.p[before.len - 1] == ';') {
        rdv_str said = rdv_trim(rdv_slice(before, 0, before.len - 1));
        read_symbol(f, d, said.len == 1 ? said.p[0] : '\0', stack);
    } else if (!tells_the_method(body)) {
        read_end(f, d, body);
    }
}

/* The end of the sentence that begins at `at`: a full stop before a space and a letter. */
static size_t sentence_end(rdv_str s, size_t at)
{
    for (; at + 2 < s.len; at++)
        if (s.p[at] == '.' && rdv_is_space(s.p[at + 1]) && rdv_is_alpha(s.p[at + 2]))
            return at + 1;
    return s.len;
}

static void step_dyck(follow *f, rdv_str text)
{
    dyck *d = f->state;
    rdv_str body, answer;
    bool concludes = follow_answer(text, &body, &answer);
    wanted closes = {.d = d, .from_top = true, .closing = true};
    for (size_t at = 0, end; at < body.len; at = end) { /* steps may be merged into one */
        end = sentence_end(body, at);
        rdv_str sentence = rdv_trim(rdv_slice(body, at, end));
        if (sentence.len)
            read_body(f, d, sentence);
    }
    follow_read(f, answer);
    if (concludes && d->read < d->input.len)
        follow_off(f, "%zu symbols of the input are not read yet", d->input.len - d->read);
    else if (concludes)
        judge(f, is_row(answer, &closes), "the answer", &closes);
}

static const char *const plain[] = {
    "now", "we have reached the end", "we will need to",          "we need to", "we",
    "the", "to add anything",         "one by one in that order", "one by one", NULL};

const follow_task follow_dyck = {.open = open_dyck, .step = step_dyck, .plain = plain};
