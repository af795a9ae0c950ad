/* SPDX-License-Identifier: Apache-2.0 */
#include "math/glance.h"

#include "base/str.h"
#include "math/words.h"

typedef enum byte_class {
    OTHER,
    LETTER,
    DIGIT,
    VANISHES, /* the lexer may drop it between a number and a word */
    SIGN      /* of equality, or of what only the lexer knows */
} byte_class;

static const unsigned char classes[256] = {
    ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['0' ... '9'] = DIGIT, [' '] = VANISHES,
    ['\t'] = VANISHES,      ['\v'] = VANISHES,      ['\f'] = VANISHES,     ['\r'] = VANISHES,
    ['$'] = VANISHES,       ['*'] = VANISHES,       ['&'] = VANISHES,      ['='] = SIGN,
    ['~'] = SIGN,           ['\\'] = SIGN,          [0x80 ... 0xff] = SIGN};

static byte_class class_at(rdv_str text, size_t i)
{
    return i < text.len ? classes[(unsigned char)text.p[i]] : OTHER;
}

/* The first byte from `i` on that is not of the class. */
static size_t skip(rdv_str text, size_t i, byte_class class)
{
    while (class_at(text, i) == class)
        i++;
    return i;
}

/* The byte after a number that ends at byte `i`: "..." may belong to it. */
static size_t after_number(rdv_str text, size_t i)
{
    i += rdv_starts(rdv_slice(text, i, text.len), RDV_STR("...")) ? 3 : 0;
    return skip(text, i, VANISHES);
}

bool glance_may_hold(rdv_str text)
{
    unsigned before = 0; /* what is known of the last word */
    for (size_t i = 0; i < text.len;) {
        byte_class class = class_at(text, i);
        if (class == SIGN)
            return true;
        if (class == LETTER) {
            size_t end = skip(text, i, LETTER);
            unsigned word = word_find(rdv_slice(text, i, end));
            if ((word & (WORD_EQUAL | WORD_DIVISIBILITY)) ||
                ((word & WORD_NUMBER) && (before & WORD_RESULT)))
                return true;
            before = word;
            i = end;
        } else if (class == DIGIT) {
            i = after_number(text, skip(text, i, DIGIT));
            if ((before & WORD_RESULT) || class_at(text, i) == LETTER)
                return true;
        } else {
            i++;
        }
    }
    return false;
}
