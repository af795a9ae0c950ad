/* SPDX-License-Identifier: Apache-2.0 */
#include "math/units.h"

#include "base/str.h"

#include <stdlib.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Sorted by name. Bases: second, a tenth of a millimetre, milligram, millilitre, cent, one, degree.
 * Month and year are the Gregorian averages, cups and spoons the US ones to a microlitre. */
static const unit units[] = {
    {"Hertz", DIM_OTHER, 1, 1},
    {"Hz", DIM_OTHER, 1, 1},
    {"J", DIM_OTHER, 1, 1},
    {"L", DIM_VOLUME, 1000, 1},
    {"N", DIM_OTHER, 1, 1},
    {"USD", DIM_MONEY, 100, 1},
    {"V", DIM_OTHER, 1, 1},
    {"W", DIM_OTHER, 1, 1},
    {"buck", DIM_MONEY, 100, 1},
    {"bucks", DIM_MONEY, 100, 1},
    {"cent", DIM_MONEY, 1, 1},
    {"centimeter", DIM_LENGTH, 100, 1},
    {"centimeters", DIM_LENGTH, 100, 1},
    {"centimetre", DIM_LENGTH, 100, 1},
    {"centimetres", DIM_LENGTH, 100, 1},
    {"cents", DIM_MONEY, 1, 1},
    {"cm", DIM_LENGTH, 100, 1},
    {"cu", DIM_OTHER, 1, 1},
    {"cubic", DIM_OTHER, 1, 1},
    {"cup", DIM_VOLUME, 236588236, 1000000},
    {"cups", DIM_VOLUME, 236588236, 1000000},
    {"day", DIM_TIME, 86400, 1},
    {"days", DIM_TIME, 86400, 1},
    {"deg", DIM_ANGLE, 1, 1},
    {"degree", DIM_ANGLE, 1, 1},
    {"degrees", DIM_ANGLE, 1, 1},
    {"dime", DIM_MONEY, 10, 1},
    {"dimes", DIM_MONEY, 10, 1},
    {"dollar", DIM_MONEY, 100, 1},
    {"dollars", DIM_MONEY, 100, 1},
    {"dozen", DIM_COUNT, 12, 1},
    {"dozens", DIM_COUNT, 12, 1},
    {"euro", DIM_MONEY, 100, 1},
    {"euros", DIM_MONEY, 100, 1},
    {"feet", DIM_LENGTH, 3048, 1},
    {"foot", DIM_LENGTH, 3048, 1},
    {"ft", DIM_LENGTH, 3048, 1},
    {"g", DIM_MASS, 1000, 1},
    {"gal", DIM_VOLUME, 3785411784, 1000000},
    {"gallon", DIM_VOLUME, 3785411784, 1000000},
    {"gallons", DIM_VOLUME, 3785411784, 1000000},
    {"gram", DIM_MASS, 1000, 1},
    {"grams", DIM_MASS, 1000, 1},
    {"h", DIM_TIME, 3600, 1},
    {"hour", DIM_TIME, 3600, 1},
    {"hours", DIM_TIME, 3600, 1},
    {"hr", DIM_TIME, 3600, 1},
    {"hrs", DIM_TIME, 3600, 1},
    {"inch", DIM_LENGTH, 254, 1},
    {"inches", DIM_LENGTH, 254, 1},
    {"joule", DIM_OTHER, 1, 1},
    {"joules", DIM_OTHER, 1, 1},
    {"kW", DIM_OTHER, 1, 1},
    {"kg", DIM_MASS, 1000000, 1},
    {"kgs", DIM_MASS, 1000000, 1},
    {"kilo", DIM_MASS, 1000000, 1},
    {"kilogram", DIM_MASS, 1000000, 1},
    {"kilograms", DIM_MASS, 1000000, 1},
    {"kilometer", DIM_LENGTH, 10000000, 1},
    {"kilometers", DIM_LENGTH, 10000000, 1},
    {"kilometre", DIM_LENGTH, 10000000, 1},
    {"kilometres", DIM_LENGTH, 10000000, 1},
    {"kilos", DIM_MASS, 1000000, 1},
    {"km", DIM_LENGTH, 10000000, 1},
    {"kmh", DIM_OTHER, 1, 1},
    {"kms", DIM_LENGTH, 10000000, 1},
    {"kph", DIM_OTHER, 1, 1},
    {"l", DIM_VOLUME, 1000, 1},
    {"lb", DIM_MASS, 45359237, 100},
    {"lbs", DIM_MASS, 45359237, 100},
    {"liter", DIM_VOLUME, 1000, 1},
    {"liters", DIM_VOLUME, 1000, 1},
    {"litre", DIM_VOLUME, 1000, 1},
    {"litres", DIM_VOLUME, 1000, 1},
    {"m", DIM_LENGTH, 10000, 1},
    {"mL", DIM_VOLUME, 1, 1},
    {"meter", DIM_LENGTH, 10000, 1},
    {"meters", DIM_LENGTH, 10000, 1},
    {"metre", DIM_LENGTH, 10000, 1},
    {"metres", DIM_LENGTH, 10000, 1},
    {"mg", DIM_MASS, 1, 1},
    {"mi", DIM_LENGTH, 16093440, 1},
    {"mile", DIM_LENGTH, 16093440, 1},
    {"miles", DIM_LENGTH, 16093440, 1},
    {"milligram", DIM_MASS, 1, 1},
    {"milligrams", DIM_MASS, 1, 1},
    {"milliliter", DIM_VOLUME, 1, 1},
    {"milliliters", DIM_VOLUME, 1, 1},
    {"millimeter", DIM_LENGTH, 10, 1},
    {"millimeters", DIM_LENGTH, 10, 1},
    {"min", DIM_TIME, 60, 1},
    {"mins", DIM_TIME, 60, 1},
    {"minute", DIM_TIME, 60, 1},
    {"minutes", DIM_TIME, 60, 1},
    {"ml", DIM_VOLUME, 1, 1},
    {"mm", DIM_LENGTH, 10, 1},
    {"mol", DIM_OTHER, 1, 1},
    {"mole", DIM_OTHER, 1, 1},
    {"moles", DIM_OTHER, 1, 1},
    {"month", DIM_TIME, 2629746, 1},
    {"months", DIM_TIME, 2629746, 1},
    {"mph", DIM_OTHER, 1, 1},
    {"newton", DIM_OTHER, 1, 1},
    {"newtons", DIM_OTHER, 1, 1},
    {"nickel", DIM_MONEY, 5, 1},
    {"nickels", DIM_MONEY, 5, 1},
    {"ounce", DIM_MASS, 45359237, 1600},
    {"ounces", DIM_MASS, 45359237, 1600},
    {"oz", DIM_MASS, 45359237, 1600},
    {"pair", DIM_COUNT, 2, 1},
    {"pairs", DIM_COUNT, 2, 1},
    {"pennies", DIM_MONEY, 1, 1},
    {"penny", DIM_MONEY, 1, 1},
    {"percent", DIM_OTHER, 1, 1},
    {"pint", DIM_VOLUME, 473176473, 1000000},
    {"pints", DIM_VOLUME, 473176473, 1000000},
    {"points", DIM_OTHER, 1, 1},
    {"pound", DIM_MASS, 45359237, 100},
    {"pounds", DIM_MASS, 45359237, 100},
    {"quart", DIM_VOLUME, 946352946, 1000000},
    {"quarter", DIM_MONEY, 25, 1},
    {"quarters", DIM_MONEY, 25, 1},
    {"quarts", DIM_VOLUME, 946352946, 1000000},
    {"rad", DIM_OTHER, 1, 1},
    {"radian", DIM_OTHER, 1, 1},
    {"radians", DIM_OTHER, 1, 1},
    {"rpm", DIM_OTHER, 1, 1},
    {"s", DIM_TIME, 1, 1},
    {"sec", DIM_TIME, 1, 1},
    {"second", DIM_TIME, 1, 1},
    {"seconds", DIM_TIME, 1, 1},
    {"secs", DIM_TIME, 1, 1},
    {"sq", DIM_OTHER, 1, 1},
    {"square", DIM_OTHER, 1, 1},
    {"tablespoon", DIM_VOLUME, 14786765, 1000000},
    {"tablespoons", DIM_VOLUME, 14786765, 1000000},
    {"tbsp", DIM_VOLUME, 14786765, 1000000},
    {"teaspoon", DIM_VOLUME, 4928922, 1000000},
    {"teaspoons", DIM_VOLUME, 4928922, 1000000},
    {"ton", DIM_MASS, 1000000000, 1},
    {"tonne", DIM_MASS, 1000000000, 1},
    {"tonnes", DIM_MASS, 1000000000, 1},
    {"tons", DIM_MASS, 1000000000, 1},
    {"tsp", DIM_VOLUME, 4928922, 1000000},
    {"unit", DIM_OTHER, 1, 1},
    {"units", DIM_OTHER, 1, 1},
    {"usd", DIM_MONEY, 100, 1},
    {"volt", DIM_OTHER, 1, 1},
    {"volts", DIM_OTHER, 1, 1},
    {"watt", DIM_OTHER, 1, 1},
    {"watts", DIM_OTHER, 1, 1},
    {"week", DIM_TIME, 604800, 1},
    {"weeks", DIM_TIME, 604800, 1},
    {"yard", DIM_LENGTH, 9144, 1},
    {"yards", DIM_LENGTH, 9144, 1},
    {"yd", DIM_LENGTH, 9144, 1},
    {"yds", DIM_LENGTH, 9144, 1},
    {"year", DIM_TIME, 31556952, 1},
    {"years", DIM_TIME, 31556952, 1},
    {"yr", DIM_TIME, 31556952, 1},
    {"yrs", DIM_TIME, 31556952, 1},
};

static int compare_units(const void *key, const void *entry)
{
    return rdv_str_cmp(*(const rdv_str *)key, rdv_str_of(((const unit *)entry)->name));
}

#define MAX_WORD 16 /* longer than any in the table */

const unit *unit_named(rdv_str word)
{
    char space[MAX_WORD];
    if (word.len > MAX_WORD)
        return NULL;
    const unit *u = bsearch(&word, units, COUNT(units), sizeof *units, compare_units);
    if (u || word.len < 3)
        return u;
    for (size_t i = 0; i < word.len; i++)
        space[i] = rdv_lower(word.p[i]);
    word.p = space;
    return bsearch(&word, units, COUNT(units), sizeof *units, compare_units);
}

size_t unit_dimension_index(const unit *u)
{
    return (size_t)__builtin_ctz(u->dim);
}

bool unit_same(const unit *a, const unit *b)
{
    return a->dim == b->dim && (uint64_t)a->num * b->den == (uint64_t)b->num * a->den;
}

const unit *units_all(size_t *n)
{
    *n = COUNT(units);
    return units;
}
