/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/formula_names.h"

#include "base/str.h"
#include "base/utf8.h"

typedef struct named {
    const char *name;
    function_id is;
} named;

/* Sorted by name. */
static const named functions[] = {
    {"abs", FN_ABS},
    {"acos", FN_ACOS},
    {"acosh", FN_ACOSH},
    {"arccos", FN_ACOS},
    {"arccosh", FN_ACOSH},
    {"arcosh", FN_ACOSH},
    {"arcsin", FN_ASIN},
    {"arcsinh", FN_ASINH},
    {"arctan", FN_ATAN},
    {"arctanh", FN_ATANH},
    {"arsinh", FN_ASINH},
    {"artanh", FN_ATANH},
    {"asin", FN_ASIN},
    {"asinh", FN_ASINH},
    {"atan", FN_ATAN},
    {"atanh", FN_ATANH},
    {"binom", FN_BINOMIAL},
    {"binomial", FN_BINOMIAL},
    {"bmod", FN_MOD},
    {"ceil", FN_CEIL},
    {"conj", FN_CONJUGATE},
    {"cos", FN_COS},
    {"cosec", FN_CSC},
    {"cosh", FN_COSH},
    {"cot", FN_COT},
    {"csc", FN_CSC},
    {"ctg", FN_COT},
    {"exp", FN_EXP},
    {"factorial", FN_FACTORIAL},
    {"floor", FN_FLOOR},
    {"gcd", FN_GCD},
    {"lcm", FN_LCM},
    {"lg", FN_LOG},
    {"ln", FN_LN},
    {"log", FN_LOG},
    {"max", FN_MAX},
    {"min", FN_MIN},
    {"mod", FN_MOD},
    {"sec", FN_SEC},
    {"sin", FN_SIN},
    {"sinh", FN_SINH},
    {"tan", FN_TAN},
    {"tanh", FN_TANH},
    {"tg", FN_TAN},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* From alpha (U+03B1) to omega; NULL: formulas do not use it as a letter. */
static const char *const greek[] = {
    "\\alpha",  "\\beta", "\\gamma", "\\delta",  "\\varepsilon", "\\zeta", "\\eta",
    "\\theta",  "\\iota", "\\kappa", "\\lambda", "\\mu",         "\\nu",   "\\xi",
    NULL,       NULL,     "\\rho",   NULL,       "\\sigma",      "\\tau",  "\\upsilon",
    "\\varphi", "\\chi",  "\\psi",   "\\omega",
};

#define ALPHA 0x3b1u

function_id formula_function(rdv_str name)
{
    if (rdv_starts(name, RDV_STR("\\")))
        name = rdv_slice(name, 1, name.len);
    size_t least = 0, end = COUNT(functions);
    while (least < end) { /* most words differ from each in the first letter */
        size_t i = least + (end - least) / 2;
        int order = rdv_char_at(name, 0) - functions[i].name[0];
        order = order ? order : rdv_str_cmp(name, rdv_str_of(functions[i].name));
        if (!order)
            return functions[i].is;
        least = order > 0 ? i + 1 : least;
        end = order > 0 ? end : i;
    }
    return FN_NONE;
}

const char *formula_function_name(function_id fn)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (functions[i].is == fn)
            return functions[i].name;
    return fn == FN_PERMUTATIONS ? "permutations" : "double_factorial";
}

size_t formula_name_prefix(rdv_str run)
{
    if (formula_function(run))
        return run.len;
    return run.len > 2 && formula_function(rdv_slice(run, 0, run.len - 1)) ? run.len - 1 : 0;
}

static const char *greek_name(uint32_t code)
{
    return code >= ALPHA && code < ALPHA + COUNT(greek) ? greek[code - ALPHA] : NULL;
}

bool formula_is_letter(uint32_t code)
{
    return greek_name(code) || code == 0x221e; /* infinity */
}

rdv_str formula_letter_name(rdv_str letter)
{
    size_t len;
    if (!letter.len || (unsigned char)letter.p[0] < 0x80)
        return letter;
    const char *name = greek_name(rdv_utf8_at(letter, 0, &len));
    return name ? rdv_str_of(name) : letter;
}
