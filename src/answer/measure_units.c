/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/measure_units.h"

#include "base/str.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

#define S [BASE_SECOND]
#define M [BASE_METRE]
#define G [BASE_GRAM]
#define A [BASE_AMPERE]
#define ENERGY                                                                                     \
    {                                                                                              \
        S = -2, M = 2, G = 1                                                                       \
    }
#define PRESSURE                                                                                   \
    {                                                                                              \
        S = -2, M = -1, G = 1                                                                      \
    }
#define POWER                                                                                      \
    {                                                                                              \
        S = -3, M = 2, G = 1                                                                       \
    }

/* Volumes of kitchens and fuel are the US ones, from the gallon of 231 cubic inches. Energies and
 * pressures that have several definitions, and the conversions of pounds, are rounded. */
static const measure_unit units[] = {
    {"s", "second", .power = {S = 1}, .prefixed = true},
    {"sec", "sec", .power = {S = 1}},
    {"min", "minute", .power = {S = 1}, .num = 60},
    {NULL, "min", .power = {S = 1}, .num = 60},
    {"h", "hour", .power = {S = 1}, .num = 3600},
    {NULL, "hr", .power = {S = 1}, .num = 3600},
    {NULL, "day", .power = {S = 1}, .num = 86400},
    {NULL, "week", .power = {S = 1}, .num = 604800},
    {NULL, "month", .power = {[BASE_MONTH] = 1}},
    {"yr", "year", .power = {[BASE_MONTH] = 1}, .num = 12},
    {NULL, "yr", .power = {[BASE_MONTH] = 1}, .num = 12},
    {NULL, "decade", .power = {[BASE_MONTH] = 1}, .num = 120},
    {"century", "centurie", .power = {[BASE_MONTH] = 1}, .num = 1200},
    {"m", "meter", .power = {M = 1}, .prefixed = true},
    {NULL, "metre", .power = {M = 1}, .prefixed = true},
    {NULL, "km", .power = {M = 1}, .ten = 3},
    {"in", "inch", .power = {M = 1}, .num = 254, .ten = -4},
    {"ft", "foot", .power = {M = 1}, .num = 3048, .ten = -4},
    {"feet", NULL, .power = {M = 1}, .num = 3048, .ten = -4},
    {"yd", "yard", .power = {M = 1}, .num = 9144, .ten = -4},
    {NULL, "yd", .power = {M = 1}, .num = 9144, .ten = -4},
    {"mi", "mile", .power = {M = 1}, .num = 1609344, .ten = -3},
    {"AU", NULL, .power = {M = 1}, .num = 149597870700},
    {"pc", "parsec", .power = {M = 1}, .num = 30857, .ten = 12, .prefixed = true, .rounded = true},
    {"\xc3\x85", "angstrom", .power = {M = 1}, .ten = -10},
    {NULL, "light", .power = {M = 1, S = -1}, .num = 299792458}, /* "light years" */
    {"acre", "acre", .power = {M = 2}, .num = 40468564224, .ten = -7},
    {"ha", "hectare", .power = {M = 2}, .ten = 4},
    {"L", "liter", .power = {M = 3}, .ten = -3, .prefixed = true},
    {"l", "litre", .power = {M = 3}, .ten = -3, .prefixed = true},
    {"gal", "gallon", .power = {M = 3}, .num = 3785411784, .ten = -12, .rounded = true},
    {"qt", "quart", .power = {M = 3}, .num = 3785411784, .den = 4, .ten = -12, .rounded = true},
    {"pt", "pint", .power = {M = 3}, .num = 3785411784, .den = 8, .ten = -12, .rounded = true},
    {NULL, "cup", .power = {M = 3}, .num = 3785411784, .den = 16, .ten = -12, .rounded = true},
    {"tbsp", "tablespoon", .power = {M = 3}, .num = 3785411784, .den = 256, .ten = -12,
     .rounded = true},
    {"tsp", "teaspoon", .power = {M = 3}, .num = 3785411784, .den = 768, .ten = -12,
     .rounded = true},
    {"g", "gram", .power = {G = 1}, .prefixed = true},
    {"kilo", "kg", .power = {G = 1}, .ten = 3},
    {NULL, "kilo", .power = {G = 1}, .ten = 3},
    {"t", "ton", .power = {G = 1}, .ten = 6},
    {NULL, "tonne", .power = {G = 1}, .ten = 6},
    {"lb", "pound", .power = {G = 1}, .num = 45359237, .ten = -5, .rounded = true},
    {NULL, "lb", .power = {G = 1}, .num = 45359237, .ten = -5, .rounded = true},
    {"oz", "ounce", .power = {G = 1}, .num = 45359237, .den = 16, .ten = -5, .rounded = true},
    {"mph", NULL, .power = {M = 1, S = -1}, .num = 1609344, .den = 3600, .ten = -3},
    {"kph", NULL, .power = {M = 1, S = -1}, .den = 3600, .ten = 3},
    {"kmh", NULL, .power = {M = 1, S = -1}, .den = 3600, .ten = 3},
    {"mps", NULL, .power = {M = 1, S = -1}},
    {NULL, "knot", .power = {M = 1, S = -1}, .num = 1852, .den = 3600},
    {"Hz", "hertz", .power = {S = -1}, .prefixed = true},
    {"rpm", NULL, .power = {S = -1, [BASE_TURN] = 1}, .den = 60},
    {"rev", "revolution", .power = {[BASE_TURN] = 1}},
    {"N", "newton", .power = {S = -2, M = 1, G = 1}, .ten = 3, .prefixed = true},
    {"dyn", "dyne", .power = {S = -2, M = 1, G = 1}, .ten = -2},
    {"lbf", NULL, .power = {S = -2, M = 1, G = 1}, .num = 44482216152605, .ten = -10,
     .rounded = true},
    {"J", "joule", .power = ENERGY, .ten = 3, .prefixed = true},
    {"erg", "erg", .power = ENERGY, .ten = -4},
    {"eV", "electronvolt", .power = ENERGY, .num = 1602176634, .ten = -25, .prefixed = true},
    {"cal", "calorie", .power = ENERGY, .num = 4184, .prefixed = true, .rounded = true},
    {"Cal", NULL, .power = ENERGY, .num = 4184, .ten = 3, .rounded = true},
    {"BTU", "btu", .power = ENERGY, .num = 1055056, .rounded = true},
    {"Wh", NULL, .power = ENERGY, .num = 3600, .ten = 3, .prefixed = true},
    {"W", "watt", .power = POWER, .ten = 3, .prefixed = true},
    {"hp", "horsepower", .power = POWER, .num = 7457, .ten = 2, .rounded = true},
    {"Pa", "pascal", .power = PRESSURE, .ten = 3, .prefixed = true},
    {"bar", "bar", .power = PRESSURE, .ten = 8, .prefixed = true},
    {"atm", "atmosphere", .power = PRESSURE, .num = 101325, .ten = 3},
    {"mmHg", "torr", .power = PRESSURE, .num = 133322, .rounded = true},
    {"psi", NULL, .power = PRESSURE, .num = 6894757, .rounded = true},
    {"A", "ampere", .power = {A = 1}, .prefixed = true},
    {NULL, "amp", .power = {A = 1}, .prefixed = true},
    {"C", "coulomb", .power = {S = 1, A = 1}, .prefixed = true},
    {"Ah", NULL, .power = {S = 1, A = 1}, .num = 3600, .prefixed = true},
    {"V", "volt", .power = {S = -3, M = 2, G = 1, A = -1}, .ten = 3, .prefixed = true},
    {"\xce\xa9", "ohm", .power = {S = -3, M = 2, G = 1, A = -2}, .ten = 3, .prefixed = true},
    {"F", "farad", .power = {S = 4, M = -2, G = -1, A = 2}, .ten = -3, .prefixed = true},
    {"H", "henry", .power = {S = -2, M = 2, G = 1, A = -2}, .ten = 3, .prefixed = true},
    {NULL, "henrie", .power = {S = -2, M = 2, G = 1, A = -2}, .ten = 3, .prefixed = true},
    {"T", "tesla", .power = {S = -2, G = 1, A = -1}, .ten = 3, .prefixed = true},
    {"G", "gauss", .power = {S = -2, G = 1, A = -1}, .ten = -1},
    {"Wb", "weber", .power = {S = -2, M = 2, G = 1, A = -1}, .ten = 3, .prefixed = true},
    {NULL, "siemens", .power = {S = 3, M = -2, G = -1, A = 2}, .ten = -3, .prefixed = true},
    {"mol", "mole", .power = {[BASE_MOLE] = 1}, .prefixed = true},
    {NULL, "molar", .power = {[BASE_MOLE] = 1, M = -3}, .ten = 3, .prefixed = true},
    {"cd", "candela", .power = {[BASE_CANDELA] = 1}, .prefixed = true},
    {"lm", "lumen", .power = {[BASE_CANDELA] = 1}, .prefixed = true, .rounded = true},
    {"lx", "lux", .power = {[BASE_CANDELA] = 1, M = -2}, .prefixed = true, .rounded = true},
    {"Bq", "becquerel", .power = {[BASE_BECQUEREL] = 1}, .prefixed = true},
    {"Sv", "sievert", .power = {[BASE_SIEVERT] = 1}, .prefixed = true},
    {"Gy", "gray", .power = {[BASE_GRAY] = 1}, .prefixed = true},
    {"dB", "decibel", .power = {[BASE_DECIBEL] = 1}},
    {"b", "bit", .power = {[BASE_BIT] = 1}, .prefixed = true, .rounded = true},
    {"B", "byte", .power = {[BASE_BIT] = 1}, .num = 8, .prefixed = true, .rounded = true},
    {"K", "kelvin", .power = {[BASE_KELVIN] = 1}, .prefixed = true},
    {NULL, "celsius", .power = {[BASE_CELSIUS] = 1}},
    {NULL, "centigrade", .power = {[BASE_CELSIUS] = 1}},
    {NULL, "fahrenheit", .power = {[BASE_FAHRENHEIT] = 1}},
    {"deg", "degree", .power = {[BASE_DEGREE] = 1}},
    {"rad", "radian", .power = {[BASE_RADIAN] = 1}, .prefixed = true},
    {"USD", "dollar", .power = {[BASE_CENT] = 1}, .num = 100},
    {NULL, "buck", .power = {[BASE_CENT] = 1}, .num = 100},
    {"usd", "euro", .power = {[BASE_CENT] = 1}, .num = 100},
    {NULL, "quarter", .power = {[BASE_CENT] = 1}, .num = 25},
    {NULL, "dime", .power = {[BASE_CENT] = 1}, .num = 10},
    {NULL, "nickel", .power = {[BASE_CENT] = 1}, .num = 5},
    {NULL, "cent", .power = {[BASE_CENT] = 1}},
    {"penny", "pennie", .power = {[BASE_CENT] = 1}},
    {NULL, "dozen", .power = {[BASE_ONE] = 1}, .num = 12},
    {NULL, "pair", .power = {[BASE_ONE] = 1}, .num = 2},
    {"percent", NULL, .power = {[BASE_ONE] = 1}, .ten = -2},
    {NULL, "unit", .power = {[BASE_UNIT] = 1}},
    {NULL, "point", .power = {[BASE_UNIT] = 1}},
};

static const struct {
    const char *symbol, *name;
    int ten;
} prefixes[] = {
    {"k", "kilo", 3},       {"K", NULL, 3},    {"M", "mega", 6},   {"G", "giga", 9},
    {"T", "tera", 12},      {"P", "peta", 15}, {"m", "milli", -3}, {"c", "centi", -2},
    {"d", "deci", -1},      {"h", "hecto", 2}, {"u", "micro", -6}, {"\xc2\xb5", NULL, -6},
    {"\xce\xbc", NULL, -6}, {"n", "nano", -9}, {"p", "pico", -12}, {"f", "femto", -15},
};

static bool is_name(rdv_str word, const measure_unit *u)
{
    if (!u->name)
        return false;
    size_t len = strlen(u->name);
    rdv_str ending = rdv_slice(word, len, word.len);
    return len > 1 && word.len >= len &&
           rdv_str_ieq(rdv_slice(word, 0, len), rdv_str_of(u->name)) &&
           (ending.len == 0 || rdv_str_ieq(ending, RDV_STR("s")) ||
            rdv_str_ieq(ending, RDV_STR("es")));
}

/* A symbol means what it does in its own case only. */
static const measure_unit *unit_of(rdv_str word, bool prefixed, bool symbol)
{
    for (size_t i = 0; i < COUNT(units); i++) {
        const measure_unit *u = units + i;
        if (prefixed && !u->prefixed)
            continue;
        if (symbol ? u->symbol && rdv_str_eq(word, rdv_str_of(u->symbol)) : is_name(word, u))
            return u;
    }
    return NULL;
}

const measure_unit *measure_unit_named(rdv_str word, int *ten)
{
    *ten = 0;
    const measure_unit *u = unit_of(word, false, true);
    if (!u)
        u = unit_of(word, false, false);
    for (size_t i = 0; i < COUNT(prefixes) && !u; i++) {
        rdv_str symbol = rdv_str_of(prefixes[i].symbol);
        rdv_str name = prefixes[i].name ? rdv_str_of(prefixes[i].name) : (rdv_str){0};
        *ten = prefixes[i].ten;
        if (rdv_starts(word, symbol))
            u = unit_of(rdv_slice(word, symbol.len, word.len), true, true);
        if (!u && name.len && rdv_istarts(word, name))
            u = unit_of(rdv_slice(word, name.len, word.len), true, false);
        if (!u && name.len && rdv_istarts(word, name)) /* "micrometers", and "microPa" */
            u = unit_of(rdv_slice(word, name.len, word.len), true, true);
    }
    return u;
}
