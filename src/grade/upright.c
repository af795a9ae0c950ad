/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/upright.h"

#include "answer/degrees.h"
#include "base/str.h"
#include "notation/units.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Units with more factors than this are not read. */
#define FACTORS_MAX 8
/* The longest symbol of a unit, and room for a factor with its sign, prefix and power. */
#define SYMBOL_MAX 12
#define FACTOR_MAX 32

/* Symbols of one letter. "M" is left out: it is mega, molar or a million. */
static const struct {
    char symbol;
    const char *name;
} names[] = {{'m', "meters"},   {'s', "seconds"}, {'g', "grams"},   {'h', "hours"},
             {'l', "liters"},   {'L', "liters"},  {'N', "newtons"}, {'J', "joules"},
             {'W', "watts"},    {'V', "volts"},   {'A', "amperes"}, {'K', "kelvins"},
             {'C', "coulombs"}, {'F', "farads"},  {'T', "teslas"},  {'H', "henries"}};

/* Symbols that a prefix may stand before. */
static const char *const bases[] = {"m",  "g",  "s",   "l",   "L",   "N",  "J",  "W",
                                    "V",  "A",  "K",   "C",   "F",   "T",  "H",  "Pa",
                                    "Hz", "eV", "mol", "cal", "bar", "Wh", "Sv", "Bq"};

/* What sets its braces upright. */
static const char *const wrappers[] = {"text",   "mathrm", "textnormal",   "textrm", "mbox",
                                       "textup", "hbox",   "operatorname", "rm"};

typedef struct unit_reader {
    rdv_str s;
    size_t at;
    char words[FACTORS_MAX * FACTOR_MAX]; /* what was read */
    size_t len;
    size_t upright;  /* open braces of wrappers */
    size_t fraction; /* 0: in none; 1: above the line; 2: below it */
    size_t factors;
    bool needed;    /* is there something that words of several letters do not say? */
    bool divided;   /* the next factor divides */
    bool powered;   /* the last factor has its power */
    rdv_str prefix; /* of the next symbol: "\mu" */
} unit_reader;

static char peek(const unit_reader *u, size_t ahead)
{
    return u->at + ahead < u->s.len ? u->s.p[u->at + ahead] : '\0';
}

static bool starts(const unit_reader *u, const char *text)
{
    return rdv_starts(rdv_slice(u->s, u->at, u->s.len), rdv_str_of(text));
}

static bool take(unit_reader *u, const char *text)
{
    if (!starts(u, text))
        return false;
    u->at += strlen(text);
    return true;
}

/* A command by its whole name. */
static bool take_command(unit_reader *u, const char *name)
{
    size_t len = strlen(name);
    if (peek(u, 0) != '\\' || !rdv_starts(rdv_slice(u->s, u->at + 1, u->s.len), rdv_str_of(name)) ||
        rdv_is_alpha(peek(u, len + 1)))
        return false;
    u->at += len + 1;
    return true;
}

static void skip_blanks(unit_reader *u)
{
    static const char *const blanks[] = {" ", "~", "\\,", "\\;", "\\:", "\\ ", "\\!", "\xc2\xa0"};
    for (size_t k = 0; k < COUNT(blanks);)
        k = take(u, blanks[k]) ? 0 : k + 1;
}

/* The name of a unit whose symbol is one letter: "m" is "meters"; p == NULL: it is none. */
static rdv_str name_of(char symbol)
{
    for (size_t k = 0; k < COUNT(names); k++)
        if (names[k].symbol == symbol)
            return rdv_str_of(names[k].name);
    return (rdv_str){0};
}

/* "kPa", "mA": a prefix and a symbol. */
static bool is_prefixed(rdv_str symbol)
{
    return strchr("kMGTmcdnphu", symbol.p[0]) &&
           rdv_named(rdv_slice(symbol, 1, symbol.len), bases, COUNT(bases)) >= 0;
}

static bool is_unit(rdv_str symbol)
{
    unit_meaning m;
    bool known = unit_find_in_prose(symbol, &m);
    bool counts =
        known && (m.unit->power[BASE_ONE] || m.unit->power[BASE_CENT] || m.unit->power[BASE_EURO]);
    return (known && !counts) || is_prefixed(symbol);
}

/* One factor fits in FACTOR_MAX bytes, so `words` never overflows. */
static void put(unit_reader *u, rdv_str text)
{
    for (size_t i = 0; i < text.len; i++)
        u->words[u->len++] = text.p[i];
}

/* Write a factor: after a blank or a slash, with its prefix. */
static bool put_factor(unit_reader *u, rdv_str word)
{
    if (u->factors++ == FACTORS_MAX)
        return false;
    put(u, u->divided ? RDV_STR("/") : RDV_STR(" "));
    put(u, u->prefix);
    put(u, word);
    u->powered = false;
    u->divided = u->fraction == 2;
    u->prefix = (rdv_str){0};
    return true;
}

static bool read_symbol(unit_reader *u)
{
    size_t begin = u->at;
    while (rdv_is_alpha(peek(u, 0)) && u->at - begin < SYMBOL_MAX)
        u->at++;
    rdv_str symbol = rdv_slice(u->s, begin, u->at);
    if (symbol.len > 1)
        return is_unit(symbol) && put_factor(u, symbol);
    rdv_str name = name_of(symbol.p[0]);
    u->needed = true;
    if (strchr("kMGm", symbol.p[0]) && starts(u, "\\Omega"))
        return (u->prefix = symbol).p;
    return name.p && put_factor(u, name);
}

/* "^\circ\text{C}", or U+00B0 and the letter: degrees of temperature. */
static bool read_temperature(unit_reader *u)
{
    size_t len = degrees_len(rdv_slice(u->s, u->at, u->s.len), false);
    if (!len)
        return false;
    u->at += len;
    skip_blanks(u);
    bool braced = false;
    for (size_t k = 0; k < COUNT(wrappers) && !braced; k++)
        braced = take_command(u, wrappers[k]) && take(u, "{");
    skip_blanks(u);
    char letter = peek(u, 0);
    if ((letter != 'C' && letter != 'F') || rdv_is_alpha(peek(u, 1)))
        return false;
    u->at++;
    u->needed = true;
    return put_factor(u, letter == 'C' ? RDV_STR("celsius") : RDV_STR("fahrenheit")) &&
           (!braced || take(u, "}"));
}

/* "^2", "^{-1}" after a factor. */
static bool read_power(unit_reader *u)
{
    skip_blanks(u);
    u->at++;
    bool braced = take(u, "{"), below = take(u, "-");
    if (!rdv_is_digit(peek(u, 0)) || rdv_is_digit(peek(u, 1)) || u->powered)
        return false;
    put(u, below ? RDV_STR("^{-") : RDV_STR("^{"));
    put(u, rdv_slice(u->s, u->at, u->at + 1));
    put(u, RDV_STR("}"));
    u->powered = true;
    u->at++;
    u->needed = u->needed || below;
    return !braced || take(u, "}");
}

static bool open_wrapper(unit_reader *u)
{
    for (size_t k = 0; k < COUNT(wrappers); k++) {
        size_t begin = u->at;
        if (!take_command(u, wrappers[k]))
            continue;
        skip_blanks(u);
        if (take(u, "{")) {
            u->upright++;
            return true;
        }
        u->at = begin;
    }
    return false;
}

/* "\frac{\text{km}}{\text{h}}": its line is a slash. */
static bool open_fraction(unit_reader *u)
{
    if (u->fraction ||
        !(take_command(u, "frac") || take_command(u, "dfrac") || take_command(u, "tfrac")))
        return false;
    u->fraction = 1;
    u->needed = true;
    skip_blanks(u);
    return take(u, "{");
}

/* A closing brace: of a wrapper, or of a part of the fraction. False: it belongs to neither. */
static bool close_group(unit_reader *u)
{
    if (u->upright > 0) {
        u->upright--;
    } else if (u->fraction == 1) {
        u->at++;
        u->fraction = 2;
        u->divided = true;
        skip_blanks(u);
        return take(u, "{");
    } else if (u->fraction == 2) {
        u->fraction = 3;
        u->divided = false;
    } else {
        return false;
    }
    u->at++;
    return true;
}

/* One part of the unit, or false where none stands. */
static bool read_part(unit_reader *u)
{
    char c = peek(u, 0);
    if (c == '}')
        return close_group(u);
    if (c == '^' && u->factors)
        return read_power(u);
    if (c == '/' && u->factors && !u->divided) {
        u->divided = true;
        u->at++;
        return true;
    }
    if (take_command(u, "cdot") || take(u, "\xc2\xb7"))
        return (u->needed = u->factors > 0);
    if (take_command(u, "Omega") || take(u, "\xce\xa9") || take(u, "\xe2\x84\xa6"))
        return (u->needed = put_factor(u, RDV_STR("ohms")));
    if (take_command(u, "mu") || take(u, "\xc2\xb5") || take(u, "\xce\xbc"))
        return (u->prefix = RDV_STR("micro")).p;
    if (rdv_is_alpha(c))
        return u->upright > 0 && read_symbol(u);
    return open_wrapper(u) || open_fraction(u);
}

/* Does the answer, or an item of it, end at the byte that is reached? A closing brace may be that
 * of a box. */
static bool item_ends(unit_reader *u)
{
    static const char *const ends[] = {"\\)",   "\\]",      "\\}",       "\\\\",       "\\end",
                                       "\\and", "\\approx", "\\quad",    "\\text{ an", "\\text{ or",
                                       "and ",  "or ",      "\\text{an", "\\text{or",  "\\right"};
    skip_blanks(u);
    char c = peek(u, 0);
    if (c == '.' && rdv_is_digit(peek(u, 1)))
        return false;
    for (size_t k = 0; k < COUNT(ends); k++)
        if (starts(u, ends[k]))
            return true;
    return c == '\0' || strchr(".,;)]=&}$\n", c);
}

size_t upright_unit_end(rdv_str s, size_t i, rdv_buf *out)
{
    unit_reader u = {.s = s, .at = i};
    skip_blanks(&u);
    size_t begin = u.at;
    bool temperature = read_temperature(&u), more = !temperature;
    if (more)
        u = (unit_reader){.s = s, .at = begin};
    while (more) {
        size_t before = u.at;
        bool whole = u.factors && u.upright == 0 && (u.fraction == 0 || u.fraction == 3);
        if ((whole && item_ends(&u)) || !read_part(&u)) {
            u.at = before;
            more = false;
        }
        skip_blanks(&u);
    }
    bool closed = u.upright == 0 && (u.fraction == 0 || u.fraction == 3);
    if (!u.needed || !u.factors || !closed || u.divided || u.prefix.len || !item_ends(&u))
        return i;
    rdv_buf_add(out, (rdv_str){u.words, u.len});
    return u.at;
}

/* "2" of "^2" and "^{2}" at the end of *s, which loses it; 0: none. */
static char cut_power(rdv_str *s)
{
    bool braced = rdv_ends(*s, RDV_STR("}"));
    size_t digit = s->len - braced, sign = digit - 1 - braced;
    if (s->len < 4 || !rdv_is_digit(s->p[digit - 1]) || s->p[sign - 1] != '^' ||
        (braced && s->p[sign] != '{'))
        return '\0';
    char power = s->p[digit - 1];
    *s = rdv_slice(*s, 0, sign - 1);
    return power;
}

rdv_str upright_value(rdv_str answer, rdv_str words)
{
    answer = rdv_trim(answer);
    words = rdv_trim(words);
    if (words.len == 0 || cut_power(&answer) != cut_power(&words) || answer.len < 2)
        return (rdv_str){0};
    rdv_str name = name_of(answer.p[answer.len - 1]);
    char before = answer.p[answer.len - 2];
    if (!name.p || !rdv_str_eq(name, words) || !(rdv_is_digit(before) || before == ' '))
        return (rdv_str){0};
    return rdv_trim(rdv_slice(answer, 0, answer.len - 1));
}
