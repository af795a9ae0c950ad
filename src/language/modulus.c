/* SPDX-License-Identifier: Apache-2.0 */
#include "language/modulus.h"

#include "base/str.h"

#define MARKS 16 /* bytes between the word and its number: "modulus is $7$", "\mathbb{Z}/7" */
#define DIGITS 9

/* The byte at which the number may begin of which the word ends before byte `i`. */
static size_t skip_marks(rdv_str s, size_t i)
{
    size_t most = i + MARKS;
    while (i < s.len && i < most) {
        if (rdv_starts(rdv_slice(s, i, s.len), RDV_STR(" is ")))
            i += 3;
        else if (s.p[i] && strchr(" -$(){}_:=/\\", s.p[i]))
            i++;
        else
            break;
    }
    return i;
}

static unsigned long number_at(rdv_str s, size_t i)
{
    unsigned long x = 0;
    size_t digits = 0;
    for (; i < s.len && rdv_is_digit(s.p[i]) && digits <= DIGITS; i++, digits++)
        x = x * 10 + (unsigned long)(s.p[i] - '0');
    return digits <= DIGITS ? x : 0;
}

static void add(moduli *of, unsigned long x)
{
    if (x > 1 && !(of->n && of->at[(of->n - 1) % MODULI_MOST] == x))
        of->at[of->n++ % MODULI_MOST] = x;
}

/* rare: the index in the word of the byte that the fewest texts have. */
static void read_behind(moduli *of, rdv_str text, rdv_str word, size_t rare)
{
    for (size_t i; (i = rdv_find_by(text, word, rare)) != RDV_NOT_FOUND;) {
        static const char *const longer[] = {"ulo", "ulus"};
        text = rdv_slice(text, i + word.len, text.len);
        for (size_t k = 0; k < sizeof longer / sizeof *longer; k++)
            if (rdv_starts(text, rdv_str_of(longer[k])))
                text = rdv_slice(text, strlen(longer[k]), text.len);
        add(of, number_at(text, skip_marks(text, 0)));
    }
}

static void read_text(moduli *of, rdv_str text)
{
    static const struct {
        rdv_str word;
        size_t rare;
    } words[] = {{RDV_STR("mod"), 0},         {RDV_STR("Mod"), 0},          {RDV_STR("Z_"), 0},
                 {RDV_STR("Z}"), 0},          {RDV_STR("\xe2\x84\xa4"), 2}, {RDV_STR("F}"), 0},
                 {RDV_STR("ivisible by "), 1}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        read_behind(of, text, words[i].word, words[i].rare);
}

static void read_texts(moduli *of)
{
    for (size_t i = 0; i < of->n_texts; i++)
        read_text(of, of->texts[i]);
    of->n_texts = 0;
}

void moduli_add(moduli *of, rdv_str text)
{
    if (of->n_texts == MODULI_TEXTS)
        read_texts(of);
    of->texts[of->n_texts++] = text;
}

size_t moduli_kept(moduli *of)
{
    read_texts(of);
    return of->n < MODULI_MOST ? of->n : MODULI_MOST;
}
