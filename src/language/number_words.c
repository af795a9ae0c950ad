/* SPDX-License-Identifier: Apache-2.0 */
#include "language/number_words.h"

#include "language/word_class.h"

/* Most words are of no kind, which word_find() knows at once. */
static bool find(number_words_kind kind, rdv_str word, unsigned *out)
{
    static const unsigned kinds[] = {
        [NUMBER_WORDS] = WORD_NUMBER,   [FRACTION_WORDS] = WORD_FRACTION,
        [ORDINAL_WORDS] = WORD_ORDINAL, [MULTIPLE_WORDS] = WORD_MULTIPLE,
        [GROUP_WORDS] = WORD_GROUP,     [SCALE_WORDS] = WORD_SCALE};
    return (word_find(word) & kinds[kind]) && number_name(word, 1u << kind, out);
}

bool number_word(rdv_str word, unsigned *out)
{
    return find(NUMBER_WORDS, word, out);
}

bool fraction_word(rdv_str word, unsigned *out)
{
    return find(FRACTION_WORDS, word, out);
}

bool ordinal_word(rdv_str word, unsigned *out)
{
    return find(ORDINAL_WORDS, word, out);
}

bool multiple_word(rdv_str word, unsigned *out)
{
    return find(MULTIPLE_WORDS, word, out);
}

bool factor_word(rdv_str word, unsigned *out)
{
    return number_name(word, 1u << FRACTION_WORDS | 1u << MULTIPLE_WORDS | 1u << GROUP_WORDS, out);
}

bool scale_word(rdv_str word, unsigned *out)
{
    return find(SCALE_WORDS, word, out);
}
