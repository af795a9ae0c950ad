/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/turn.h"

#include "base/str.h"

/* What is turned, and to which of two sides. */
typedef enum turned {
    DAY_HALF,
    ERA,
    EAST_WEST,
    NORTH_SOUTH,
    UP_DOWN,
    CHANGE,
    CLOCK,
    SINCE,
    ZERO,     /* below it: another sign */
    THOUSAND, /* per mille */
    N_TURNED
} turned;

typedef struct turn_word {
    const char *word;
    unsigned char what, side;
} turn_word;

static const turn_word words[] = {
    {"am", DAY_HALF, 1},
    {"morning", DAY_HALF, 1},
    {"pm", DAY_HALF, 2},
    {"afternoon", DAY_HALF, 2},
    {"evening", DAY_HALF, 2},
    {"bc", ERA, 1},
    {"bce", ERA, 1},
    {"ad", ERA, 2},
    {"ce", ERA, 2},
    {"east", EAST_WEST, 1},
    {"eastward", EAST_WEST, 1},
    {"eastwards", EAST_WEST, 1},
    {"west", EAST_WEST, 2},
    {"westward", EAST_WEST, 2},
    {"westwards", EAST_WEST, 2},
    {"north", NORTH_SOUTH, 1},
    {"northward", NORTH_SOUTH, 1},
    {"south", NORTH_SOUTH, 2},
    {"southward", NORTH_SOUTH, 2},
    {"up", UP_DOWN, 1},
    {"upward", UP_DOWN, 1},
    {"upwards", UP_DOWN, 1},
    {"above", UP_DOWN, 1},
    {"down", UP_DOWN, 2},
    {"downward", UP_DOWN, 2},
    {"downwards", UP_DOWN, 2},
    {"below", UP_DOWN, 2},
    {"increase", CHANGE, 1},
    {"increased", CHANGE, 1},
    {"rise", CHANGE, 1},
    {"rose", CHANGE, 1},
    {"growth", CHANGE, 1},
    {"gain", CHANGE, 1},
    {"gained", CHANGE, 1},
    {"profit", CHANGE, 1},
    {"surplus", CHANGE, 1},
    {"more", CHANGE, 1},
    {"higher", CHANGE, 1},
    {"larger", CHANGE, 1},
    {"greater", CHANGE, 1},
    {"bigger", CHANGE, 1},
    {"taller", CHANGE, 1},
    {"longer", CHANGE, 1},
    {"older", CHANGE, 1},
    {"faster", CHANGE, 1},
    {"heavier", CHANGE, 1},
    {"warmer", CHANGE, 1},
    {"hotter", CHANGE, 1},
    {"deposit", CHANGE, 1},
    {"credit", CHANGE, 1},
    {"decrease", CHANGE, 2},
    {"decreased", CHANGE, 2},
    {"fall", CHANGE, 2},
    {"fell", CHANGE, 2},
    {"drop", CHANGE, 2},
    {"dropped", CHANGE, 2},
    {"decline", CHANGE, 2},
    {"declined", CHANGE, 2},
    {"reduction", CHANGE, 2},
    {"loss", CHANGE, 2},
    {"lost", CHANGE, 2},
    {"deficit", CHANGE, 2},
    {"less", CHANGE, 2},
    {"fewer", CHANGE, 2},
    {"lower", CHANGE, 2},
    {"smaller", CHANGE, 2},
    {"shorter", CHANGE, 2},
    {"younger", CHANGE, 2},
    {"slower", CHANGE, 2},
    {"lighter", CHANGE, 2},
    {"colder", CHANGE, 2},
    {"cooler", CHANGE, 2},
    {"withdrawal", CHANGE, 2},
    {"debit", CHANGE, 2},
    {"debt", CHANGE, 2},
    {"clockwise", CLOCK, 1},
    {"counterclockwise", CLOCK, 2},
    {"anticlockwise", CLOCK, 2},
    {"ago", SINCE, 1},
    {"earlier", SINCE, 1},
    {"early", SINCE, 1},
    {"before", SINCE, 1},
    {"later", SINCE, 2},
    {"late", SINCE, 2},
    {"after", SINCE, 2},
};

/* What the words of an answer turn: a bit for each side, and what it is a rate of. */
typedef struct turns {
    unsigned char sides[N_TURNED];
    rdv_str per;
} turns;

/* The next word from byte *i on, "a.m." as the bytes of both letters; empty at the end. */
static rdv_str next_word(rdv_str s, size_t *i)
{
    while (*i < s.len && !rdv_is_alpha(s.p[*i]))
        ++*i;
    size_t begin = *i;
    *i = rdv_skip_letters(s, *i);
    return rdv_slice(s, begin, *i);
}

/* "a.m.", "p. m.", "B.C.": the first letter of the two, where both stand at byte `i`; else NUL. */
static char pointed(rdv_str s, size_t i, char *second)
{
    size_t at = i + 1;
    if (rdv_char_at(s, at) != '.')
        return '\0';
    at += 1 + (rdv_char_at(s, at + 1) == ' ');
    *second = rdv_lower(rdv_char_at(s, at));
    return *second && rdv_skip_letters(s, at) == at + 1 ? rdv_lower(rdv_char_at(s, i)) : '\0';
}

/* Without the sign of the plural: hours. */
static rdv_str singular(rdv_str word)
{
    return word.len > 3 && rdv_lower(word.p[word.len - 1]) == 's' ? rdv_slice(word, 0, word.len - 1)
                                                                  : word;
}

static turns turns_of(rdv_str s)
{
    turns t = {0};
    rdv_str before = {0}, mille = RDV_STR("\xe2\x80\xb0"); /* U+2030 */
    t.sides[THOUSAND] = rdv_find(s, mille, 0) != RDV_NOT_FOUND;
    for (size_t i = 0;;) {
        rdv_str word = next_word(s, &i);
        if (!word.len)
            return t;
        size_t begin = i - word.len;
        char second = '\0', first = word.len == 1 ? pointed(s, begin, &second) : '\0';
        char pair[3] = {first, second, '\0'};
        rdv_str name = first ? rdv_str_of(pair) : word;
        bool number = begin > 0; /* "more than 5" is no rise of it */
        for (size_t k = 0; k < sizeof words / sizeof *words && number; k++)
            if (rdv_str_ieq(name, rdv_str_of(words[k].word)))
                t.sides[words[k].what] |= words[k].side;
        if (rdv_str_ieq(before, RDV_STR("per"))) {
            t.sides[THOUSAND] |= rdv_str_ieq(word, RDV_STR("mille"));
            t.per = singular(word);
        }
        if (rdv_str_ieq(before, RDV_STR("below")) &&
            (rdv_str_ieq(word, RDV_STR("zero")) || rdv_str_ieq(word, RDV_STR("freezing"))))
            t.sides[ZERO] = 1;
        before = word;
    }
}

turn turn_between(rdv_str a, rdv_str b)
{
    turns x = turns_of(a), y = turns_of(b);
    bool percent = rdv_str_ieq(x.per, RDV_STR("cent")) || rdv_str_ieq(y.per, RDV_STR("cent"));
    if (x.sides[ZERO] != y.sides[ZERO] || x.sides[THOUSAND] != y.sides[THOUSAND])
        return TURN_UNSAID;
    for (size_t i = 0; i < N_TURNED; i++)
        if (x.sides[i] && y.sides[i] && x.sides[i] != y.sides[i])
            return TURN_OPPOSED;
    return x.per.len && y.per.len && !percent && !rdv_str_ieq(x.per, y.per) ? TURN_OPPOSED
                                                                            : TURN_AGREES;
}
