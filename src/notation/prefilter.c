/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/prefilter.h"

#include "base/str.h"
#include "language/word_class.h"
#include "notation/lex_tables.h"

/* The first byte from `i` on that is not of the class. */
static size_t skip(rdv_str text, size_t i, lex_byte class)
{
    while (i < text.len && lex_byte_of(text.p[i]) == class)
        i++;
    return i;
}

/* Does a word stand after the number that ends at byte `i`? "..." may belong to the number, and the
 * lexer drops what only formats. */
static bool is_counted(rdv_str text, size_t i)
{
    i += rdv_starts(rdv_slice(text, i, text.len), RDV_STR("...")) ? 3 : 0;
    while (i < text.len && (lex_byte_of(text.p[i]) == LEX_SPACE || text.p[i] == '$' ||
                            text.p[i] == '*' || text.p[i] == '&'))
        i++;
    return i < text.len && lex_byte_of(text.p[i]) == LEX_LETTER;
}

static bool claims_result(rdv_str word)
{
    return word_find(word) & WORD_RESULT;
}

/* Is the word of equality or about whole numbers, or a number that the word before it claims? */
static bool is_telling(rdv_str word, rdv_str before)
{
    unsigned is = word_find(word) & WORD_TELLING;
    return is && (is != WORD_NUMBER || claims_result(before));
}

bool prefilter_may_hold(rdv_str text)
{
    const uint32_t *telling = word_telling_lengths();
    rdv_str word = {0}, before; /* the last one, and the one before it */
    for (size_t i = 0, end; i < text.len; i = end) {
        end = i + 1;
        switch (lex_byte_of(text.p[i])) {
        case LEX_WIDE:
            return true;
        case LEX_SIGN:
            if (memchr("=~\\<>", text.p[i], 5))
                return true;
            break;
        case LEX_LETTER:
            end = skip(text, end, LEX_LETTER);
            before = word;
            word = (rdv_str){text.p + i, end - i};
            if (word_may_be_telling(telling, word) && is_telling(word, before))
                return true;
            end += end < text.len && text.p[end] == ' '; /* as after most words */
            break;
        case LEX_DIGIT:
            end = skip(text, end, LEX_DIGIT);
            if (claims_result(word) || is_counted(text, end))
                return true;
            break;
        case LEX_SPACE:
        case LEX_NEWLINE:
            break;
        }
    }
    return false;
}
