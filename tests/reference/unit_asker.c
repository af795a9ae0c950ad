/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the table of units for tests/reference/units.py: a line for each word and symbol and
 * each of its meanings: the spelling, which meaning, numerator, denominator, power of ten, and the
 * powers of the bases. */
#include "notation/units.h"

#include <stdio.h>

static void print_meaning(rdv_str word, int meaning, const unit *u)
{
    printf("%.*s\t%d\t%llu\t%llu\t%d", (int)word.len, word.p, meaning,
           (unsigned long long)(u->num ? u->num : 1), (unsigned long long)(u->den ? u->den : 1),
           u->ten);
    for (size_t i = 0; i < MEASURE_BASES; i++)
        printf("\t%d", u->power[i]);
    putchar('\n');
}

int main(void)
{
    unit_meaning m;
    rdv_str word;
    for (size_t i = 0; (word = unit_spelling(i)).p; i++) {
        if (!unit_find(word, &m)) {
            fprintf(stderr, "%.*s is in the table and is not found\n", (int)word.len, word.p);
            return 1;
        }
        print_meaning(word, 0, m.unit);
        if (m.other != m.unit)
            print_meaning(word, 1, m.other);
    }
    return 0;
}
