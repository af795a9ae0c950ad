/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/lex.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "notation/call_name.h"
#include "notation/formula_names.h"
#include "notation/lex_letters.h"
#include "notation/lex_number.h"
#include "notation/lex_tables.h"

#define MAX_TEXT ((size_t)16 << 20)
#define MAX_ARGUMENT 256 /* bytes of an argument that is skipped; keeps the work linear */
#define MAX_GAP 32       /* bytes between an alignment mark and its relation; for the same */
#define MAX_SIZING 6     /* letters; more than a command that sizes a bracket has */
#define MAX_LETTERS 3    /* written together in a formula; more are a word */
#define MAX_DEPTH 200    /* brackets open at once; deeper ones are opaque */
#define FIRST_ROOM 64    /* tokens that most texts do not exceed */
#define SUPERSCRIPT_MINUS 0x207b
#define SUBSCRIPT_ZERO 0x2080
#define BULLET 0x2022
#define PRIME 0x2032
#define QUOTATION_MARK 0x2019 /* right single */
#define PRIMES_MOST 3
#define MAX_WHOLE 9 /* digits of a number that always has room in token.value */

typedef struct lexer {
    rdv_str s;
    size_t i; /* next byte */
    rdv_arena *arena;
    token *at;
    size_t n, cap;
    token next;     /* the next token, but its kind and place: what stands before it */
    unsigned args;  /* arguments of \frac still due: a digit alone is one */
    size_t args_at; /* token count at which the next one is due */
    size_t *open;   /* indices of TOK_OPENs, or VANISHED for the braces of \text{...} */
    size_t depth;
    size_t upright; /* of the open brackets, those of \text{...} */
    token scrap;    /* what emit() gives out once it has failed */
    uint64_t kinds; /* of the tokens so far; and what is known of their words */
    uint32_t words;
    word_slots *slots;
    size_t after_number; /* the place of the token after the last number, or SIZE_MAX */
    bool counts;         /* a word longer than a letter may stand in such a place */
    bool calls;          /* a "(" stands right after a word */
    bool failed;
    bool formula; /* not prose */
    bool lists;   /* a bullet of a list was seen */
} lexer;

#define VANISHED ((size_t)-2)

static char peek(const lexer *x, size_t ahead)
{
    return x->i + ahead < x->s.len ? x->s.p[x->i + ahead] : '\0';
}

/* A token of the next `len` bytes, where there is room for it. */
static inline token *put(lexer *x, tok_kind kind, size_t len)
{
    token *t = &x->at[x->n++];
    *t = x->next;
    t->kind = kind;
    t->begin = (uint32_t)x->i;
    t->end = (uint32_t)(x->i += len);
    x->next.space_before = x->next.border = false;
    x->kinds |= UINT64_C(1) << kind;
    return t;
}

static __attribute__((noinline)) token *make_room_and_put(lexer *x, tok_kind kind, size_t len)
{
    if (!x->failed && RDV_PUSH_ROOM_LARGE(x->arena, x->at, x->n, x->cap))
        return put(x, kind, len);
    x->failed = true;
    x->cap = 0;
    x->i = x->s.len; /* nothing more is read */
    return &x->scrap;
}

/* The same anywhere; once memory has run out, the token is none of the result. */
static token *emit(lexer *x, tok_kind kind, size_t len)
{
    return x->n < x->cap ? put(x, kind, len) : make_room_and_put(x, kind, len);
}

/* The last token turns out to be what cannot be understood. */
static void make_opaque(lexer *x)
{
    if (x->failed)
        return;
    x->at[x->n - 1].kind = TOK_OPAQUE;
    x->kinds |= UINT64_C(1) << TOK_OPAQUE;
}

/* White space and what stands for it. */
static void vanish(lexer *x, size_t len)
{
    x->i += len;
    x->next.space_before = true;
}

/* What only formats. */
static void drop(lexer *x, size_t len)
{
    x->i += len;
}

static void vanish_border(lexer *x, size_t len)
{
    vanish(x, len);
    x->next.border = true;
}

/* The command that sizes a bracket, "\\left(", is shown with it. */
static size_t sizing_before(const lexer *x)
{
    static const char *const commands[] = {"left", "bigl", "Bigl", "biggl", "Biggl",
                                           "big",  "Big",  "bigg", "Bigg"};
    size_t begin = x->i;
    while (begin > 0 && x->i - begin < MAX_SIZING && rdv_is_alpha(x->s.p[begin - 1]))
        begin--;
    bool command = begin > 0 && x->s.p[begin - 1] == '\\';
    rdv_str name = rdv_slice(x->s, begin, x->i);
    return command && rdv_named(name, commands, sizeof commands / sizeof *commands) >= 0
               ? name.len + 1
               : 0;
}

static void open_bracket(lexer *x, size_t len, char sign)
{
    if (x->depth == MAX_DEPTH) {
        emit(x, TOK_OPAQUE, len);
        return;
    }
    x->calls |= sign == '(' && !x->next.space_before && x->n && x->at[x->n - 1].kind == TOK_WORD;
    x->open[x->depth++] = x->n;
    size_t sizing = sizing_before(x);
    token *t = emit(x, TOK_OPEN, len);
    t->sign = sign;
    t->begin -= sizing;
}

static char partner(char close)
{
    return close == ')' ? '(' : close == ']' ? '[' : '{';
}

static void close_bracket(lexer *x, size_t len, char sign)
{
    /* Braces are LaTeX's and nest strictly; a stray one vanishes with what it closes. */
    if (sign == '}' && x->depth && x->open[x->depth - 1] == VANISHED) {
        x->depth--;
        x->next.upright = --x->upright > 0;
        drop(x, len);
        return;
    }
    size_t me = x->n;
    token *t = emit(x, TOK_CLOSE, len);
    t->sign = sign;
    if (x->failed || !x->depth || x->open[x->depth - 1] == VANISHED)
        return;
    size_t other = x->open[x->depth - 1];
    if (x->at[other].sign != partner(sign))
        return; /* "[0, 5)": neither has a partner unless a later one closes it */
    x->at[other].pair = me;
    x->at[me].pair = other;
    x->depth--;
}

/* A line's end closes what prose left open, so that one stray "(" does not spoil the text. */
static void newline(lexer *x, size_t len)
{
    emit(x, TOK_NEWLINE, len);
    x->next.space_before = true;
}

/* The word before the innermost open "(", or NULL. In prose no blank may stand between them. */
static const token *called(const lexer *x)
{
    size_t open = x->depth ? x->open[x->depth - 1] : VANISHED;
    bool call = open != VANISHED && open > 0 && x->at[open].sign == '(' &&
                (x->formula || !x->at[open].space_before) &&
                (x->at[open - 1].kind == TOK_WORD || x->at[open - 1].kind == TOK_FUNCTION);
    return call ? &x->at[open - 1] : NULL;
}

/* "gcd(12,183)" is of two numbers. */
static bool takes_several(const lexer *x, const token *function)
{
    return call_takes_several(call_named(rdv_slice(x->s, function->begin, function->end)));
}

/* The commas in max(1,200) separate arguments: a number in such brackets ends at the next one. */
static rdv_str number_text(const lexer *x)
{
    rdv_str near = rdv_slice(x->s, 0, x->i + MAX_ARGUMENT);
    size_t comma = rdv_find_char(near, ',', x->i);
    return comma == RDV_NOT_FOUND ? x->s : rdv_slice(x->s, 0, comma);
}

static __attribute__((noinline)) void number_of_any_form(lexer *x)
{
    const token *function = called(x);
    rdv_str argument = function ? number_text(x) : x->s;
    lex_literal l = x->formula ? lex_formula_number(argument, x->i) : lex_prose_number(x->s, x->i);
    if (!x->formula && function && (l.is_name || takes_several(x, function))) /* "C(5,2)" */
        l = lex_prose_number(argument, x->i);
    token *t = emit(x, l.is_name ? TOK_OPAQUE : TOK_NUMBER, l.end - x->i);
    t->ellipsis = l.ellipsis > 0;
    if (l.ellipsis)
        vanish(x, l.ellipsis);
}

static void number(lexer *x)
{
    x->after_number = x->n + 1;
    if (x->args && x->args_at == x->n && rdv_is_digit(peek(x, 0))) { /* \frac12 */
        x->args--;
        x->args_at = x->n + 1;
        emit(x, TOK_NUMBER, 1);
        return;
    }
    uint32_t value;
    size_t plain = x->formula ? 0 : lex_plain_number(x->s, x->i, &value);
    if (!plain) {
        number_of_any_form(x);
        return;
    }
    size_t len = plain - x->i;
    token *t = emit(x, TOK_NUMBER, len);
    t->whole = len <= MAX_WHOLE && value != UINT32_MAX;
    t->value = value;
}

/* The next token may be a word. */
static inline void note_word(lexer *x)
{
    x->counts |= x->n == x->after_number;
}

/* Is the last token the end of an operand? */
static bool operand_ends(const lexer *x)
{
    tok_kind k = x->n ? x->at[x->n - 1].kind : TOK_END;
    return k == TOK_NUMBER || k == TOK_CLOSE || k == TOK_WORD || k == TOK_PI;
}

/* Letters written together are a product of letters, "sin" and its like apart. After a space, two
 * letters and more are words of prose ("3 or 4", "5 cm"); so are three that begin a text ("yes"),
 * and four anywhere. */
static void formula_word(lexer *x)
{
    size_t i = rdv_skip_letters(x->s, x->i);
    rdv_str run = rdv_slice(x->s, x->i, i);
    size_t name = formula_name_prefix(run);
    bool prose = x->next.space_before && operand_ends(x);
    bool part = rdv_str_eq(run, RDV_STR("Re")) || rdv_str_eq(run, RDV_STR("Im")); /* of 2 + 3i */
    if (rdv_str_eq(run, RDV_STR("of")) && x->n && x->at[x->n - 1].kind == TOK_PERCENT)
        emit(x, TOK_TIMES, 2); /* "20% of 50" */
    else if (rdv_starts(run, RDV_STR("sqrt")))
        emit(x, TOK_SQRT, 4);
    else if (rdv_str_eq(run, RDV_STR("pi")) || rdv_str_eq(run, RDV_STR("Pi")))
        emit(x, TOK_PI, 2);
    else if (name)
        emit(x, TOK_WORD, name);
    else if (part || run.len > MAX_LETTERS || (run.len > 1 && prose) || (run.len > 2 && !x->n))
        emit(x, TOK_OPAQUE, run.len);
    else
        for (size_t k = 0; k < run.len; k++)
            emit(x, TOK_WORD, 1);
}

/* "Rs. 500", "Rs 500", "R$ 500": the length of a sign of currency before a number, or 0. Rupees
 * beside their hundredth, which is no unit that is known, stay a word; "$R$ 5" is mathematics. */
static size_t currency_at(const lexer *x, rdv_str w)
{
    if (w.len == 1 && w.p[0] == 'R' && peek(x, 1) == '$') {
        bool opened = x->i > 0 && x->s.p[x->i - 1] != ' ' && x->s.p[x->i - 1] != '\n';
        return !opened && rdv_is_digit(peek(x, 2 + (peek(x, 2) == ' '))) ? 2 : 0;
    }
    if (!rdv_str_eq(w, RDV_STR("Rs")))
        return 0;
    size_t from = x->i > MAX_ARGUMENT ? x->i - MAX_ARGUMENT : 0;
    if (rdv_find(rdv_slice(x->s, from, x->i + MAX_ARGUMENT), RDV_STR("pais"), 0) != RDV_NOT_FOUND)
        return 0;
    size_t len = w.len + (peek(x, w.len) == '.');
    size_t number = len + (peek(x, len) == ' ');
    return rdv_is_digit(peek(x, number)) ? len : 0;
}

/* `is`: what word_find() knows of it. */
static void prose_word(lexer *x, size_t len, unsigned is)
{
    if (len > 1)
        note_word(x);
    x->words |= is;
    uint32_t slot = word_slot((rdv_str){x->s.p + x->i, len});
    word_slots_add(x->slots, slot);
    token *t = emit(x, TOK_WORD, len);
    t->word = is;
    t->slot = slot;
}

/* The last token is the command of a letter, "\\alpha". */
static void note_symbol(lexer *x)
{
    if (x->formula)
        return;
    x->at[x->n - 1].word = WORD_SYMBOL;
    x->words |= WORD_SYMBOL;
}

/* Is there a Latin letter with an accent at byte `i`, of two bytes: "é", "ß", "ł"? The signs of a
 * product, a quotient and a diameter are none, nor are the two that a wrong encoding makes of them
 * (0x82, 0x83). */
static bool is_accented(rdv_str s, size_t i)
{
    if (i + 1 >= s.len)
        return false;
    unsigned char lead = (unsigned char)s.p[i], next = (unsigned char)s.p[i + 1];
    return lead == 0xc4 || lead == 0xc5 ||
           (lead == 0xc3 && next != 0x97 && next != 0xb7 && next != 0x98 && next != 0xb8 &&
            next != 0x82 && next != 0x83);
}

static bool follows_number(const lexer *x)
{
    return x->n && x->at[x->n - 1].kind == TOK_NUMBER;
}

/* A word of prose with such letters, which begins here. Few of them are words alone: "à", "è". */
static void accented_word(lexer *x)
{
    static const char *const alone[] = {"\xc3\xa0", "\xc3\xa8", "\xc3\xa9", "\xc3\xb2",
                                        "\xc3\xb3", "\xc3\x80", "\xc3\x88", "\xc3\x89"};
    size_t i = x->i;
    while (i < x->s.len && (rdv_is_alpha(x->s.p[i]) || is_accented(x->s, i)))
        i += rdv_is_alpha(x->s.p[i]) ? 1 : 2;
    rdv_str w = rdv_slice(x->s, x->i, i);
    bool angstrom = follows_number(x) && rdv_str_eq(w, RDV_STR("\xc3\x85"));
    if (w.len == 2 && !angstrom && !rdv_is_one_of(w, alone, sizeof alone / sizeof *alone))
        emit(x, TOK_OPAQUE, 2);
    else
        prose_word(x, w.len, 0);
}

/* Is the last token, which ends here, the name of a logarithm? */
static bool is_behind_logarithm(const lexer *x)
{
    const token *last = x->n ? &x->at[x->n - 1] : NULL;
    return last && last->kind == TOK_WORD && last->end == x->i &&
           rdv_str_ieq(rdv_slice(x->s, last->begin, last->end), RDV_STR("log"));
}

/* "log2(8)" and "log10(100)", the names that programs have, are "log_2(8)" and "log_10(100)". */
static void base_of_logarithm(lexer *x)
{
    if (!is_behind_logarithm(x))
        return;
    size_t digits = peek(x, 0) == '2' ? 1 : peek(x, 0) == '1' && peek(x, 1) == '0' ? 2 : 0;
    if (digits && peek(x, digits) == '(')
        emit(x, TOK_UNDERSCORE, 0);
}

static void word(lexer *x)
{
    if (x->formula) {
        formula_word(x);
        return;
    }
    size_t i = x->i;
    do /* "isn't" is one word */
        i = rdv_skip_letters(x->s, i + 1);
    while (i + 1 < x->s.len && x->s.p[i] == '\'' && rdv_is_alpha(x->s.p[i + 1]));
    if (i < x->s.len && (x->s.p[i] & 0x80) && is_accented(x->s, i)) {
        accented_word(x);
        return;
    }
    rdv_str w = {x->s.p + x->i, i - x->i};
    unsigned is = word_find(w);
    if (is && w.len > 1) { /* most words; none of those below is known */
        prose_word(x, w.len, is);
        return;
    }
    size_t currency = currency_at(x, w);
    if (rdv_str_ieq(w, RDV_STR("sqrt")))
        emit(x, TOK_SQRT, w.len);
    else if (rdv_str_ieq(w, RDV_STR("cbrt")))
        emit(x, TOK_SQRT, w.len)->vulgar = 3;
    else if (rdv_str_eq(w, RDV_STR("pi")) || rdv_str_eq(w, RDV_STR("Pi")))
        emit(x, TOK_PI, w.len);
    else if (currency)
        emit(x, TOK_CURRENCY, currency);
    else if (lex_letters_are_product(x->s, x->i, i))
        while (x->i < i && !x->failed)
            prose_word(x, 1, word_find(rdv_slice(x->s, x->i, x->i + 1)));
    else
        prose_word(x, w.len, is);
}

/* Skip white space and one {...} (braces nest) or [...] after a command, if there is one. */
static void skip_argument(lexer *x, char open, char close)
{
    size_t i = x->i, depth = 0;
    size_t limit = x->s.len - i < MAX_ARGUMENT ? x->s.len : i + MAX_ARGUMENT;
    while (i < limit && rdv_is_space(x->s.p[i]))
        i++;
    if (i >= limit || x->s.p[i] != open)
        return;
    for (; i < limit; i++) {
        if (x->s.p[i] == open)
            depth++;
        else if (x->s.p[i] == close && --depth == 0) {
            x->i = i + 1;
            return;
        }
    }
}

/* \text{...}: the words inside count, the braces vanish. */
static void text_command(lexer *x, size_t len)
{
    vanish(x, len);
    if (peek(x, 0) == '*')
        vanish(x, 1);
    if (peek(x, 0) == '{' && x->depth < MAX_DEPTH) {
        x->open[x->depth++] = VANISHED;
        x->next.upright = ++x->upright > 0;
        vanish(x, 1);
    }
}

/* Commands that make another symbol of a letter: the set of all integers is no letter Z. */
static bool is_alphabet(rdv_str command)
{
    static const char *const names[] = {"mathbb", "mathcal"};
    return rdv_named(command, names, sizeof names / sizeof *names) >= 0;
}

static void command(lexer *x)
{
    size_t i = x->i + 1;
    if (i < x->s.len && !rdv_is_alpha(x->s.p[i])) { /* \, \$ \( \\ ... */
        char c = x->s.p[i];
        const lex_sign *sign = lex_escape(c);
        if (c == '\\') {
            newline(x, 2);
            skip_argument(x, '[', ']');
        } else if (sign) {
            emit(x, sign->kind, 2);
        } else if (c == '[' || c == ']') {
            newline(x, 2); /* a display stands on lines of its own */
        } else if (c == '(' || c == ')') {
            vanish_border(x, 2);
        } else if (strchr(",;:! >&_#-", c)) {
            vanish(x, 2);
        } else {
            emit(x, TOK_OPAQUE, 2);
        }
        return;
    }
    i = rdv_skip_letters(x->s, i);
    size_t len = i - x->i;
    const lex_command *cmd = lex_command_named(rdv_slice(x->s, x->i + 1, i));
    if (!cmd) {
        emit(x, x->formula && len > 1 ? TOK_WORD : TOK_OPAQUE, len ? len : 1);
        return;
    }
    switch (cmd->what) {
    case LEX_VANISH:
        drop(x, len);
        if (peek(x, 0) == '.' && cmd->arg) /* \left. */
            drop(x, 1);
        break;
    case LEX_TEXT:
        if (x->formula && is_alphabet(rdv_slice(x->s, x->i + 1, i)))
            emit(x, TOK_WORD, len);
        else
            text_command(x, len);
        break;
    case LEX_SKIP_ARGUMENT: {
        size_t begin = x->i;
        newline(x, len);
        skip_argument(x, '{', '}');
        rdv_str all = rdv_slice(x->s, begin, x->i);
        bool cells = rdv_find(all, RDV_STR("matrix"), 0) != RDV_NOT_FOUND ||
                     rdv_find(all, RDV_STR("array"), 0) != RDV_NOT_FOUND ||
                     rdv_find(all, RDV_STR("cases"), 0) != RDV_NOT_FOUND ||
                     rdv_find(all, RDV_STR("tabular"), 0) != RDV_NOT_FOUND;
        if (cells)
            make_opaque(x);
        break;
    }
    case LEX_TOKEN:
        note_word(x);
        if (emit(x, cmd->kind == TOK_FUNCTION && x->formula ? TOK_WORD : cmd->kind, len)->kind ==
            TOK_WORD)
            note_symbol(x);
        if (cmd->arg) {
            x->args = cmd->arg;
            x->args_at = x->n;
            while (rdv_is_space(peek(x, 0)))
                vanish(x, 1);
        }
        break;
    }
}

/* "^\circ", "^{\circ}" and "^o" are degrees. */
static size_t degree_at(const lexer *x)
{
    static const char *const forms[] = {"^\\circ", "^{\\circ}", "^{\\circ }", "^ \\circ"};
    rdv_str rest = rdv_slice(x->s, x->i, x->s.len);
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (rdv_starts(rest, rdv_str_of(forms[k])))
            return strlen(forms[k]);
    return 0;
}

/* "7//2" divides, "https://" and "7 // two" do not. */
static bool between_numbers(const lexer *x, size_t len)
{
    size_t next = len;
    while (peek(x, next) == ' ')
        next++;
    return x->n && (x->at[x->n - 1].kind == TOK_NUMBER || x->at[x->n - 1].kind == TOK_CLOSE) &&
           (rdv_is_digit(peek(x, next)) || peek(x, next) == '(');
}

static bool operand_before(const lexer *x)
{
    return !x->next.space_before && operand_ends(x);
}

static bool at_line_start(const lexer *x)
{
    return !x->formula && (x->n == 0 || x->at[x->n - 1].kind == TOK_NEWLINE);
}

/* "**" is a power between operands without spaces, else bold; "*" is a product or a list's bullet.
 */
static void star(lexer *x)
{
    bool next_operand = rdv_is_alnum(peek(x, 2)) || peek(x, 2) == '(' || peek(x, 2) == '-';
    if (peek(x, 1) == '*') {
        if (operand_before(x) && next_operand && x->at[x->n - 1].kind != TOK_WORD)
            emit(x, TOK_POWER, 2);
        else
            drop(x, 2);
    } else if (at_line_start(x)) {
        emit(x, TOK_PUNCT, 1);
    } else {
        emit(x, TOK_TIMES, 1);
    }
}

/* A dash after the end of a sentence, with spaces around it, opens an item of a list. */
static bool after_sentence(const lexer *x)
{
    if (!x->n || x->at[x->n - 1].kind != TOK_PUNCT || !x->next.space_before)
        return false;
    char c = x->s.p[x->at[x->n - 1].begin];
    return c == '.' || c == ':' || c == ';';
}

/* "- - -": a line, not the negative of a negative. */
static bool is_dashed_line(const lexer *x, size_t len)
{
    bool after = peek(x, len) == ' ' && peek(x, len + 1) == '-' && peek(x, len + 2) == ' ';
    bool before = x->i > 2 && x->s.p[x->i - 1] == ' ' && x->s.p[x->i - 2] == '-' &&
                  x->s.p[x->i - 3] == ' ' && peek(x, len) == ' ';
    return after || before;
}

/* "$- 5 + 8", "\\[ - 5 + 8": no item of a list begins within a formula. */
static bool opens_formula(const lexer *x)
{
    size_t i = x->i;
    while (i > 0 && x->s.p[i - 1] == ' ')
        i--;
    i -= i > 2 && x->s.p[i - 1] == '\n' && x->s.p[i - 2] == '[';
    char c = i ? x->s.p[i - 1] : '\0', before = i > 1 ? x->s.p[i - 2] : '\0';
    return c == '$' || (before == '\\' && (c == '[' || c == '('));
}

static void minus(lexer *x, size_t len)
{
    char before = x->i ? x->s.p[x->i - 1] : ' ', after = peek(x, len);
    if (x->formula) {
        emit(x, TOK_MINUS, len);
        return;
    }
    bool long_word_after = rdv_is_alpha(after) && rdv_is_alpha(peek(x, len + 1));
    bool long_word_before = rdv_is_alpha(before) && x->i > 1 && rdv_is_alpha(x->s.p[x->i - 2]);
    if ((at_line_start(x) || after_sentence(x)) && rdv_is_space(after) && !opens_formula(x))
        emit(x, TOK_PUNCT, len); /* a bullet */
    else if (x->next.border && rdv_is_space(after) &&
             (peek(x, len + 1) == '$' || peek(x, len + 1) == '\\'))
        emit(x, TOK_PUNCT, len); /* a dash between two formulas */
    else if (is_dashed_line(x, len))
        emit(x, TOK_OPAQUE, len);
    else if ((long_word_after && rdv_is_alnum(before)) || (long_word_before && rdv_is_alnum(after)))
        emit(x, TOK_OPAQUE, len); /* a hyphen */
    else
        emit(x, TOK_MINUS, len);
}

/* The token.vulgar of the superscript digit `ahead` bytes from here, behind which none follows; 0:
 * there is none. */
static unsigned superscript_digit(const lexer *x, size_t ahead)
{
    size_t len, more;
    if (x->i + ahead >= x->s.len)
        return 0;
    const lex_sign *sign = lex_unicode(rdv_utf8_at(x->s, x->i + ahead, &len));
    size_t next = x->i + ahead + len;
    const lex_sign *after = next < x->s.len ? lex_unicode(rdv_utf8_at(x->s, next, &more)) : NULL;
    return sign && sign->kind == TOK_POWER && !(after && after->kind == TOK_POWER) ? sign->arg : 0;
}

/* The base of a logarithm in subscript digits, "log₂ 8" and "log₁₀ 100". False: there is none here.
 */
static bool subscript_base(lexer *x, uint32_t c, size_t len)
{
    size_t more = 0;
    uint32_t first = c - SUBSCRIPT_ZERO;
    if (x->formula || first > 9 || !is_behind_logarithm(x))
        return false;
    bool follows = x->i + len < x->s.len;
    uint32_t second = follows ? rdv_utf8_at(x->s, x->i + len, &more) - SUBSCRIPT_ZERO : 10;
    bool ten = first == 1 && second == 0;
    if (second <= 9 && !ten)
        return false;
    emit(x, TOK_UNDERSCORE, 0);
    emit(x, TOK_NUMBER, ten ? len + more : len)->vulgar =
        (uint8_t)(LEX_VULGAR_WHOLE + (ten ? 10 : first));
    return true;
}

/* "6 • 24": a bullet between operands is a product, where the text has no list with bullets. */
static bool bullet_of_product(lexer *x, uint32_t c, size_t len)
{
    if (c != BULLET)
        return false;
    char next = peek(x, len + (peek(x, len) == ' '));
    bool between =
        operand_ends(x) && x->at[x->n - 1].kind != TOK_WORD && (rdv_is_digit(next) || next == '(');
    x->lists |= !between;
    if (!between || x->lists)
        return false;
    emit(x, TOK_TIMES, len);
    return true;
}

/* A prime, or quotation marks that are typed for it, behind a letter and before a bracket: f’(3).
 */
static bool is_prime(const lexer *x, uint32_t c, size_t len)
{
    rdv_str mark = rdv_slice(x->s, x->i, x->i + len);
    size_t begin = x->i, end = x->i + len;
    for (int i = 0; i < PRIMES_MOST && rdv_ends(rdv_slice(x->s, 0, begin), mark); i++)
        begin -= len;
    for (int i = 0; i < PRIMES_MOST && rdv_starts(rdv_slice(x->s, end, x->s.len), mark); i++)
        end += len;
    bool of_function =
        begin > 0 && rdv_is_alpha(x->s.p[begin - 1]) && end < x->s.len && x->s.p[end] == '(';
    return c == PRIME || (c == QUOTATION_MARK && of_function);
}

static void unicode(lexer *x)
{
    size_t len;
    if (!x->formula && is_accented(x->s, x->i)) {
        accented_word(x);
        return;
    }
    uint32_t c = rdv_utf8_at(x->s, x->i, &len);
    if (subscript_base(x, c, len) || bullet_of_product(x, c, len))
        return;
    const lex_sign *sign = lex_unicode(c);
    if (sign && sign->kind == TOK_END) {
        vanish(x, len);
    } else if (sign && sign->kind == TOK_MINUS) {
        minus(x, len);
    } else if (c == SUPERSCRIPT_MINUS && superscript_digit(x, len)) {
        emit(x, TOK_POWER, 0);
        emit(x, TOK_MINUS, len);
        unsigned digit = superscript_digit(x, 0);
        rdv_utf8_at(x->s, x->i, &len);
        emit(x, TOK_NUMBER, len)->vulgar = (uint8_t)digit;
    } else if (sign &&
               sign->kind == TOK_POWER) { /* a superscript digit is a power and its number */
        size_t at = x->i;
        if (x->n && !x->next.space_before && x->at[x->n - 1].vulgar) { /* a second digit */
            emit(x, TOK_OPAQUE, len);
            return;
        }
        emit(x, TOK_POWER, 0);
        x->i = at;
        token *t = emit(x, TOK_NUMBER, len);
        t->vulgar = (uint8_t)sign->arg;
    } else if (x->formula && formula_is_letter(c)) {
        emit(x, TOK_WORD, len);
    } else if (is_prime(x, c, len)) {
        emit(x, x->formula ? TOK_PRIME : TOK_OPAQUE, len);
    } else if (!x->formula && c == 0x3a9 && follows_number(x)) { /* 2 Ω */
        note_word(x);
        emit(x, TOK_WORD, len);
    } else if (sign) {
        note_word(x);
        if (sign->kind == TOK_NUMBER)
            x->after_number = x->n + 1;
        emit(x, sign->kind, len)->vulgar = (uint8_t)sign->arg;
    } else {
        emit(x, TOK_OPAQUE, len);
    }
}

static bool beside_relation(const lexer *x)
{
    size_t i = x->i + 1, limit = x->s.len - i < MAX_GAP ? x->s.len : i + MAX_GAP;
    while (i < limit && (x->s.p[i] == ' ' || x->s.p[i] == '&'))
        i++;
    if (i < limit && strchr("=<>+-\\", x->s.p[i]))
        return true;
    return x->n && (x->at[x->n - 1].kind == TOK_EQUAL || x->at[x->n - 1].kind == TOK_APPROX);
}

static void ascii(lexer *x, char c)
{
    switch (c) {
    case '+':
        emit(x, peek(x, 1) == '/' && peek(x, 2) == '-' ? TOK_PLUSMINUS : TOK_PLUS,
             peek(x, 1) == '/' && peek(x, 2) == '-' ? 3 : 1);
        break;
    case '-':
        if (peek(x, 1) == '>')
            emit(x, TOK_PUNCT, 2);
        else
            minus(x, 1);
        break;
    case '*':
        star(x);
        break;
    case '/':
        if (peek(x, 1) == '/')
            emit(x, between_numbers(x, 2) ? TOK_FLOOR_DIVIDE : TOK_OPAQUE, 2);
        else
            emit(x, TOK_DIVIDE, 1);
        break;
    case '^': {
        size_t degree = degree_at(x);
        emit(x, degree ? TOK_DEGREE : TOK_POWER, degree ? degree : 1);
        break;
    }
    case '!':
        if (peek(x, 1) == '=' && !x->formula && operand_before(x) && peek(x, 2) != ' ')
            emit(x, TOK_OPAQUE, 2); /* "7!=5040" is a factorial or "not equal" */
        else
            emit(x, peek(x, 1) == '=' ? TOK_RELATION : TOK_BANG, peek(x, 1) == '=' ? 2 : 1);
        break;
    case '%':
        emit(x, TOK_PERCENT, 1);
        break;
    case '(':
    case '[':
    case '{':
        open_bracket(x, 1, c);
        break;
    case ')':
    case ']':
    case '}':
        close_bracket(x, 1, c);
        break;
    case '|':
        emit(x, TOK_BAR, 1);
        break;
    case '=':
        if (peek(x, 1) == '>')
            emit(x, TOK_PUNCT, 2);
        else
            emit(x, TOK_EQUAL, peek(x, 1) == '=' ? 2 : 1);
        break;
    case '~':
        if (peek(x, 1) == '\\' && operand_before(x)) { /* a tie: 5~\text{m} */
            vanish(x, 1);
            break;
        }
        emit(x, TOK_APPROX, peek(x, 1) == '=' ? 2 : 1);
        break;
    case '<':
        if (peek(x, 1) == '<')
            emit(x, TOK_MARK_OPEN, 2);
        else
            emit(x, TOK_RELATION, peek(x, 1) == '=' ? 2 : 1);
        break;
    case '>':
        if (peek(x, 1) == '>')
            emit(x, TOK_MARK_CLOSE, 2);
        else
            emit(x, TOK_RELATION, peek(x, 1) == '=' ? 2 : 1);
        break;
    case ',':
        emit(x, TOK_COMMA, 1);
        break;
    case '_':
        emit(x, TOK_UNDERSCORE, 1);
        break;
    case '$':
        /* Either a currency sign or a delimiter of mathematics; neither changes a value. */
        if (peek(x, 1) == '$')
            newline(x, 2);
        else
            vanish_border(x, 1);
        break;
    case '&': /* an alignment mark beside a relation, else a border between cells */
        if (beside_relation(x))
            vanish(x, 1);
        else
            emit(x, TOK_OPAQUE, 1);
        break;
    case '\'': /* a prime: f'(3) */
        emit(x, x->formula ? TOK_PRIME : TOK_OPAQUE, 1);
        break;
    case '#':
    case '@':
        emit(x, TOK_OPAQUE, 1);
        break;
    case '\\':
        command(x);
        break;
    case ':':
        emit(x, peek(x, 1) == '=' ? TOK_RELATION : TOK_PUNCT, peek(x, 1) == '=' ? 2 : 1);
        if (x->n > 1 && !x->failed && x->at[x->n - 2].kind == TOK_NUMBER &&
            !x->at[x->n - 1].space_before && rdv_is_digit(peek(x, 0)))
            make_opaque(x); /* a ratio or a time of day */
        break;
    default:
        emit(x, TOK_PUNCT, 1);
    }
}

static void next_token(lexer *x)
{
    if (x->s.p[x->i] == ' ' && x->i + 1 < x->s.len) /* before most tokens */
        vanish(x, 1);
    char c = x->s.p[x->i];
    switch (lex_byte_of(c)) {
    case LEX_SPACE:
        vanish(x, 1);
        break;
    case LEX_LETTER:
        word(x);
        break;
    case LEX_DIGIT:
        base_of_logarithm(x);
        number(x);
        break;
    case LEX_NEWLINE:
        newline(x, 1);
        break;
    case LEX_WIDE:
        unicode(x);
        break;
    case LEX_SIGN:
        if (c == '.' && rdv_is_digit(peek(x, 1)) && !operand_before(x))
            number(x);
        else
            ascii(x, c);
        break;
    }
}

static int lex_as(rdv_str text, bool formula, rdv_arena *arena, tokens *out)
{
    if (text.len > MAX_TEXT)
        return RDV_E_LIMIT;
    size_t open[MAX_DEPTH];
    *out = (tokens){.text = text};
    lexer x = {.s = text,
               .arena = arena,
               .slots = &out->slots,
               .open = open,
               .next = {.space_before = true, .pair = TOK_NO_PAIR},
               .after_number = SIZE_MAX,
               .formula = formula};
    size_t most = text.len + TOK_AHEAD + 2; /* a short text has few, which are kept with a row */
    x.cap = most < FIRST_ROOM ? most : FIRST_ROOM;
    x.at = rdv_alloc(arena, x.cap * sizeof *x.at);
    if (!x.at)
        return RDV_E_NOMEM;
    while (x.i < text.len && !(formula && x.n && x.at[0].kind == TOK_OPAQUE)) /* of prose: none */
        next_token(&x);
    emit(&x, TOK_END, 0);
    if (x.failed || !RDV_PUSH_ROOM_LARGE(arena, x.at, x.n + TOK_AHEAD, x.cap))
        return RDV_E_NOMEM;
    for (size_t k = 0; k < TOK_AHEAD; k++)
        x.at[x.n + k] = x.at[x.n - 1];
    out->at = x.at;
    out->n = x.n;
    out->kinds = x.kinds;
    out->words = x.words;
    out->counts = x.counts;
    out->calls = x.calls;
    return RDV_OK;
}

int lex(rdv_str text, rdv_arena *arena, tokens *out)
{
    return lex_as(text, false, arena, out);
}

int lex_formula(rdv_str text, rdv_arena *arena, tokens *out)
{
    return lex_as(text, true, arena, out);
}
