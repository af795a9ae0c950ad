/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/clean.h"

#include "base/str.h"

#define COMMAND_MAX 16

typedef struct cleaner {
    rdv_str s;
    size_t at;
    rdv_buf *out;
    bool keep_percent;
    bool wrapper[RDV_CLEAN_DEPTH]; /* per open brace: does it belong to \text{ and the like? */
    size_t depth;
    bool deep;
} cleaner;

/* Commands and characters, and what becomes of them. */
typedef struct rewrite {
    const char *from, *to;
} rewrite;

static const rewrite commands[] = {
    {"left", ""},        {"right", ""},        {"big", ""},         {"Big", ""},
    {"bigl", ""},        {"bigr", ""},         {"Bigl", ""},        {"Bigr", ""},
    {"bigg", ""},        {"displaystyle", ""}, {"textstyle", ""},   {"degree", ""},
    {"quad", " "},       {"qquad", " "},       {"dfrac", "\\frac"}, {"tfrac", "\\frac"},
    {"cfrac", "\\frac"}, {"le", "\\leq"},      {"ge", "\\geq"},     {"ne", "\\neq"},
    {"lbrace", "\x01"},  {"rbrace", "\x02"},   {"cup", "\x03"},     {"pm", "\x04"},
};

static const rewrite symbols[] = {
    {"\xe2\x88\x92", "-"},      {"\xc2\xb0", ""},
    {"\xc2\xa3", ""},           {"\xe2\x82\xac", ""},
    {"\xc2\xa5", ""},           {"\xc2\xa0", " "},
    {"\xcf\x80", "\\pi "},      {"\xe2\x88\x9a", "\\sqrt"},
    {"\xc2\xb2", "^2"},         {"\xc2\xb3", "^3"},
    {"\xc3\x97", "\\times "},   {"\xc3\xb7", "/"},
    {"\xc2\xb7", "\\cdot "},    {"\xe2\x88\x9e", "\\infty "},
    {"\xe2\x89\xa4", "\\leq "}, {"\xe2\x89\xa5", "\\geq "},
    {"\xc2\xb1", "\x04"},       {"\xe2\x88\xaa", "\x03"},
    {"\xe2\x80\x93", "-"},      {"\xe2\x80\xaf", " "},
    {"\xe2\x80\x89", " "},
};

/* Commands whose braces hold the answer or a unit. */
static const char *const wrappers[] = {"text",  "textbf", "textit",      "textrm",
                                       "mbox",  "mathrm", "mathbf",      "mathit",
                                       "boxed", "fbox",   "operatorname"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static char peek(const cleaner *c, size_t ahead)
{
    return c->at + ahead < c->s.len ? c->s.p[c->at + ahead] : '\0';
}

static char last_out(const cleaner *c)
{
    rdv_str out = rdv_buf_str(c->out);
    return out.len ? out.p[out.len - 1] : '\0';
}

static void put_blank(cleaner *c)
{
    if (last_out(c) != ' ' && last_out(c) != '\0')
        rdv_buf_add_char(c->out, ' ');
}

static void put(cleaner *c, const char *text)
{
    if (strcmp(text, " ") == 0)
        put_blank(c);
    else
        rdv_buf_add(c->out, rdv_str_of(text));
}

static void skip_blanks(cleaner *c)
{
    while (rdv_is_space(peek(c, 0)))
        c->at++;
}

static void open_brace(cleaner *c, bool wrapper)
{
    c->at++;
    if (c->depth == RDV_CLEAN_DEPTH) {
        c->deep = true;
        return;
    }
    c->wrapper[c->depth++] = wrapper;
    put(c, wrapper ? " " : "{");
}

static void close_brace(cleaner *c)
{
    c->at++;
    if (c->depth > 0)
        put(c, c->wrapper[--c->depth] ? " " : "}");
}

/* "\," and its kin, and escaped characters. c->at is after the backslash. */
static void clean_escape(cleaner *c)
{
    char e = peek(c, 0);
    c->at++;
    if (e == '{' || e == '}')
        rdv_buf_add_char(c->out, e == '{' ? RDV_SET_OPEN : RDV_SET_CLOSE);
    else if (e == '\\')
        rdv_buf_add_char(c->out, RDV_ROW);
    else if (e == '!')
        skip_blanks(c);
    else if (e == '%' && c->keep_percent)
        rdv_buf_add_char(c->out, '%');
    else if (e == ' ' || e == ';' || e == ':' ||
             (e == ',' && !(rdv_is_digit(last_out(c)) && rdv_is_digit(peek(c, 0)))))
        put_blank(c);
    else if (e == '_' || e == '&' || e == '#')
        rdv_buf_add_char(c->out, e);
}

static bool is_wrapper(rdv_str name)
{
    return rdv_named(name, wrappers, COUNT(wrappers)) >= 0;
}

/* The rewriting of the symbol at the start of `rest`, or NULL. */
static const rewrite *rewriting(rdv_str rest)
{
    for (size_t i = 0; i < COUNT(symbols); i++)
        if (rdv_starts(rest, rdv_str_of(symbols[i].from)))
            return &symbols[i];
    return NULL;
}

/* "\\u00a0", a character that JSON escaped twice. c->at is after the backslash. */
static bool clean_escaped(cleaner *c)
{
    unsigned code = 0;
    if (peek(c, 0) != 'u')
        return false;
    for (size_t i = 1; i <= 4; i++) {
        char d = rdv_lower(peek(c, i));
        if (!rdv_is_digit(d) && (d < 'a' || d > 'f'))
            return false;
        code = code * 16 + (unsigned)(rdv_is_digit(d) ? d - '0' : d - 'a' + 10);
    }
    char utf8[3];
    size_t n = 0;
    if (code < 0x80) {
        utf8[n++] = (char)code;
    } else if (code < 0x800) {
        utf8[n++] = (char)(0xc0 | code >> 6);
        utf8[n++] = (char)(0x80 | (code & 0x3f));
    } else {
        utf8[n++] = (char)(0xe0 | code >> 12);
        utf8[n++] = (char)(0x80 | (code >> 6 & 0x3f));
        utf8[n++] = (char)(0x80 | (code & 0x3f));
    }
    const rewrite *known = rewriting((rdv_str){utf8, n});
    if (known)
        put(c, known->to);
    else if (code <= ' ')
        put_blank(c);
    else
        rdv_buf_add(c->out, (rdv_str){utf8, n});
    c->at += 5;
    return true;
}

static void clean_command(cleaner *c)
{
    c->at++;
    if (clean_escaped(c))
        return;
    size_t begin = c->at;
    while (rdv_is_alpha(peek(c, 0)))
        c->at++;
    rdv_str name = rdv_slice(c->s, begin, c->at);
    if (name.len == 0) {
        clean_escape(c);
        return;
    }
    if (is_wrapper(name)) {
        skip_blanks(c);
        if (peek(c, 0) == '{')
            open_brace(c, true);
        return;
    }
    for (size_t i = 0; i < COUNT(commands); i++)
        if (rdv_str_eq(name, rdv_str_of(commands[i].from))) {
            put(c, commands[i].to);
            return;
        }
    rdv_buf_add_char(c->out, '\\');
    rdv_buf_add(c->out, name);
}

/* A word of letters: "and" and "or" list, all others stay. */
static void clean_word(cleaner *c)
{
    size_t begin = c->at;
    char before = last_out(c);
    while (rdv_is_alpha(peek(c, 0)))
        c->at++;
    rdv_str word = rdv_slice(c->s, begin, c->at);
    bool lists = rdv_str_ieq(word, RDV_STR("and")) || rdv_str_ieq(word, RDV_STR("or"));
    if (!lists || before == '\0')
        rdv_buf_add(c->out, word);
    else if (rdv_trim(rdv_buf_str(c->out)).len && before != ',')
        rdv_buf_add_char(c->out, ',');
}

/* A degree sign written as an exponent: how many bytes, or 0. */
static size_t degrees_len(const cleaner *c)
{
    static const char *const forms[] = {"^\\circ", "^{\\circ}", "^ \\circ", "^\\degree"};
    for (size_t i = 0; i < COUNT(forms); i++)
        if (rdv_starts(rdv_slice(c->s, c->at, c->s.len), rdv_str_of(forms[i])))
            return strlen(forms[i]);
    return 0;
}

/* A character beyond ASCII, as its rewriting or as it is. */
static void clean_symbol(cleaner *c)
{
    const rewrite *known = rewriting(rdv_slice(c->s, c->at, c->s.len));
    if (known) {
        put(c, known->to);
        c->at += strlen(known->from);
        return;
    }
    rdv_buf_add_char(c->out, c->s.p[c->at++]);
}

static void clean_char(cleaner *c)
{
    char ch = peek(c, 0);
    if (ch == '\\') {
        clean_command(c);
    } else if (ch == '{') {
        open_brace(c, false);
    } else if (ch == '}') {
        close_brace(c);
    } else if (rdv_is_alpha(ch)) {
        clean_word(c);
    } else if ((unsigned char)ch >= 0x80) {
        clean_symbol(c);
    } else if (ch == '^' && degrees_len(c)) {
        c->at += degrees_len(c);
    } else {
        bool emphasis = ch == '*' && peek(c, 1) == '*';
        bool dropped = ch == '$' || ch == '`' || emphasis || (ch == '%' && !c->keep_percent);
        c->at += emphasis ? 2 : 1;
        if (rdv_is_space(ch) || ch == '~' || (unsigned char)ch < ' ' || ch == 0x7f)
            put_blank(c);
        else if (!dropped)
            rdv_buf_add_char(c->out, ch);
    }
}

void answer_clean(rdv_str answer, bool keep_percent, rdv_buf *out, bool *deep)
{
    cleaner c = {.s = answer, .out = out, .keep_percent = keep_percent};
    while (c.at < answer.len && !c.deep && rdv_buf_ok(out))
        clean_char(&c);
    *deep = c.deep;
}

void answer_squeeze(rdv_str cleaned, rdv_buf *out)
{
    static const char *const back[] = {"", "\\{", "\\}", "\\cup", "\\pm", "\\\\"};
    for (size_t i = 0; i < cleaned.len; i++) {
        unsigned char ch = (unsigned char)cleaned.p[i];
        if (ch < COUNT(back))
            rdv_buf_add(out, rdv_str_of(back[ch]));
        else if (!rdv_is_space(cleaned.p[i]))
            rdv_buf_add_char(out, cleaned.p[i]);
    }
}
