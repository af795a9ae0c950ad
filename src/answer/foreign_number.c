/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/foreign_number.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "language/number_words.h"

#define BYTES_MOST 200 /* of a number in words */

/* What a part of a number does to those before it. */
typedef enum effect { ADD, HUNDRED, THOUSAND, MILLION, JOIN } effect;

typedef struct morpheme {
    const char *word;
    unsigned value;
    effect is;
} morpheme;

static const morpheme german[] = {
    {"null", 0, ADD},
    {"ein", 1, ADD},
    {"eins", 1, ADD},
    {"eine", 1, ADD},
    {"zwei", 2, ADD},
    {"drei", 3, ADD},
    {"vier", 4, ADD},
    {"f\u00fcnf", 5, ADD},
    {"fuenf", 5, ADD},
    {"sechs", 6, ADD},
    {"sieben", 7, ADD},
    {"acht", 8, ADD},
    {"neun", 9, ADD},
    {"zehn", 10, ADD},
    {"elf", 11, ADD},
    {"zw\u00f6lf", 12, ADD},
    {"zwoelf", 12, ADD},
    {"dreizehn", 13, ADD},
    {"vierzehn", 14, ADD},
    {"f\u00fcnfzehn", 15, ADD},
    {"sechzehn", 16, ADD},
    {"siebzehn", 17, ADD},
    {"achtzehn", 18, ADD},
    {"neunzehn", 19, ADD},
    {"zwanzig", 20, ADD},
    {"drei\u00dfig", 30, ADD},
    {"dreissig", 30, ADD},
    {"vierzig", 40, ADD},
    {"f\u00fcnfzig", 50, ADD},
    {"sechzig", 60, ADD},
    {"siebzig", 70, ADD},
    {"achtzig", 80, ADD},
    {"neunzig", 90, ADD},
    {"hundert", 100, HUNDRED},
    {"tausend", 1000, THOUSAND},
    {"million", 1000000, MILLION},
    {"millionen", 1000000, MILLION},
    {"und", 0, JOIN},
};
static const morpheme dutch[] = {
    {"nul", 0, ADD},
    {"een", 1, ADD},
    {"\u00e9\u00e9n", 1, ADD},
    {"twee", 2, ADD},
    {"drie", 3, ADD},
    {"vier", 4, ADD},
    {"vijf", 5, ADD},
    {"zes", 6, ADD},
    {"zeven", 7, ADD},
    {"acht", 8, ADD},
    {"negen", 9, ADD},
    {"tien", 10, ADD},
    {"elf", 11, ADD},
    {"twaalf", 12, ADD},
    {"dertien", 13, ADD},
    {"veertien", 14, ADD},
    {"vijftien", 15, ADD},
    {"zestien", 16, ADD},
    {"zeventien", 17, ADD},
    {"achttien", 18, ADD},
    {"negentien", 19, ADD},
    {"twintig", 20, ADD},
    {"dertig", 30, ADD},
    {"veertig", 40, ADD},
    {"vijftig", 50, ADD},
    {"zestig", 60, ADD},
    {"zeventig", 70, ADD},
    {"tachtig", 80, ADD},
    {"negentig", 90, ADD},
    {"honderd", 100, HUNDRED},
    {"duizend", 1000, THOUSAND},
    {"miljoen", 1000000, MILLION},
    {"en", 0, JOIN},
    {"\u00ebn", 0, JOIN},
};
static const morpheme italian[] = {
    {"zero", 0, ADD},
    {"uno", 1, ADD},
    {"un", 1, ADD},
    {"una", 1, ADD},
    {"due", 2, ADD},
    {"tre", 3, ADD},
    {"tr\u00e9", 3, ADD},
    {"quattro", 4, ADD},
    {"cinque", 5, ADD},
    {"sei", 6, ADD},
    {"sette", 7, ADD},
    {"otto", 8, ADD},
    {"nove", 9, ADD},
    {"dieci", 10, ADD},
    {"undici", 11, ADD},
    {"dodici", 12, ADD},
    {"tredici", 13, ADD},
    {"quattordici", 14, ADD},
    {"quindici", 15, ADD},
    {"sedici", 16, ADD},
    {"diciassette", 17, ADD},
    {"diciotto", 18, ADD},
    {"diciannove", 19, ADD},
    {"venti", 20, ADD},
    {"ventuno", 21, ADD},
    {"ventotto", 28, ADD},
    {"trenta", 30, ADD},
    {"trentuno", 31, ADD},
    {"trentotto", 38, ADD},
    {"quaranta", 40, ADD},
    {"quarantuno", 41, ADD},
    {"quarantotto", 48, ADD},
    {"cinquanta", 50, ADD},
    {"cinquantuno", 51, ADD},
    {"cinquantotto", 58, ADD},
    {"sessanta", 60, ADD},
    {"sessantuno", 61, ADD},
    {"sessantotto", 68, ADD},
    {"settanta", 70, ADD},
    {"settantuno", 71, ADD},
    {"settantotto", 78, ADD},
    {"ottanta", 80, ADD},
    {"ottantuno", 81, ADD},
    {"ottantotto", 88, ADD},
    {"novanta", 90, ADD},
    {"novantuno", 91, ADD},
    {"novantotto", 98, ADD},
    {"cento", 100, HUNDRED},
    {"mille", 1000, THOUSAND},
    {"mila", 1000, THOUSAND},
    {"milione", 1000000, MILLION},
    {"milioni", 1000000, MILLION},
};
static const morpheme french[] = {
    {"z\u00e9ro", 0, ADD},
    {"un", 1, ADD},
    {"une", 1, ADD},
    {"deux", 2, ADD},
    {"trois", 3, ADD},
    {"quatre", 4, ADD},
    {"cinq", 5, ADD},
    {"six", 6, ADD},
    {"sept", 7, ADD},
    {"huit", 8, ADD},
    {"neuf", 9, ADD},
    {"dix", 10, ADD},
    {"onze", 11, ADD},
    {"douze", 12, ADD},
    {"treize", 13, ADD},
    {"quatorze", 14, ADD},
    {"quinze", 15, ADD},
    {"seize", 16, ADD},
    {"dix-sept", 17, ADD},
    {"dix-huit", 18, ADD},
    {"dix-neuf", 19, ADD},
    {"vingt", 20, ADD},
    {"trente", 30, ADD},
    {"quarante", 40, ADD},
    {"cinquante", 50, ADD},
    {"soixante", 60, ADD},
    {"septante", 70, ADD},
    {"huitante", 80, ADD},
    {"octante", 80, ADD},
    {"quatre-vingt", 80, ADD},
    {"quatre-vingts", 80, ADD},
    {"nonante", 90, ADD},
    {"cent", 100, HUNDRED},
    {"cents", 100, HUNDRED},
    {"mille", 1000, THOUSAND},
    {"million", 1000000, MILLION},
    {"millions", 1000000, MILLION},
    {"et", 0, JOIN},
};
static const morpheme spanish[] = {
    {"cero", 0, ADD},
    {"uno", 1, ADD},
    {"un", 1, ADD},
    {"una", 1, ADD},
    {"dos", 2, ADD},
    {"tres", 3, ADD},
    {"cuatro", 4, ADD},
    {"cinco", 5, ADD},
    {"seis", 6, ADD},
    {"siete", 7, ADD},
    {"ocho", 8, ADD},
    {"nueve", 9, ADD},
    {"diez", 10, ADD},
    {"once", 11, ADD},
    {"doce", 12, ADD},
    {"trece", 13, ADD},
    {"catorce", 14, ADD},
    {"quince", 15, ADD},
    {"diecis\u00e9is", 16, ADD},
    {"dieciseis", 16, ADD},
    {"diecisiete", 17, ADD},
    {"dieciocho", 18, ADD},
    {"diecinueve", 19, ADD},
    {"veinte", 20, ADD},
    {"veintiuno", 21, ADD},
    {"veinti\u00fan", 21, ADD},
    {"veintiuna", 21, ADD},
    {"veintid\u00f3s", 22, ADD},
    {"veintidos", 22, ADD},
    {"veintitr\u00e9s", 23, ADD},
    {"veintitres", 23, ADD},
    {"veinticuatro", 24, ADD},
    {"veinticinco", 25, ADD},
    {"veintis\u00e9is", 26, ADD},
    {"veintiseis", 26, ADD},
    {"veintisiete", 27, ADD},
    {"veintiocho", 28, ADD},
    {"veintinueve", 29, ADD},
    {"treinta", 30, ADD},
    {"cuarenta", 40, ADD},
    {"cincuenta", 50, ADD},
    {"sesenta", 60, ADD},
    {"setenta", 70, ADD},
    {"ochenta", 80, ADD},
    {"noventa", 90, ADD},
    {"cien", 100, ADD},
    {"ciento", 100, ADD},
    {"doscientos", 200, ADD},
    {"doscientas", 200, ADD},
    {"trescientos", 300, ADD},
    {"trescientas", 300, ADD},
    {"cuatrocientos", 400, ADD},
    {"cuatrocientas", 400, ADD},
    {"quinientos", 500, ADD},
    {"quinientas", 500, ADD},
    {"seiscientos", 600, ADD},
    {"seiscientas", 600, ADD},
    {"setecientos", 700, ADD},
    {"setecientas", 700, ADD},
    {"ochocientos", 800, ADD},
    {"ochocientas", 800, ADD},
    {"novecientos", 900, ADD},
    {"novecientas", 900, ADD},
    {"mil", 1000, THOUSAND},
    {"mill\u00f3n", 1000000, MILLION},
    {"millones", 1000000, MILLION},
    {"y", 0, JOIN},
};
static const morpheme portuguese[] = {
    {"zero", 0, ADD},
    {"um", 1, ADD},
    {"uma", 1, ADD},
    {"dois", 2, ADD},
    {"duas", 2, ADD},
    {"tr\u00eas", 3, ADD},
    {"tres", 3, ADD},
    {"quatro", 4, ADD},
    {"cinco", 5, ADD},
    {"seis", 6, ADD},
    {"sete", 7, ADD},
    {"oito", 8, ADD},
    {"nove", 9, ADD},
    {"dez", 10, ADD},
    {"onze", 11, ADD},
    {"doze", 12, ADD},
    {"treze", 13, ADD},
    {"catorze", 14, ADD},
    {"quatorze", 14, ADD},
    {"quinze", 15, ADD},
    {"dezesseis", 16, ADD},
    {"dezasseis", 16, ADD},
    {"dezessete", 17, ADD},
    {"dezassete", 17, ADD},
    {"dezoito", 18, ADD},
    {"dezenove", 19, ADD},
    {"dezanove", 19, ADD},
    {"vinte", 20, ADD},
    {"trinta", 30, ADD},
    {"quarenta", 40, ADD},
    {"cinquenta", 50, ADD},
    {"sessenta", 60, ADD},
    {"setenta", 70, ADD},
    {"oitenta", 80, ADD},
    {"noventa", 90, ADD},
    {"cem", 100, ADD},
    {"cento", 100, ADD},
    {"duzentos", 200, ADD},
    {"duzentas", 200, ADD},
    {"trezentos", 300, ADD},
    {"trezentas", 300, ADD},
    {"quatrocentos", 400, ADD},
    {"quatrocentas", 400, ADD},
    {"quinhentos", 500, ADD},
    {"quinhentas", 500, ADD},
    {"seiscentos", 600, ADD},
    {"seiscentas", 600, ADD},
    {"setecentos", 700, ADD},
    {"setecentas", 700, ADD},
    {"oitocentos", 800, ADD},
    {"oitocentas", 800, ADD},
    {"novecentos", 900, ADD},
    {"novecentas", 900, ADD},
    {"mil", 1000, THOUSAND},
    {"milh\u00e3o", 1000000, MILLION},
    {"milh\u00f5es", 1000000, MILLION},
    {"e", 0, JOIN},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define LANGUAGE(table, ...)                                                                       \
    {                                                                                              \
        table, COUNT(table), __VA_ARGS__                                                           \
    }

static const struct language {
    const morpheme *table;
    size_t n;
    bool glued;       /* words of a number are written as one */
    bool units_first; /* "einundzwanzig" */
} languages[] = {LANGUAGE(german, true, true),    LANGUAGE(dutch, true, true),
                 LANGUAGE(italian, true, false),  LANGUAGE(french, false, false),
                 LANGUAGE(spanish, false, false), LANGUAGE(portuguese, false, false)};

/* A number being read. */
typedef struct reading {
    uint64_t sum, group; /* whole; below the next thousand */
    uint64_t scale;      /* of the last thousands or millions: the next is smaller */
    unsigned room;       /* what the next part may add to the group: less than this */
    bool any, unit, joined;
} reading;

static bool is_letter(rdv_str s, size_t i)
{
    return rdv_is_alpha(rdv_char_at(s, i)) || (rdv_char_at(s, i) & 0x80);
}

/* The longest morpheme at byte `i`; NULL: none. */
static const morpheme *morpheme_at(rdv_str s, size_t i, const struct language *l)
{
    const morpheme *found = NULL;
    size_t longest = 0;
    for (size_t k = 0; k < l->n; k++) {
        rdv_str word = rdv_str_of(l->table[k].word);
        bool whole = l->glued || !is_letter(s, i + word.len);
        if (word.len > longest && whole && rdv_istarts(rdv_slice(s, i, s.len), word)) {
            found = &l->table[k];
            longest = word.len;
        }
    }
    return found;
}

static unsigned room_after(unsigned value)
{
    bool score = value == 60 || value == 80; /* "soixante-dix", "quatre-vingt-dix" */
    return value % 100 == 0 && value ? 100 : score ? 20 : value >= 20 && value % 10 == 0 ? 10 : 1;
}

static bool take(reading *r, const morpheme *m, const struct language *l)
{
    bool tens_of_unit = l->units_first && r->unit && r->joined && m->value >= 20;
    bool was_joined = r->joined;
    r->joined = m->is == JOIN;
    switch (m->is) {
    case JOIN:
        return r->any && !was_joined;
    case ADD:
        if (tens_of_unit ? m->value % 10 != 0 : m->value >= r->room || (m->value == 0 && r->any))
            return false;
        r->group += m->value;
        r->room = tens_of_unit ? 1 : room_after(m->value);
        r->unit = !tens_of_unit && m->value > 0 && m->value < 10;
        break;
    case HUNDRED:
        if (r->group > 9 || r->room < 1)
            return false;
        r->group = (r->group ? r->group : 1) * 100;
        r->room = 100;
        r->unit = false;
        break;
    default:
        if (m->value >= r->scale || (m->is == MILLION && !r->group))
            return false;
        r->sum += (r->group ? r->group : 1) * m->value;
        r->group = 0;
        r->scale = m->value;
        r->room = 1000;
        r->unit = false;
    }
    r->any = true;
    return true;
}

/* The number in words of one language at the beginning; the byte behind it, or 0. */
static size_t read_in(rdv_str s, const struct language *l, uint64_t *value, size_t *parts)
{
    reading r = {.scale = UINT64_MAX, .room = 1000};
    size_t end = 0;
    *parts = 0;
    for (size_t i = 0; i < s.len && i < BYTES_MOST;) {
        const morpheme *m = morpheme_at(s, i, l);
        if (!m || !take(&r, m, l))
            break;
        i += strlen(m->word);
        ++*parts;
        if (m->is != JOIN && !is_letter(s, i)) {
            end = i;
            *value = r.sum + r.group;
        }
        size_t gap = rdv_char_at(s, i) == ',' && m->is >= THOUSAND; /* "mil, cento e um" */
        bool blank = rdv_char_at(s, i + gap) == ' ' || rdv_char_at(s, i) == '-';
        i += blank && is_letter(s, i + gap + 1) ? gap + 1 : 0;
    }
    return end;
}

/* ---- Chinese --------------------------------------------------------------------------------- */

/* What a sign is: a digit below 10, or 10, 100, 1000, 10^4, 10^8; UINT32_MAX: no number. */
static uint32_t sign_value(uint32_t u)
{
    static const uint32_t digits[] = {0x96f6, 0x4e00, 0x4e8c, 0x4e09, 0x56db,
                                      0x4e94, 0x516d, 0x4e03, 0x516b, 0x4e5d};
    static const struct {
        uint32_t sign, value;
    } others[] = {{0x3007, 0},         {0x4e24, 2},        {0x5169, 2},     {0x5341, 10},
                  {0x767e, 100},       {0x5343, 1000},     {0x4e07, 10000}, {0x842c, 10000},
                  {0x4ebf, 100000000}, {0x5104, 100000000}};
    for (uint32_t k = 0; k < COUNT(digits); k++)
        if (digits[k] == u)
            return k;
    for (size_t k = 0; k < COUNT(others); k++)
        if (others[k].sign == u)
            return others[k].value;
    return UINT32_MAX;
}

/* The Chinese number at the beginning; the byte behind it, or 0. */
static size_t read_chinese(rdv_str s, uint64_t *value)
{
    uint64_t sum = 0, group = 0, digit = 0, last = UINT64_MAX;
    size_t end = 0, len;
    bool has_digit = false;
    while (end < s.len && end < BYTES_MOST) {
        uint32_t is = s.p[end] & 0x80 ? sign_value(rdv_utf8_at(s, end, &len)) : UINT32_MAX;
        if (is == UINT32_MAX)
            break;
        if (is < 10) {
            if (has_digit && is && digit)
                return 0; /* "二三": digits one by one, or about so many */
            digit = is;
            has_digit = true;
        } else if (is < 10000) {
            if (is >= last || (has_digit && !digit))
                return 0;
            group += (has_digit ? digit : 1) * is;
            digit = 0;
            has_digit = false;
            last = is;
        } else {
            if (group + digit == 0 || sum % is)
                return 0;
            sum += (group + digit) * is;
            group = digit = 0;
            has_digit = false;
            last = UINT64_MAX;
        }
        end += len;
    }
    *value = sum + group + digit;
    return end;
}

/* ---- a number of any of them ----------------------------------------------------------------- */

/* Words that are English too. */
static bool is_english(rdv_str word)
{
    static const char *const words[] = {"once", "due", "cent", "cents", "sei", "un"};
    rdv_str one = rdv_slice(word, 0, word.len - rdv_ends(word, RDV_STR("s")));
    unsigned value;
    return number_word(word, &value) || scale_word(one, &value) ||
           rdv_is_one_of(word, words, COUNT(words));
}

bool foreign_number_read(rdv_str s, uint64_t *value, size_t *end)
{
    uint64_t one;
    size_t parts;
    if (!is_letter(s, 0))
        return false;
    *end = read_chinese(s, value);
    for (size_t k = 0; k < COUNT(languages); k++) {
        size_t stop = read_in(s, &languages[k], &one, &parts);
        if (!stop || stop < *end || (parts == 1 && is_english(rdv_slice(s, 0, stop))))
            continue;
        if (stop == *end && one != *value)
            return false;
        *value = one;
        *end = stop;
    }
    return *end > 0;
}

rdv_str foreign_number_in_digits(rdv_str s, rdv_arena *arena)
{
    uint64_t value, part;
    size_t end, behind;
    rdv_str of = RDV_STR("\u5206\u4e4b"); /* "of ... parts" */
    if (!foreign_number_read(s, &value, &end))
        return s;
    rdv_str rest = rdv_slice(s, end, s.len);
    if (rdv_starts(rest, of)) {
        rdv_str share = rdv_slice(rest, of.len, rest.len);
        if (!foreign_number_read(share, &part, &behind))
            return s;
        return rdv_str_printf(arena, "%llu/%llu%.*s", (unsigned long long)part,
                              (unsigned long long)value,
                              RDV_FMT(rdv_slice(share, behind, share.len)));
    }
    rdv_str next = rdv_slice(rest, rdv_skip_any(rest, 0, " ,;"), rest.len);
    bool article = value == 1 && rest.len > 0;             /* "una manzana" */
    bool list = foreign_number_read(next, &part, &behind); /* "dos, tres" */
    return article || list
               ? s
               : rdv_str_printf(arena, "%llu%.*s", (unsigned long long)value, RDV_FMT(rest));
}
