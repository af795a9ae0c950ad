/* SPDX-License-Identifier: Apache-2.0 */
#include "language/context.h"

#include "base/str.h"
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
    enum {
        MODULO = 1,
        THOUSAND = 2,
        MILLION = 4,
        BILLION = 8,
        GROUPS = 16,
        FIELDS = 32,
        VECTORS = 64
    };
    static phrase_list phrases = {
        "*\\pmod*;*\\bmod*;*\\mod*;*(mod*;* mod *;*modulo*\n"
        "*thousand*\n"
        "*million*\n"
        "*billion*\n"
        "abelian;cyclic group;identity element;noncommut*;non-commut*;quaternion*;subgroup*;"
        "homomorphism*;group G;group of order;groups of order;in G;under addition;additive group;"
        "group of integers\n"
        "boolean;characteristic 2;characteristic two;characteristic p;idempotent;finite field;"
        "field with;GF(*;Z_*;F_*;\\mathbb{Z}_*;\\mathbb{F}*\n"
        "matrix;matrices;commute;commutes;vector;vectors;perpendicular;orthogonal;dot product;"
        "inner product"};
    if (hints->looked)
        return hints;
    unsigned says = phrase_classes_in(rdv_slice(text, 0, 4 * SPAN), &phrases);
    hints->looked = true;
    hints->modulo = says & MODULO;
    hints->groups = says & GROUPS;
    hints->fields = says & FIELDS;
    hints->vectors = says & VECTORS;
    hints->power_of_ten = says & THOUSAND ? 3 : says & MILLION ? 6 : says & BILLION ? 9 : 0;
    return hints;
}
