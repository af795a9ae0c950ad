/* SPDX-License-Identifier: Apache-2.0 */
/* The decimal comma: whether a record writes it, and its numbers rewritten with a point. A comma
 * between digits may also divide thousands or the items of a list, so that only what leaves no
 * doubt speaks for the convention: an amount, a share, a measurement, an operand. */
#include "notation/decimal_comma.h"

#include "base/arena.h"
#include "base/str.h"
#include "notation/lex_number.h"

#include <rederive/math.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_GROUPS 8

/* ---- one number ------------------------------------------------------------------------------ */

typedef enum separator {
    SEP_NONE,
    SEP_COMMA,
    SEP_BRACED_COMMA, /* {,} */
    SEP_POINT,
    SEP_SPACE,      /* which may also stand between two numbers */
    SEP_THIN_SPACE, /* no-break and thin spaces, \, */
} separator;

/* Digits and what stands between them, as far as it may be one number. */
typedef struct run {
    size_t begin, end;
    size_t n; /* groups of digits; more than MAX_GROUPS: it is no number */
    size_t len[MAX_GROUPS];
    separator sep[MAX_GROUPS]; /* sep[i] stands before group i; sep[0] is SEP_NONE */
} run;

/* The sign at byte `i` that a digit follows, and its length. */
static separator separator_at(rdv_str s, size_t i, size_t *len)
{
    static const struct {
        const char *sign;
        separator is;
    } signs[] = {{",", SEP_COMMA},
                 {".", SEP_POINT},
                 {" ", SEP_SPACE},
                 {"{,}", SEP_BRACED_COMMA},
                 {"\\,", SEP_THIN_SPACE},
                 {"\xc2\xa0", SEP_THIN_SPACE},
                 {"\xe2\x80\xaf", SEP_THIN_SPACE},
                 {"\xe2\x80\x89", SEP_THIN_SPACE}};
    rdv_str rest = rdv_slice(s, i, s.len);
    for (size_t k = 0; k < COUNT(signs); k++) {
        *len = strlen(signs[k].sign);
        if (rdv_starts(rest, rdv_str_of(signs[k].sign)) && rdv_is_digit(rdv_char_at(s, i + *len)))
            return signs[k].is;
    }
    return SEP_NONE;
}

/* May spaces divide thousands before the group of digits at byte `i`? */
static bool is_group_of_three(rdv_str s, size_t i)
{
    return rdv_skip_digits(s, i) == i + 3;
}

/* The run that begins at byte `begin` with a digit. */
static run run_at(rdv_str s, size_t begin)
{
    run r = {.begin = begin, .end = rdv_skip_digits(s, begin), .n = 1};
    r.len[0] = r.end - begin;
    size_t len;
    for (separator is; (is = separator_at(s, r.end, &len)) != SEP_NONE; r.n++) {
        bool space = is == SEP_SPACE || is == SEP_THIN_SPACE;
        if (space &&
            (r.len[0] > 3 || rdv_char_at(s, begin) == '0' || !is_group_of_three(s, r.end + len) ||
             (r.n > 1 && r.n <= MAX_GROUPS && r.sep[r.n - 1] != is)))
            break;
        size_t digits = r.end + len;
        r.end = rdv_skip_digits(s, digits);
        if (r.n < MAX_GROUPS) {
            r.sep[r.n] = is;
            r.len[r.n] = r.end - digits;
        }
    }
    return r;
}

static bool is_comma(separator is)
{
    return is == SEP_COMMA || is == SEP_BRACED_COMMA;
}

/* Are the groups up to `n` divided by one sign, as thousands are? */
static bool are_thousands(rdv_str s, const run *r, size_t n)
{
    if (r->len[0] > 3 || (n > 1 && s.p[r->begin] == '0'))
        return false;
    for (size_t i = 1; i < n; i++)
        if (is_comma(r->sep[i]) || r->sep[i] != r->sep[1] || r->len[i] != 3)
            return false;
    return true;
}

typedef enum form {
    FORM_OTHER,
    FORM_COMMA,         /* 4,50: a decimal comma, or a list */
    FORM_CERTAIN_COMMA, /* 1.250,00, 3{,}5 */
    FORM_DOUBTFUL,      /* 1,250: a decimal comma, or thousands */
    FORM_THOUSANDS,     /* 1.250 */
    FORM_POINT,         /* 4.50 */
    FORM_CERTAIN_POINT  /* 1,250.00, 1,250,000 */
} form;

static form form_of(rdv_str s, const run *r)
{
    size_t n = r->n, last = n - 1;
    if (n == 1 || n > MAX_GROUPS)
        return FORM_OTHER;
    if (is_comma(r->sep[last]) && n > 2 && are_thousands(s, r, last))
        return FORM_CERTAIN_COMMA;
    if (n == 2 && is_comma(r->sep[1])) {
        bool three = r->len[1] == 3 && r->len[0] <= 3 && s.p[r->begin] != '0';
        return three                           ? FORM_DOUBTFUL
               : r->sep[1] == SEP_BRACED_COMMA ? FORM_CERTAIN_COMMA
                                               : FORM_COMMA;
    }
    if (are_thousands(s, r, n))
        return FORM_THOUSANDS;
    if (n == 2 && r->sep[1] == SEP_POINT)
        return FORM_POINT;
    bool grouped = r->len[0] <= 3 && n > 2;
    for (size_t i = 1; i < n; i++)
        grouped = grouped && ((r->sep[i] == SEP_COMMA && r->len[i] == 3) ||
                              (i == last && r->sep[i] == SEP_POINT));
    return grouped ? FORM_CERTAIN_POINT : FORM_OTHER;
}

/* ---- what stands beside it ------------------------------------------------------------------- */

static size_t skip_blanks(rdv_str s, size_t i)
{
    size_t len = 0;
    while (i < s.len) {
        if (s.p[i] == ' ' || s.p[i] == '~')
            len = 1;
        else if (rdv_char_at(s, i) == '\\' &&
                 (rdv_char_at(s, i + 1) == ',' || rdv_char_at(s, i + 1) == ' '))
            len = 2;
        else if (rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xc2\xa0")))
            len = 2;
        else if (rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\xaf")))
            len = 3;
        else
            break;
        i += len;
    }
    return i;
}

static size_t skip_blanks_back(rdv_str s, size_t i)
{
    while (i > 0 && (s.p[i - 1] == ' ' || s.p[i - 1] == '~'))
        i--;
    return i;
}

static bool stands_before(rdv_str s, size_t i, const char *sign)
{
    return rdv_ends(rdv_slice(s, 0, i), rdv_str_of(sign));
}

/* Does one of the signs stand on either side? */
static bool is_beside(rdv_str s, const run *r, const char *const *signs, size_t n)
{
    size_t before = skip_blanks_back(s, r->begin);
    rdv_str after = rdv_slice(s, skip_blanks(s, r->end), s.len);
    for (size_t k = 0; k < n; k++)
        if (stands_before(s, before, signs[k]) || rdv_starts(after, rdv_str_of(signs[k])))
            return true;
    return false;
}

/* Is it multiplied or divided? No list is. */
static bool is_operand(rdv_str s, const run *r)
{
    static const char *const signs[] = {
        "*",      "/",       "\xc3\x97", "\xc3\xb7",     "\xc2\xb7",
        "\\cdot", "\\times", "\\div",    "\xe2\x8b\x85", "\xe2\x88\x99"};
    return is_beside(s, r, signs, COUNT(signs));
}

static bool is_summand(rdv_str s, const run *r)
{
    static const char *const signs[] = {"+"};
    return is_beside(s, r, signs, COUNT(signs));
}

static bool is_side(rdv_str s, const run *r)
{
    static const char *const signs[] = {"=", "\xe2\x89\x88", "\\approx"};
    return is_beside(s, r, signs, COUNT(signs));
}

/* Money or a percentage. */
static bool is_amount(rdv_str s, const run *r)
{
    static const char *const before[] = {"\xe2\x82\xac", "\xc2\xa3", "R$", "EUR", "CHF"};
    static const char *const after[] = {"\xe2\x82\xac", "%", "\\%", "EUR", "Euro", "euro", "CHF"};
    size_t i = skip_blanks_back(s, r->begin);
    rdv_str rest = rdv_slice(s, skip_blanks(s, r->end), s.len);
    for (size_t k = 0; k < COUNT(before); k++)
        if (stands_before(s, i, before[k]))
            return true;
    for (size_t k = 0; k < COUNT(after); k++)
        if (rdv_starts(rest, rdv_str_of(after[k])))
            return true;
    return false;
}

/* The unit behind it: of more letters than one, or of one, which may be a variable. */
static bool has_unit(rdv_str s, const run *r, bool *is_letter)
{
    static const char *const units[] = {
        "m",         "l",         "L",      "g",     "t",      "h",       "s",       "W",
        "V",         "A",         "N",      "J",     "cm",     "mm",      "km",      "dm",
        "kg",        "mg",        "ml",     "mL",    "cl",     "dl",      "hl",      "ha",
        "min",       "kWh",       "kW",     "Liter", "Litern", "litres",  "litros",  "litri",
        "Meter",     "Metern",    "metros", "metri", "Gramm",  "gramos",  "grammes", "grammi",
        "Prozent",   "Stunden",   "heures", "horas", "ore",    "Minuten", "minutos", "minuti",
        "Kilogramm", "Kilometer", "kilos"};
    size_t begin = skip_blanks(s, r->end), end = rdv_skip_letters(s, begin);
    rdv_str word = rdv_slice(s, begin, end);
    *is_letter = word.len == 1;
    bool goes_on = rdv_char_at(s, end) == '_' || (word.len == 1 && rdv_char_at(s, end) == '(');
    if (rdv_starts(rdv_slice(s, begin, s.len), RDV_STR("\xc2\xb0"))) /* °C */
        return true;
    for (size_t k = 0; k < COUNT(units) && !goes_on; k++)
        if (rdv_str_eq(word, rdv_str_of(units[k])))
            return true;
    return false;
}

/* May "3,5" be two items: (3,5), {3,5}, f(2,5), [0,1]? A power, "(1,5)^2", is that of a number, and
 * the argument of a command or of a power is one. */
static bool may_be_list(rdv_str s, const run *r)
{
    size_t open = skip_blanks_back(s, r->begin), close = skip_blanks(s, r->end);
    if (open > 0 && s.p[open - 1] == '-')
        open = skip_blanks_back(s, open - 1);
    char before = open > 0 ? s.p[open - 1] : '\0', after = rdv_char_at(s, close);
    if (before == '\0' || !strchr("([{", before))
        return false;
    if (after == '\\')
        after = rdv_char_at(s, close + 1);
    if (after == '\0' || !strchr(")]}|;", after))
        return false;
    char head = open > 1 ? s.p[open - 2] : '\0';
    if (before == '{')
        return !(rdv_is_alpha(head) || head == '}' || head == '^' || head == ']');
    bool power = rdv_char_at(s, close + 1) == '^' ||
                 rdv_starts(rdv_slice(s, close + 1, s.len), RDV_STR("\xc2\xb2"));
    return !(before == '(' && power && !rdv_is_alpha(head));
}

/* Do the letters before byte `i` make a name, not a command? */
static bool ends_name(rdv_str s, size_t i)
{
    size_t begin = i;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    return begin < i && !(begin > 0 && s.p[begin - 1] == '\\');
}

/* Is it an index, or a part of a name or of something longer? */
static bool is_part(rdv_str s, const run *r)
{
    char before = r->begin > 0 ? s.p[r->begin - 1] : '\0', after = rdv_char_at(s, r->end);
    return before == '_' || before == '.' || before == ',' || ends_name(s, r->begin) ||
           after == '_' || (r->begin > 1 && before == '{' && s.p[r->begin - 2] == '_');
}

/* "1,2, 3", "2,5 and 7" */
static bool goes_on_as_list(rdv_str s, const run *r)
{
    size_t i = skip_blanks(s, r->end);
    if (rdv_char_at(s, i) == ',')
        return rdv_is_digit(rdv_char_at(s, skip_blanks(s, i + 1)));
    rdv_str rest = rdv_slice(s, i, s.len);
    return rdv_starts(rest, RDV_STR("and ")) || rdv_starts(rest, RDV_STR("or "));
}

/* ---- the convention of a record -------------------------------------------------------------- */

/* What is written with decimal commas, as far as a few words tell. */
typedef enum tongue { TONGUE_NOT_ASKED, TONGUE_OTHER, TONGUE_ENGLISH, TONGUE_WITH_COMMAS } tongue;

/* Texts of one record. */
typedef struct record_texts {
    rdv_str question;
    const rdv_str *steps;
    size_t n;
} record_texts;

static rdv_str text_of(const record_texts *r, size_t i)
{
    return i == 0 ? r->question : r->steps[i - 1];
}

/* The bytes that stand in a record, of which a word has none but these. */
typedef struct bytes_there {
    bool is[256];
} bytes_there;

static void find_bytes(const record_texts *r, bytes_there *out)
{
    *out = (bytes_there){{0}};
    for (size_t i = 0; i <= r->n; i++) {
        rdv_str s = text_of(r, i);
        for (size_t at = 0; at < s.len; at++)
            out->is[(unsigned char)s.p[at]] = true;
    }
}

static bool stands_in(const record_texts *r, const bytes_there *bytes, rdv_str word)
{
    for (size_t i = 0; bytes && i < word.len; i++)
        if (!bytes->is[(unsigned char)word.p[i]])
            return false;
    for (size_t i = 0; i <= r->n; i++)
        if (rdv_find(text_of(r, i), word, 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

/* Do two of the words stand in the record? `bytes` may be NULL. */
static bool two_stand_in(const record_texts *r, const bytes_there *bytes, const char *const *words,
                         size_t n)
{
    size_t found = 0;
    for (size_t k = 0; k < n && found < 2; k++)
        found += stands_in(r, bytes, rdv_str_of(words[k]));
    return found == 2;
}

static tongue tongue_of(const record_texts *r)
{
    static const char *const english[] = {" the ", "The ", " is ", " and ", " of ", " are "};
    static const char *const commas[] = {
        "Der ",   "Die ",     "Das ",    "Ein ",         "Eine ",        " von ",
        " mal ",  " der ",    " die ",   " das ",        " und ",        " ist ",
        " sind ", " kostet ", " wie ",   " ein ",        " le ",         " les ",
        " est ",  " donc ",   " une ",   " et ",         " des ",        " el ",
        " los ",  " por ",    " una ",   " es ",         " son ",        " il ",
        " che ",  " sono ",   " un ",    " di ",         " het ",        " een ",
        " zijn ", " jest ",   " um ",    " uma ",        " s\xc3\xa3o ", " \xc3\xa9 ",
        "Wie ",   " viele ",  "Welche ", "Cu\xc3\xa1nt", "cu\xc3\xa1nt", " del ",
        " las ",  "Combien ", "Quanti ", "Quante ",      "Hoeveel ",     " van ",
        "Hur ",   " och ",    "Hvor ",   " mange "};
    if (two_stand_in(r, NULL, english, COUNT(english)))
        return TONGUE_ENGLISH;
    bytes_there bytes; /* formulas alone have few */
    find_bytes(r, &bytes);
    return two_stand_in(r, &bytes, commas, COUNT(commas)) ? TONGUE_WITH_COMMAS : TONGUE_OTHER;
}

bool decimal_comma_tongue(rdv_str question, const rdv_str *steps, size_t n)
{
    record_texts r = {question, steps, n};
    return tongue_of(&r) == TONGUE_WITH_COMMAS;
}

/* What speaks for a convention leaves no doubt, or does so where there is more of it. */
enum { CERTAIN = 6, LIKELY = 2, SLIGHT = 1 };

/* The digits that stand before a space before byte `i`; `i`: there are none, or too many. */
static size_t group_before_space(rdv_str s, size_t i)
{
    static const char *const spaces[] = {" ", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89"};
    for (size_t k = 0; k < COUNT(spaces); k++) {
        if (!stands_before(s, i, spaces[k]))
            continue;
        size_t end = i - strlen(spaces[k]), begin = end;
        while (begin > 0 && end - begin < 4 && rdv_is_digit(s.p[begin - 1]))
            begin--;
        return begin < end && end - begin < 4 ? begin : i;
    }
    return i;
}

/* The run that holds the sign at byte `i`. */
static run run_around(rdv_str s, size_t i)
{
    size_t begin = i;
    while (begin > 0) {
        char c = s.p[begin - 1];
        bool braced = (c == '{' && s.p[begin] == ',') || (c == '}' && begin > 2);
        if (!rdv_is_digit(c) && c != ',' && c != '.' && !braced)
            break;
        begin--;
    }
    while (begin < i && !rdv_is_digit(s.p[begin]))
        begin++;
    for (size_t k = 0, from = begin; k < MAX_GROUPS && is_group_of_three(s, from); k++) {
        size_t before = group_before_space(s, from);
        if (before == from)
            break;
        from = before;
        if (run_at(s, from).end > i)
            begin = from;
    }
    run r = run_at(s, begin);
    while (r.end <= i) { /* "3 500,5": what stands before is another number */
        begin = r.end;
        while (begin < i && !rdv_is_digit(s.p[begin]))
            begin++;
        if (begin >= i)
            break;
        r = run_at(s, begin);
    }
    return r;
}

static unsigned weight_of_comma(const record_texts *record, rdv_str s, const run *r, tongue *is)
{
    form f = form_of(s, r);
    bool letter;
    if (f == FORM_CERTAIN_COMMA)
        return CERTAIN;
    if (f != FORM_COMMA || may_be_list(s, r) || is_part(s, r) || goes_on_as_list(s, r) ||
        lex_comma_parts(s, r->begin, r->begin + r->len[0]))
        return 0;
    if (r->len[1] > 3 && s.p[r->begin] != '0') /* "16,0000" may be a slip for thousands */
        return 0;
    if (is_amount(s, r))
        return CERTAIN;
    bool unit = has_unit(s, r, &letter), operand = is_operand(s, r);
    if (unit && !letter)
        return CERTAIN;
    if (*is == TONGUE_NOT_ASKED)
        *is = tongue_of(record);
    if (*is == TONGUE_WITH_COMMAS || (*is == TONGUE_OTHER && (unit || operand)))
        return CERTAIN;
    if (unit || operand)
        return LIKELY;
    /* "x = 1,2" may list two solutions, "0,5 + 0,25 = 0,75" lists nothing. */
    unsigned zero = s.p[r->begin] == '0' ? SLIGHT : 0;
    if (*is == TONGUE_ENGLISH)
        return 0;
    return is_summand(s, r) ? LIKELY + zero : is_side(s, r) ? SLIGHT + zero : 0;
}

static unsigned weight_of_point(rdv_str s, const run *r)
{
    bool letter;
    form f = form_of(s, r);
    if (f == FORM_CERTAIN_POINT)
        return CERTAIN;
    if (f != FORM_POINT || is_part(s, r))
        return 0;
    bool dollar = r->begin > 0 && s.p[r->begin - 1] == '$';
    return dollar || is_amount(s, r) || has_unit(s, r, &letter) || is_operand(s, r) ||
                   is_summand(s, r) || is_side(s, r)
               ? CERTAIN
               : 0;
}

/* *points: of the commas that divide thousands, "1,250,000". */
static unsigned weight_of_commas(const record_texts *record, unsigned *points)
{
    unsigned weight = 0;
    tongue is = TONGUE_NOT_ASKED;
    for (size_t k = 0; k <= record->n; k++) {
        rdv_str s = text_of(record, k);
        for (size_t i = rdv_find_char(s, ',', 0); i != RDV_NOT_FOUND;) {
            bool braced = i > 0 && s.p[i - 1] == '{' && rdv_char_at(s, i + 1) == '}';
            size_t before = braced ? i - 1 : i, after = braced ? i + 2 : i + 1;
            if (before > 0 && rdv_is_digit(s.p[before - 1]) &&
                rdv_is_digit(rdv_char_at(s, after))) {
                run r = run_around(s, i);
                weight += weight_of_comma(record, s, &r, &is);
                *points += form_of(s, &r) == FORM_CERTAIN_POINT ? CERTAIN : 0;
                after = r.end > after ? r.end : after;
            }
            i = rdv_find_char(s, ',', after);
        }
    }
    return weight;
}

static unsigned weight_of_points(const record_texts *record)
{
    unsigned weight = 0;
    for (size_t k = 0; k <= record->n; k++) {
        rdv_str s = text_of(record, k);
        for (size_t i = rdv_find_char(s, '.', 0); i != RDV_NOT_FOUND;) {
            size_t after = i + 1;
            if (i > 0 && rdv_is_digit(s.p[i - 1]) && rdv_is_digit(rdv_char_at(s, after))) {
                run r = run_around(s, i);
                weight += weight_of_point(s, &r);
                after = r.end > after ? r.end : after;
            }
            i = rdv_find_char(s, '.', after);
        }
    }
    return weight;
}

rdv_decimal rdv_decimal_found(rdv_str question, const rdv_str *steps, size_t n)
{
    record_texts r = {question, steps, n};
    unsigned points = 0, commas = weight_of_commas(&r, &points);
    return commas >= CERTAIN && commas > points + weight_of_points(&r) ? RDV_DECIMAL_COMMA
                                                                       : RDV_DECIMAL_POINT;
}

/* ---- rewriting ------------------------------------------------------------------------------- */

/* Write the number anew in its place, its thousands divided by commas. */
static void write_run(char *to, rdv_str s, const run *r)
{
    size_t from = r->begin, n = r->begin;
    for (size_t k = 0; k < r->n; k++) {
        while (!rdv_is_digit(s.p[from]))
            from++;
        if (is_comma(r->sep[k]))
            to[n++] = '.';
        else if (k > 0)
            to[n++] = ',';
        memmove(to + n, s.p + from, r->len[k]);
        n += r->len[k];
        from += r->len[k];
    }
    while (n < r->end)
        to[n++] = DECIMAL_PAD;
}

static bool is_rewritten(rdv_str s, const run *r)
{
    switch (form_of(s, r)) {
    case FORM_CERTAIN_COMMA:
    case FORM_THOUSANDS:
        return !is_part(s, r);
    case FORM_COMMA:
        return !is_part(s, r) && !may_be_list(s, r) && !goes_on_as_list(s, r);
    case FORM_DOUBTFUL:
        return !is_part(s, r) && !goes_on_as_list(s, r);
    default:
        return false;
    }
}

int decimal_comma_fold(rdv_str text, rdv_arena *arena, rdv_str *out)
{
    char *to = NULL;
    *out = text;
    for (size_t i = 0; i < text.len;) {
        if (!rdv_is_digit(text.p[i])) {
            i++;
            continue;
        }
        run r = run_at(text, i);
        if (is_rewritten(text, &r)) {
            if (!to && !(to = rdv_cstring(arena, text)))
                return RDV_E_NOMEM;
            write_run(to, text, &r);
        }
        i = r.end;
    }
    if (to)
        out->p = to;
    return RDV_OK;
}

size_t decimal_comma_end(rdv_str text, rdv_str folded, size_t end)
{
    while (end < text.len && folded.p[end] == DECIMAL_PAD && text.p[end] != DECIMAL_PAD)
        end++;
    return end;
}

/* Do spaces divide the thousands of a number of the text? */
static bool has_spaced_thousands(rdv_str text)
{
    for (size_t i = 0; i < text.len;) {
        if (!rdv_is_digit(text.p[i])) {
            i++;
            continue;
        }
        run r = run_at(text, i);
        if (r.n > 1 && r.n <= MAX_GROUPS && (r.sep[1] == SEP_SPACE || r.sep[1] == SEP_THIN_SPACE))
            return true;
        i = r.end;
    }
    return false;
}

rdv_str decimal_comma_unfold(rdv_str line, rdv_str like, rdv_arena *arena)
{
    char *to = line.p ? rdv_cstring(arena, line) : NULL;
    if (!to)
        return (rdv_str){0};
    char thousands = has_spaced_thousands(like) ? ' ' : '.';
    size_t n = 0;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.p[i];
        bool inside =
            i > 0 && rdv_is_digit(line.p[i - 1]) && rdv_is_digit(rdv_char_at(line, i + 1));
        if (c == DECIMAL_PAD)
            continue;
        to[n++] = !inside ? c : c == '.' ? ',' : c == ',' ? thousands : c;
    }
    return (rdv_str){to, n};
}
