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

static void read_behind(moduli *of, rdv_str text, rdv_str word)
{
    for (size_t i = rdv_find(text, word, 0); i != RDV_NOT_FOUND; i = rdv_find(text, word, i)) {
        i += word.len;
        static const char *const longer[] = {"ulo", "ulus"};
        for (size_t k = 0; k < sizeof longer / sizeof *longer; k++)
            if (rdv_starts(rdv_slice(text, i, text.len), rdv_str_of(longer[k])))
                i += strlen(longer[k]);
        add(of, number_at(text, skip_marks(text, i)));
    }
}

void moduli_read(moduli *of, rdv_str text)
{
    static const char *const words[] = {"mod",          "Mod", "Z_",          "Z}",
                                        "\xe2\x84\xa4", "F}",  "ivisible by "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        read_behind(of, text, rdv_str_of(words[i]));
}

size_t moduli_kept(const moduli *of)
{
    return of->n < MODULI_MOST ? of->n : MODULI_MOST;
}
