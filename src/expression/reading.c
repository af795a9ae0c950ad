/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/reading.h"

/* The order is that in which the notes are looked for. */
static const reading table[] = {
    {READ_UNITS, READING_DERIVED, NULL, NULL, NULL, "units converted", NULL},
    {READ_PERCENT_OF_LEFT, READING_INSTEAD, "`a ± p%`", "p percent of a", "p as a number, or p/100",
     "the percentage read as of the number before it", "the percentage read as hundredths of one"},
    {READ_PERCENT_OF_FRACTION, READING_INSTEAD, "`1/2%`", "half a percent", "1 over 2%",
     "the percent sign read as of the fraction", "the percent sign read as of the divisor"},
    {READ_PERCENT_OVER, READING_UNUSUAL, "`a / b%`", "a over a part of one", "a/b percent",
     "the percent sign read as of the quotient", NULL},
    {READ_PERCENT_AS_NUMBER, READING_DERIVED, NULL, NULL, NULL, "the percentage read as its number",
     NULL},
    {READ_IMPLICIT_FIRST, READING_BOTH, "`a/b(c)`, `a/bπ`",
     "digits that touch: the fraction times c; with blanks, letters or roots both, so undecided",
     NULL, "a product without a sign read as one divisor",
     "the division read before the product without a sign"},
    {READ_SCIENTIFIC, READING_BOTH, "`a / b × 10^n`",
     "b × 10^n as one number, and from left to right: both, so undecided", NULL,
     "the divisor read as one number with its power of ten",
     "the division read before the power of ten"},
    {READ_PLAINLY_SCIENTIFIC, READING_INSTEAD, "`a / 2.5 × 10^n`, `a × 10^m / b × 10^n`",
     "b × 10^n as one number", "from left to right",
     "the divisor read as one number with its power of ten",
     "the division read before the power of ten"},
    {READ_LEFT_TO_RIGHT, READING_UNUSUAL, "`a ÷ b/c`", "a ÷ (b/c)", "from left to right",
     "the divisions read from left to right", NULL},
    {READ_NEGATIVE_BASE, READING_UNUSUAL, "`-a^2`", "-(a^2)", "(-a)^2",
     "the power read as of the negative number", NULL},
    {READ_MIXED_AS_PRODUCT, READING_UNUSUAL, "`2 1/2`", "the mixed number", "the product",
     "the fraction read as a factor", NULL},
    {READ_ASIDE, READING_UNUSUAL, "`a (b)`", "the product; a bracket that holds words is an aside",
     "an aside without words", "the bracket read as an aside", NULL},
    {READ_WORDS_ASIDE, READING_INSTEAD, NULL, NULL, NULL, "the bracket read as an aside",
     "the bracket read as a factor"},
    {READ_AMOUNT_ASIDE, READING_BOTH, NULL, NULL, NULL, "the bracket read as an aside",
     "the bracket read as a factor"},
    {READ_MIXED_IN_BRACKET, READING_UNUSUAL, "`7 (1/4)`", "the product", "the mixed number",
     "the fraction in brackets read as a part of a mixed number", NULL},
    {READ_EXPONENT_FRACTION, READING_UNUSUAL, "`8^1/3`", "the power, divided",
     "a fraction as the exponent", "the division read as a part of the exponent", NULL},
    {READ_LOG_OF_TEN, READING_INSTEAD, "`log a`", "to base 10", "to another base",
     "the logarithm read as one to base 10", "the logarithm read as one to another base"},
    {READ_OF_AS_PROSE, READING_UNUSUAL, "`1/3 of b`", "the part of b",
     "the fraction alone, which the words explain", "the words after the fraction left out", NULL},
    {READ_PI_AS_3_14, READING_DERIVED, NULL, NULL, NULL, "pi read as a decimal", NULL},
    {READ_PI_AS_22_7, READING_DERIVED, NULL, NULL, NULL, "pi read as 22/7", NULL},
    {0, READING_UNUSUAL, "`a^b^c`", "from the right", "from the left", NULL, NULL},
    {0, READING_UNUSUAL, "`5 + 6 = 11 + 11 = 22`", "each link by itself", "a running calculation",
     NULL, NULL},
    {0, READING_UNUSUAL, "`1.234`, `1,234`", "by the convention of the record", "the other", NULL,
     NULL},
};

const reading *readings_all(size_t *n)
{
    *n = sizeof table / sizeof *table;
    return table;
}

unsigned readings_that_are(unsigned offered, reading_is is)
{
    unsigned bits = 0;
    for (size_t i = 0; offered && i < sizeof table / sizeof *table; i++)
        if (table[i].is == is)
            bits |= table[i].bit;
    return bits & offered;
}

static const reading *first_of(unsigned bits)
{
    for (size_t i = 0; bits && i < sizeof table / sizeof *table; i++)
        if (bits & table[i].bit)
            return &table[i];
    return NULL;
}

const char *reading_note(unsigned bits)
{
    const reading *first = first_of(bits);
    return first ? first->note : NULL;
}

const char *reading_otherwise(unsigned bits)
{
    const reading *first = first_of(bits);
    return first ? first->otherwise : NULL;
}
