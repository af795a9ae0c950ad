/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/call_name.h"

#include "base/str.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct {
    const char *name;
    call_is is;
} names[] = {
    {"gcd", CALL_GCD},     {"hcf", CALL_GCD},      {"gcf", CALL_GCD},     {"lcm", CALL_LCM},
    {"max", CALL_MAX},     {"min", CALL_MIN},      {"log", CALL_LOG},     {"ln", CALL_LN},
    {"sin", CALL_SIN},     {"cos", CALL_COS},      {"tan", CALL_TAN},     {"floor", CALL_FLOOR},
    {"ceil", CALL_CEIL},   {"prod", CALL_PRODUCT}, {"arcsin", CALL_ASIN}, {"arccos", CALL_ACOS},
    {"arctan", CALL_ATAN}, {"asin", CALL_ASIN},    {"acos", CALL_ACOS},   {"atan", CALL_ATAN}};

call_is call_named(rdv_str w)
{
    w = rdv_slice(w, w.len && w.p[0] == '\\', w.len);
    char first = rdv_lower(rdv_char_at(w, 0));
    for (size_t k = 0; k < COUNT(names); k++)
        if (names[k].name[0] == first && rdv_str_ieq(w, rdv_str_of(names[k].name)))
            return names[k].is;
    return CALL_NONE;
}

bool call_takes_several(call_is is)
{
    return is == CALL_GCD || is == CALL_LCM || is == CALL_MAX || is == CALL_MIN;
}
