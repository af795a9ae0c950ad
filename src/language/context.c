/* SPDX-License-Identifier: Apache-2.0 */
#include "language/context.h"

#include "base/str.h"
#include "language/number_words.h"
#include "language/phrase.h"

#define SPAN 400 /* bytes looked at; keeps the work linear */

rdv_str context_sentence_after(rdv_str text, size_t at, size_t most)
{
    size_t end = at;
    while (end < text.len && end - at < most && text.p[end] != '.' && text.p[end] != '\n')
        end++;
    return rdv_slice(text, at, end);
}

const text_hints *context_hints_of(text_hints *hints, rdv_str text)
{
    enum { MODULO = 1, GROUPS = 2, FIELDS = 4, VECTORS = 8 };
    static phrase_list phrases = {"@counted-modulo\n@of-groups\n@of-fields\n@of-vectors"};
    if (hints->looked)
        return hints;
    unsigned says = phrase_classes_in(rdv_slice(text, 0, 4 * SPAN), &phrases);
    hints->looked = true;
    hints->modulo = says & MODULO;
    hints->groups = says & GROUPS;
    hints->fields = says & FIELDS;
    hints->vectors = says & VECTORS;
    hints->power_of_ten = scale_word_in(rdv_slice(text, 0, 4 * SPAN), 3);
    return hints;
}
