/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/units.h"

#include "base/str.h"
#include "language/word_class.h"

#include <stdatomic.h>
#include <threads.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

#define S [BASE_SECOND]
#define M [BASE_METRE]
#define G [BASE_GRAM]
#define A [BASE_AMPERE]
#define ENERGY {S = -2, M = 2, G = 1}
#define PRESSURE {S = -2, M = -1, G = 1}
#define POWER {S = -3, M = 2, G = 1}

typedef enum unit_id {
    UNIT_SECOND,
    UNIT_MINUTE,
    UNIT_HOUR,
    UNIT_DAY,
    UNIT_WEEK,
    UNIT_MONTH,
    UNIT_YEAR,
    UNIT_DECADE,
    UNIT_CENTURY,
    UNIT_METRE,
    UNIT_KILOMETRE,
    UNIT_INCH,
    UNIT_FOOT,
    UNIT_YARD,
    UNIT_MILE,
    UNIT_ASTRONOMICAL,
    UNIT_PARSEC,
    UNIT_ANGSTROM,
    UNIT_LIGHT,
    UNIT_ACRE,
    UNIT_HECTARE,
    UNIT_LITRE,
    UNIT_GALLON,
    UNIT_QUART,
    UNIT_PINT,
    UNIT_CUP,
    UNIT_FLUID_OUNCE,
    UNIT_TABLESPOON,
    UNIT_TEASPOON,
    UNIT_GRAM,
    UNIT_KILOGRAM,
    UNIT_TONNE,
    UNIT_SHORT_TON,
    UNIT_POUND,
    UNIT_OUNCE,
    UNIT_MILE_PER_HOUR,
    UNIT_KILOMETRE_PER_HOUR,
    UNIT_METRE_PER_SECOND,
    UNIT_KNOT,
    UNIT_HERTZ,
    UNIT_TURN_PER_MINUTE,
    UNIT_TURN,
    UNIT_NEWTON,
    UNIT_DYNE,
    UNIT_POUND_FORCE,
    UNIT_JOULE,
    UNIT_ERG,
    UNIT_ELECTRONVOLT,
    UNIT_CALORIE,
    UNIT_KILOCALORIE,
    UNIT_BRITISH_THERMAL_UNIT,
    UNIT_WATT_HOUR,
    UNIT_WATT,
    UNIT_HORSEPOWER,
    UNIT_PASCAL,
    UNIT_BAR,
    UNIT_ATMOSPHERE,
    UNIT_TORR,
    UNIT_POUND_PER_SQUARE_INCH,
    UNIT_AMPERE,
    UNIT_COULOMB,
    UNIT_AMPERE_HOUR,
    UNIT_VOLT,
    UNIT_OHM,
    UNIT_FARAD,
    UNIT_HENRY,
    UNIT_TESLA,
    UNIT_GAUSS,
    UNIT_WEBER,
    UNIT_SIEMENS,
    UNIT_MOLE,
    UNIT_MOLAR,
    UNIT_CANDELA,
    UNIT_LUMEN,
    UNIT_LUX,
    UNIT_BECQUEREL,
    UNIT_SIEVERT,
    UNIT_GRAY,
    UNIT_DECIBEL,
    UNIT_BIT,
    UNIT_BYTE,
    UNIT_KELVIN,
    UNIT_CELSIUS,
    UNIT_FAHRENHEIT,
    UNIT_DEGREE,
    UNIT_RADIAN,
    UNIT_DOLLAR,
    UNIT_EURO,
    UNIT_EURO_CENT,
    UNIT_STERLING,
    UNIT_PENNY,
    UNIT_QUARTER,
    UNIT_DIME,
    UNIT_NICKEL,
    UNIT_CENT,
    UNIT_DOZEN,
    UNIT_PAIR,
    UNIT_PERCENT,
    UNIT_UNIT
} unit_id;

/* Volumes of kitchens and fuel are the US ones, from the gallon of 231 cubic inches. All sizes are
 * exact (calories are thermochemical, British thermal units of the International Table, horsepower
 * is mechanical), but for the parsec. People round those of energies and pressures that have
 * several definitions, and the conversions of pounds. */
static const unit units[] = {
    [UNIT_SECOND] = {.power = {S = 1}, .is = UNIT_PREFIXED},
    [UNIT_MINUTE] = {.power = {S = 1}, .num = 60},
    [UNIT_HOUR] = {.power = {S = 1}, .num = 3600},
    [UNIT_DAY] = {.power = {S = 1}, .num = 86400, .is = UNIT_LOOSE},
    [UNIT_WEEK] = {.power = {S = 1}, .num = 604800, .is = UNIT_LOOSE},
    [UNIT_MONTH] = {.power = {[BASE_MONTH] = 1}, .is = UNIT_LOOSE},
    [UNIT_YEAR] = {.power = {[BASE_MONTH] = 1}, .num = 12, .is = UNIT_LOOSE},
    [UNIT_DECADE] = {.power = {[BASE_MONTH] = 1}, .num = 120, .is = UNIT_LOOSE},
    [UNIT_CENTURY] = {.power = {[BASE_MONTH] = 1}, .num = 1200, .is = UNIT_LOOSE},
    [UNIT_METRE] = {.power = {M = 1}, .is = UNIT_PREFIXED},
    [UNIT_KILOMETRE] = {.power = {M = 1}, .ten = 3},
    [UNIT_INCH] = {.power = {M = 1}, .num = 254, .ten = -4, .is = UNIT_CUSTOMARY},
    [UNIT_FOOT] = {.power = {M = 1}, .num = 3048, .ten = -4, .is = UNIT_CUSTOMARY},
    [UNIT_YARD] = {.power = {M = 1}, .num = 9144, .ten = -4, .is = UNIT_CUSTOMARY},
    [UNIT_MILE] = {.power = {M = 1}, .num = 1609344, .ten = -3, .is = UNIT_CUSTOMARY},
    [UNIT_ASTRONOMICAL] = {.power = {M = 1}, .num = 149597870700},
    [UNIT_PARSEC] = {.power = {M = 1},
                     .num = 30856775814913673, /* 648000 / pi astronomical units */
                     .is = UNIT_PREFIXED | UNIT_ROUNDED},
    [UNIT_ANGSTROM] = {.power = {M = 1}, .ten = -10},
    [UNIT_LIGHT] = {.power = {M = 1, S = -1}, .num = 299792458},
    [UNIT_ACRE] = {.power = {M = 2}, .num = 40468564224, .ten = -7, .is = UNIT_CUSTOMARY},
    [UNIT_HECTARE] = {.power = {M = 2}, .ten = 4},
    [UNIT_LITRE] = {.power = {M = 3}, .ten = -3, .is = UNIT_PREFIXED},
    [UNIT_GALLON] = {.power = {M = 3},
                     .num = 3785411784,
                     .ten = -12,
                     .is = UNIT_ROUNDED | UNIT_CUSTOMARY | UNIT_IMPERIAL},
    [UNIT_QUART] = {.power = {M = 3},
                    .num = 3785411784,
                    .den = 4,
                    .ten = -12,
                    .is = UNIT_ROUNDED | UNIT_CUSTOMARY | UNIT_IMPERIAL},
    [UNIT_PINT] = {.power = {M = 3},
                   .num = 3785411784,
                   .den = 8,
                   .ten = -12,
                   .is = UNIT_ROUNDED | UNIT_CUSTOMARY | UNIT_IMPERIAL},
    [UNIT_CUP] = {.power = {M = 3},
                  .num = 3785411784,
                  .den = 16,
                  .ten = -12,
                  .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_FLUID_OUNCE] = {.power = {M = 3},
                          .num = 3785411784,
                          .den = 128,
                          .ten = -12,
                          .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_TABLESPOON] = {.power = {M = 3},
                         .num = 3785411784,
                         .den = 256,
                         .ten = -12,
                         .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_TEASPOON] = {.power = {M = 3},
                       .num = 3785411784,
                       .den = 768,
                       .ten = -12,
                       .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_GRAM] = {.power = {G = 1}, .is = UNIT_PREFIXED},
    [UNIT_KILOGRAM] = {.power = {G = 1}, .ten = 3},
    [UNIT_TONNE] = {.power = {G = 1}, .ten = 6},
    [UNIT_SHORT_TON] = {.power = {G = 1},
                        .num = 90718474000,
                        .ten = -5,
                        .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_POUND] = {.power = {G = 1},
                    .num = 45359237,
                    .ten = -5,
                    .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_OUNCE] = {.power = {G = 1},
                    .num = 45359237,
                    .den = 16,
                    .ten = -5,
                    .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_MILE_PER_HOUR] =
        {.power = {M = 1, S = -1}, .num = 1609344, .den = 3600, .ten = -3, .is = UNIT_CUSTOMARY},
    [UNIT_KILOMETRE_PER_HOUR] = {.power = {M = 1, S = -1}, .den = 3600, .ten = 3},
    [UNIT_METRE_PER_SECOND] = {.power = {M = 1, S = -1}},
    [UNIT_KNOT] = {.power = {M = 1, S = -1}, .num = 1852, .den = 3600, .is = UNIT_CUSTOMARY},
    [UNIT_HERTZ] = {.power = {S = -1}, .is = UNIT_PREFIXED},
    [UNIT_TURN_PER_MINUTE] = {.power = {S = -1, [BASE_TURN] = 1}, .den = 60},
    [UNIT_TURN] = {.power = {[BASE_TURN] = 1}},
    [UNIT_NEWTON] = {.power = {S = -2, M = 1, G = 1}, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_DYNE] = {.power = {S = -2, M = 1, G = 1}, .ten = -2},
    [UNIT_POUND_FORCE] = {.power = {S = -2, M = 1, G = 1},
                          .num = 44482216152605,
                          .ten = -10,
                          .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_JOULE] = {.power = ENERGY, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_ERG] = {.power = ENERGY, .ten = -4},
    [UNIT_ELECTRONVOLT] = {.power = ENERGY, .num = 1602176634, .ten = -25, .is = UNIT_PREFIXED},
    [UNIT_CALORIE] = {.power = ENERGY, .num = 4184, .is = UNIT_PREFIXED | UNIT_ROUNDED},
    [UNIT_KILOCALORIE] = {.power = ENERGY, .num = 4184, .ten = 3, .is = UNIT_ROUNDED},
    [UNIT_BRITISH_THERMAL_UNIT] = {.power = ENERGY,
                                   .num = 105505585262,
                                   .ten = -5,
                                   .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_WATT_HOUR] = {.power = ENERGY, .num = 3600, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_WATT] = {.power = POWER, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_HORSEPOWER] = {.power = POWER,
                         .num = 74569987158227022,
                         .ten = -11,
                         .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_PASCAL] = {.power = PRESSURE, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_BAR] = {.power = PRESSURE, .ten = 8, .is = UNIT_PREFIXED},
    [UNIT_ATMOSPHERE] = {.power = PRESSURE, .num = 101325, .ten = 3},
    [UNIT_TORR] = {.power = PRESSURE, .num = 101325, .den = 760, .ten = 3, .is = UNIT_ROUNDED},
    [UNIT_POUND_PER_SQUARE_INCH] = {.power = PRESSURE,
                                    .num = 44482216152605,
                                    .den = 64516,
                                    .ten = -2,
                                    .is = UNIT_ROUNDED | UNIT_CUSTOMARY},
    [UNIT_AMPERE] = {.power = {A = 1}, .is = UNIT_PREFIXED},
    [UNIT_COULOMB] = {.power = {S = 1, A = 1}, .is = UNIT_PREFIXED},
    [UNIT_AMPERE_HOUR] = {.power = {S = 1, A = 1}, .num = 3600, .is = UNIT_PREFIXED},
    [UNIT_VOLT] = {.power = {S = -3, M = 2, G = 1, A = -1}, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_OHM] = {.power = {S = -3, M = 2, G = 1, A = -2}, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_FARAD] = {.power = {S = 4, M = -2, G = -1, A = 2}, .ten = -3, .is = UNIT_PREFIXED},
    [UNIT_HENRY] = {.power = {S = -2, M = 2, G = 1, A = -2}, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_TESLA] = {.power = {S = -2, G = 1, A = -1}, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_GAUSS] = {.power = {S = -2, G = 1, A = -1}, .ten = -1},
    [UNIT_WEBER] = {.power = {S = -2, M = 2, G = 1, A = -1}, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_SIEMENS] = {.power = {S = 3, M = -2, G = -1, A = 2}, .ten = -3, .is = UNIT_PREFIXED},
    [UNIT_MOLE] = {.power = {[BASE_MOLE] = 1}, .is = UNIT_PREFIXED},
    [UNIT_MOLAR] = {.power = {[BASE_MOLE] = 1, M = -3}, .ten = 3, .is = UNIT_PREFIXED},
    [UNIT_CANDELA] = {.power = {[BASE_CANDELA] = 1}, .is = UNIT_PREFIXED},
    [UNIT_LUMEN] = {.power = {[BASE_CANDELA] = 1}, .is = UNIT_PREFIXED | UNIT_ROUNDED},
    [UNIT_LUX] = {.power = {[BASE_CANDELA] = 1, M = -2}, .is = UNIT_PREFIXED | UNIT_ROUNDED},
    [UNIT_BECQUEREL] = {.power = {[BASE_BECQUEREL] = 1}, .is = UNIT_PREFIXED},
    [UNIT_SIEVERT] = {.power = {[BASE_SIEVERT] = 1}, .is = UNIT_PREFIXED},
    [UNIT_GRAY] = {.power = {[BASE_GRAY] = 1}, .is = UNIT_PREFIXED},
    [UNIT_DECIBEL] = {.power = {[BASE_DECIBEL] = 1}},
    [UNIT_BIT] = {.power = {[BASE_BIT] = 1}, .is = UNIT_PREFIXED | UNIT_ROUNDED},
    [UNIT_BYTE] = {.power = {[BASE_BIT] = 1}, .num = 8, .is = UNIT_PREFIXED | UNIT_ROUNDED},
    [UNIT_KELVIN] = {.power = {[BASE_KELVIN] = 1}, .is = UNIT_PREFIXED},
    [UNIT_CELSIUS] = {.power = {[BASE_CELSIUS] = 1}},
    [UNIT_FAHRENHEIT] = {.power = {[BASE_FAHRENHEIT] = 1}},
    [UNIT_DEGREE] = {.power = {[BASE_DEGREE] = 1}},
    [UNIT_RADIAN] = {.power = {[BASE_RADIAN] = 1}, .is = UNIT_PREFIXED},
    [UNIT_DOLLAR] = {.power = {[BASE_CENT] = 1}, .num = 100},
    [UNIT_EURO] = {.power = {[BASE_EURO] = 1}, .num = 100},
    [UNIT_EURO_CENT] = {.power = {[BASE_EURO] = 1}},
    [UNIT_STERLING] = {.power = {[BASE_PENNY] = 1}, .num = 100},
    [UNIT_PENNY] = {.power = {[BASE_PENNY] = 1}},
    [UNIT_QUARTER] = {.power = {[BASE_CENT] = 1}, .num = 25, .is = UNIT_LOOSE},
    [UNIT_DIME] = {.power = {[BASE_CENT] = 1}, .num = 10},
    [UNIT_NICKEL] = {.power = {[BASE_CENT] = 1}, .num = 5},
    [UNIT_CENT] = {.power = {[BASE_CENT] = 1}},
    [UNIT_DOZEN] = {.power = {[BASE_ONE] = 1}, .num = 12, .is = UNIT_LOOSE},
    [UNIT_PAIR] = {.power = {[BASE_ONE] = 1}, .num = 2, .is = UNIT_LOOSE},
    [UNIT_PERCENT] = {.power = {[BASE_ONE] = 1}, .ten = -2},
    [UNIT_UNIT] = {.power = {[BASE_UNIT] = 1}},
};

typedef struct spelling {
    const char *text;
    unit_id is, other;
    bool answers_only;
} spelling;

/* In lower case, singular. The plural has "s" or "es". */
static const spelling names[] = {
    {"acre", UNIT_ACRE, UNIT_ACRE},
    {"amp", UNIT_AMPERE, UNIT_AMPERE},
    {"ampere", UNIT_AMPERE, UNIT_AMPERE},
    {"angstrom", UNIT_ANGSTROM, UNIT_ANGSTROM},
    {"atmosphere", UNIT_ATMOSPHERE, UNIT_ATMOSPHERE},
    {"bar", UNIT_BAR, UNIT_BAR},
    {"becquerel", UNIT_BECQUEREL, UNIT_BECQUEREL},
    {"bit", UNIT_BIT, UNIT_BIT},
    {"btu", UNIT_BRITISH_THERMAL_UNIT, UNIT_BRITISH_THERMAL_UNIT},
    {"buck", UNIT_DOLLAR, UNIT_DOLLAR},
    {"byte", UNIT_BYTE, UNIT_BYTE},
    {"calorie", UNIT_CALORIE, UNIT_KILOCALORIE}, /* of food */
    {"candela", UNIT_CANDELA, UNIT_CANDELA},
    {"celsius", UNIT_CELSIUS, UNIT_CELSIUS},
    {"cent", UNIT_CENT, UNIT_EURO_CENT},
    {"centigrade", UNIT_CELSIUS, UNIT_CELSIUS},
    {"centurie", UNIT_CENTURY, UNIT_CENTURY},
    {"coulomb", UNIT_COULOMB, UNIT_COULOMB},
    {"cup", UNIT_CUP, UNIT_CUP},
    {"day", UNIT_DAY, UNIT_DAY},
    {"decade", UNIT_DECADE, UNIT_DECADE},
    {"decibel", UNIT_DECIBEL, UNIT_DECIBEL},
    {"degree", UNIT_DEGREE, UNIT_DEGREE},
    {"dime", UNIT_DIME, UNIT_DIME},
    {"dollar", UNIT_DOLLAR, UNIT_DOLLAR},
    {"dozen", UNIT_DOZEN, UNIT_DOZEN},
    {"dyne", UNIT_DYNE, UNIT_DYNE},
    {"electronvolt", UNIT_ELECTRONVOLT, UNIT_ELECTRONVOLT},
    {"erg", UNIT_ERG, UNIT_ERG},
    {"euro", UNIT_EURO, UNIT_EURO},
    {"fahrenheit", UNIT_FAHRENHEIT, UNIT_FAHRENHEIT},
    {"farad", UNIT_FARAD, UNIT_FARAD},
    {"foot", UNIT_FOOT, UNIT_FOOT},
    {"gallon", UNIT_GALLON, UNIT_GALLON},
    {"gauss", UNIT_GAUSS, UNIT_GAUSS},
    {"gram", UNIT_GRAM, UNIT_GRAM},
    {"gray", UNIT_GRAY, UNIT_GRAY},
    {"hectare", UNIT_HECTARE, UNIT_HECTARE},
    {"henrie", UNIT_HENRY, UNIT_HENRY},
    {"henry", UNIT_HENRY, UNIT_HENRY},
    {"hertz", UNIT_HERTZ, UNIT_HERTZ},
    {"horsepower", UNIT_HORSEPOWER, UNIT_HORSEPOWER},
    {"hour", UNIT_HOUR, UNIT_HOUR},
    {"hr", UNIT_HOUR, UNIT_HOUR},
    {"inch", UNIT_INCH, UNIT_INCH},
    {"joule", UNIT_JOULE, UNIT_JOULE},
    {"kelvin", UNIT_KELVIN, UNIT_KELVIN},
    {"kg", UNIT_KILOGRAM, UNIT_KILOGRAM},
    {"kilo", UNIT_KILOGRAM, UNIT_KILOGRAM},
    {"km", UNIT_KILOMETRE, UNIT_KILOMETRE},
    {"knot", UNIT_KNOT, UNIT_KNOT},
    {"lb", UNIT_POUND, UNIT_POUND},
    {"light", UNIT_LIGHT, UNIT_LIGHT, true},
    {"liter", UNIT_LITRE, UNIT_LITRE},
    {"litre", UNIT_LITRE, UNIT_LITRE},
    {"lumen", UNIT_LUMEN, UNIT_LUMEN},
    {"lux", UNIT_LUX, UNIT_LUX},
    {"meter", UNIT_METRE, UNIT_METRE},
    {"metre", UNIT_METRE, UNIT_METRE},
    {"mile", UNIT_MILE, UNIT_MILE},
    {"min", UNIT_MINUTE, UNIT_MINUTE},
    {"minute", UNIT_MINUTE, UNIT_MINUTE},
    {"molar", UNIT_MOLAR, UNIT_MOLAR},
    {"mole", UNIT_MOLE, UNIT_MOLE},
    {"month", UNIT_MONTH, UNIT_MONTH},
    {"newton", UNIT_NEWTON, UNIT_NEWTON},
    {"nickel", UNIT_NICKEL, UNIT_NICKEL},
    {"ohm", UNIT_OHM, UNIT_OHM},
    {"ounce", UNIT_OUNCE, UNIT_FLUID_OUNCE},
    {"pair", UNIT_PAIR, UNIT_PAIR},
    {"parsec", UNIT_PARSEC, UNIT_PARSEC},
    {"pascal", UNIT_PASCAL, UNIT_PASCAL},
    {"pence", UNIT_PENNY, UNIT_PENNY},
    {"pennie", UNIT_CENT, UNIT_PENNY},
    {"pint", UNIT_PINT, UNIT_PINT},
    {"point", UNIT_UNIT, UNIT_UNIT},
    {"pound", UNIT_POUND, UNIT_POUND},
    {"quart", UNIT_QUART, UNIT_QUART},
    {"quarter", UNIT_QUARTER, UNIT_QUARTER},
    {"radian", UNIT_RADIAN, UNIT_RADIAN},
    {"revolution", UNIT_TURN, UNIT_TURN},
    {"sec", UNIT_SECOND, UNIT_SECOND},
    {"second", UNIT_SECOND, UNIT_SECOND},
    {"siemens", UNIT_SIEMENS, UNIT_SIEMENS},
    {"sievert", UNIT_SIEVERT, UNIT_SIEVERT},
    {"tablespoon", UNIT_TABLESPOON, UNIT_TABLESPOON},
    {"teaspoon", UNIT_TEASPOON, UNIT_TEASPOON},
    {"tesla", UNIT_TESLA, UNIT_TESLA},
    {"ton", UNIT_TONNE, UNIT_SHORT_TON},
    {"tonne", UNIT_TONNE, UNIT_TONNE},
    {"torr", UNIT_TORR, UNIT_TORR},
    {"unit", UNIT_UNIT, UNIT_UNIT},
    {"volt", UNIT_VOLT, UNIT_VOLT},
    {"watt", UNIT_WATT, UNIT_WATT},
    {"weber", UNIT_WEBER, UNIT_WEBER},
    {"week", UNIT_WEEK, UNIT_WEEK},
    {"yard", UNIT_YARD, UNIT_YARD},
    {"yd", UNIT_YARD, UNIT_YARD},
    {"year", UNIT_YEAR, UNIT_YEAR},
    {"yr", UNIT_YEAR, UNIT_YEAR},
};

static const spelling symbols[] = {
    {"A", UNIT_AMPERE, UNIT_AMPERE, true},
    {"AU", UNIT_ASTRONOMICAL, UNIT_ASTRONOMICAL, true},
    {"Ah", UNIT_AMPERE_HOUR, UNIT_AMPERE_HOUR},
    {"B", UNIT_BYTE, UNIT_BYTE, true},
    {"BTU", UNIT_BRITISH_THERMAL_UNIT, UNIT_BRITISH_THERMAL_UNIT},
    {"Bq", UNIT_BECQUEREL, UNIT_BECQUEREL},
    {"C", UNIT_COULOMB, UNIT_COULOMB, true},
    {"Cal", UNIT_KILOCALORIE, UNIT_KILOCALORIE, true},
    {"F", UNIT_FARAD, UNIT_FARAD, true},
    {"G", UNIT_GAUSS, UNIT_GAUSS, true},
    {"Gy", UNIT_GRAY, UNIT_GRAY},
    {"H", UNIT_HENRY, UNIT_HENRY, true},
    {"Hz", UNIT_HERTZ, UNIT_HERTZ},
    {"J", UNIT_JOULE, UNIT_JOULE},
    {"K", UNIT_KELVIN, UNIT_KELVIN, true},
    {"L", UNIT_LITRE, UNIT_LITRE},
    {"N", UNIT_NEWTON, UNIT_NEWTON},
    {"Pa", UNIT_PASCAL, UNIT_PASCAL},
    {"Sv", UNIT_SIEVERT, UNIT_SIEVERT},
    {"T", UNIT_TESLA, UNIT_TESLA, true},
    {"USD", UNIT_DOLLAR, UNIT_DOLLAR},
    {"V", UNIT_VOLT, UNIT_VOLT},
    {"VA", UNIT_WATT, UNIT_WATT}, /* apparent power */
    {"W", UNIT_WATT, UNIT_WATT},
    {"Wb", UNIT_WEBER, UNIT_WEBER},
    {"Wh", UNIT_WATT_HOUR, UNIT_WATT_HOUR},
    {"acre", UNIT_ACRE, UNIT_ACRE},
    {"atm", UNIT_ATMOSPHERE, UNIT_ATMOSPHERE},
    {"b", UNIT_BIT, UNIT_BIT, true},
    {"bar", UNIT_BAR, UNIT_BAR},
    {"cal", UNIT_CALORIE, UNIT_CALORIE},
    {"cd", UNIT_CANDELA, UNIT_CANDELA, true},
    {"century", UNIT_CENTURY, UNIT_CENTURY},
    {"dB", UNIT_DECIBEL, UNIT_DECIBEL},
    {"deg", UNIT_DEGREE, UNIT_DEGREE},
    {"dyn", UNIT_DYNE, UNIT_DYNE},
    {"eV", UNIT_ELECTRONVOLT, UNIT_ELECTRONVOLT},
    {"erg", UNIT_ERG, UNIT_ERG},
    {"feet", UNIT_FOOT, UNIT_FOOT},
    {"ft", UNIT_FOOT, UNIT_FOOT},
    {"g", UNIT_GRAM, UNIT_GRAM},
    {"gal", UNIT_GALLON, UNIT_GALLON},
    {"h", UNIT_HOUR, UNIT_HOUR},
    {"ha", UNIT_HECTARE, UNIT_HECTARE, true},
    {"hp", UNIT_HORSEPOWER, UNIT_HORSEPOWER, true},
    {"in", UNIT_INCH, UNIT_INCH},
    {"kilo", UNIT_KILOGRAM, UNIT_KILOGRAM},
    {"kmh", UNIT_KILOMETRE_PER_HOUR, UNIT_KILOMETRE_PER_HOUR},
    {"kph", UNIT_KILOMETRE_PER_HOUR, UNIT_KILOMETRE_PER_HOUR},
    {"l", UNIT_LITRE, UNIT_LITRE},
    {"lb", UNIT_POUND, UNIT_POUND},
    {"lbf", UNIT_POUND_FORCE, UNIT_POUND_FORCE},
    {"lm", UNIT_LUMEN, UNIT_LUMEN},
    {"lx", UNIT_LUX, UNIT_LUX},
    {"m", UNIT_METRE, UNIT_MINUTE},
    {"mi", UNIT_MILE, UNIT_MILE},
    {"min", UNIT_MINUTE, UNIT_MINUTE},
    {"mmHg", UNIT_TORR, UNIT_TORR},
    {"mol", UNIT_MOLE, UNIT_MOLE},
    {"mph", UNIT_MILE_PER_HOUR, UNIT_MILE_PER_HOUR},
    {"mps", UNIT_METRE_PER_SECOND, UNIT_METRE_PER_SECOND},
    {"oz", UNIT_OUNCE, UNIT_FLUID_OUNCE},
    {"pc", UNIT_PARSEC, UNIT_PARSEC, true},
    {"penny", UNIT_CENT, UNIT_PENNY},
    {"percent", UNIT_PERCENT, UNIT_PERCENT, true},
    {"psi", UNIT_POUND_PER_SQUARE_INCH, UNIT_POUND_PER_SQUARE_INCH},
    {"pt", UNIT_PINT, UNIT_PINT, true},
    {"qt", UNIT_QUART, UNIT_QUART},
    {"rad", UNIT_RADIAN, UNIT_RADIAN},
    {"rev", UNIT_TURN, UNIT_TURN, true},
    {"rpm", UNIT_TURN_PER_MINUTE, UNIT_TURN_PER_MINUTE},
    {"s", UNIT_SECOND, UNIT_SECOND},
    {"sec", UNIT_SECOND, UNIT_SECOND},
    {"t", UNIT_TONNE, UNIT_SHORT_TON, true},
    {"tbsp", UNIT_TABLESPOON, UNIT_TABLESPOON},
    {"tsp", UNIT_TEASPOON, UNIT_TEASPOON},
    {"usd", UNIT_DOLLAR, UNIT_DOLLAR},
    {"yd", UNIT_YARD, UNIT_YARD},
    {"yr", UNIT_YEAR, UNIT_YEAR},
    {"\xc3\x85", UNIT_ANGSTROM, UNIT_ANGSTROM},
    {"\xce\xa9", UNIT_OHM, UNIT_OHM},
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

#define SLOTS 512 /* a power of two, and more than twice the names or symbols */

/* One more than the index of a name or symbol, by a hash of its letters: each in the first free
 * slot from its hash on. 0: free. */
static uint16_t name_slots[SLOTS], symbol_slots[SLOTS];
/* What names, symbols, and these behind a prefix begin with. */
static word_slots name_begins, symbol_begins, prefix_begins;
static uint32_t prefixes_by[32]; /* for each letter, a bit for each prefix that begins with it */
_Static_assert(COUNT(prefixes) <= 32, "a bit for each prefix");
static once_flag fill_once = ONCE_FLAG_INIT;
static atomic_bool slots_are_filled; /* is asked for each word, and call_once() takes longer */

static bool is_text(rdv_str word, const char *text)
{
    return strncmp(word.p, text, word.len) == 0 && !text[word.len];
}

/* The slot of the word, or the free one where it belongs. */
static uint16_t *slot_of(uint16_t *slots, const spelling *list, rdv_str word)
{
    size_t at = word.len;
    for (size_t i = 0; i < word.len; i++)
        at = at * 33 + (unsigned char)word.p[i];
    at &= SLOTS - 1;
    while (slots[at] && !is_text(word, list[slots[at] - 1].text))
        at = (at + 1) & (SLOTS - 1);
    return &slots[at];
}

/* What a word of these parts begins with. */
static void add_begin(word_slots *of, const char *first, const char *second)
{
    char word[3] = {0};
    size_t n = 0;
    while (n < sizeof word && *first)
        word[n++] = *first++;
    while (n < sizeof word && *second)
        word[n++] = *second++;
    word_slots_add(of, word_slot((rdv_str){word, n}));
}

static void fill_begins(void)
{
    for (size_t i = 0; i < COUNT(names); i++) {
        add_begin(&name_begins, names[i].text, "");
        add_begin(&name_begins, names[i].text, "s");
        add_begin(&name_begins, names[i].text, "es");
    }
    for (size_t i = 0; i < COUNT(symbols); i++) {
        add_begin(&symbol_begins, symbols[i].text, "");
        for (size_t k = 0; k < COUNT(prefixes) && (units[symbols[i].is].is & UNIT_PREFIXED); k++)
            add_begin(&prefix_begins, prefixes[k].symbol, symbols[i].text);
    }
    for (size_t k = 0; k < COUNT(prefixes); k++) {
        const char *name = prefixes[k].name;
        prefixes_by[*prefixes[k].symbol & 31] |= UINT32_C(1) << k;
        if (!name)
            continue;
        add_begin(&prefix_begins, name, "");
        prefixes_by[*name & 31] |= UINT32_C(1) << k;
    }
}

static void fill_slots(void)
{
    for (size_t i = 0; i < COUNT(names); i++)
        *slot_of(name_slots, names, rdv_str_of(names[i].text)) = (uint16_t)(i + 1);
    for (size_t i = 0; i < COUNT(symbols); i++)
        *slot_of(symbol_slots, symbols, rdv_str_of(symbols[i].text)) = (uint16_t)(i + 1);
    fill_begins();
    atomic_store_explicit(&slots_are_filled, true, memory_order_release);
}

static const spelling *spelled(uint16_t *slots, const spelling *list, rdv_str word)
{
    uint16_t found = *slot_of(slots, list, word);
    return found ? &list[found - 1] : NULL;
}

/* Most words that are no unit begin as none does. */
static inline bool may_be_one(const word_slots *begins, rdv_str word)
{
    return word.len && word_slots_have(begins, word_slot(word));
}

#define MAX_NAME 24 /* longer than any name */

/* The name, or its plural, of 2 to MAX_NAME bytes. */
static const spelling *find_name(rdv_str word)
{
    char space[MAX_NAME];
    rdv_str key = {space, word.len};
    for (size_t i = 0; i < word.len; i++)
        space[i] = rdv_lower(word.p[i]);
    for (size_t ending = 0; ending <= 2 && word.len > ending + 1; ending++) {
        const char *plural = space + word.len - ending;
        if ((ending == 1 && plural[0] != 's') ||
            (ending == 2 && (plural[0] != 'e' || plural[1] != 's')))
            continue;
        key.len = word.len - ending;
        const spelling *found = spelled(name_slots, names, key);
        if (found)
            return found;
    }
    return NULL;
}

static inline const spelling *name_of(rdv_str word)
{
    bool may = word.len <= MAX_NAME && word.len > 1 && may_be_one(&name_begins, word);
    return may ? find_name(word) : NULL;
}

static inline const spelling *symbol_of(rdv_str word)
{
    bool may = word.len <= MAX_NAME && may_be_one(&symbol_begins, word);
    return may ? spelled(symbol_slots, symbols, word) : NULL;
}

static bool takes_prefix(const spelling *s)
{
    return s && (units[s->is].is & UNIT_PREFIXED);
}

/* What the word names behind the prefix, or NULL. */
static const spelling *behind_prefix(rdv_str word, size_t prefix)
{
    const char *name_text = prefixes[prefix].name;
    rdv_str symbol = rdv_str_of(prefixes[prefix].symbol);
    rdv_str name = name_text ? rdv_str_of(name_text) : (rdv_str){0};
    const spelling *found = NULL;
    if (rdv_starts(word, symbol))
        found = symbol_of(rdv_slice(word, symbol.len, word.len));
    if (takes_prefix(found) || !name.len || !rdv_istarts(word, name))
        return takes_prefix(found) ? found : NULL;
    rdv_str rest = rdv_slice(word, name.len, word.len);
    found = name_of(rest);
    if (!takes_prefix(found)) /* "microPa" */
        found = symbol_of(rest);
    return takes_prefix(found) ? found : NULL;
}

bool unit_find(rdv_str word, unit_meaning *out)
{
    *out = (unit_meaning){0};
    while (!atomic_load_explicit(&slots_are_filled, memory_order_acquire))
        call_once(&fill_once, fill_slots);
    const spelling *found = symbol_of(word);
    found = found ? found : name_of(word);
    uint32_t left = may_be_one(&prefix_begins, word) ? prefixes_by[word.p[0] & 31] : 0;
    for (; left && !found; left &= left - 1) { /* in the order of the table */
        size_t i = (size_t)__builtin_ctz(left);
        found = behind_prefix(word, i);
        out->ten = found ? prefixes[i].ten : 0;
    }
    if (!found)
        return false;
    bool prefix = out->ten != 0; /* a "cm" is no hundredth of a minute */
    out->unit = &units[found->is];
    out->other =
        prefix && !(units[found->other].is & UNIT_PREFIXED) ? out->unit : &units[found->other];
    out->answers_only = found->answers_only;
    out->other_ten = out->ten;
    if (out->unit->power[BASE_BIT] && out->ten > 0) { /* a kilobyte of 1024 bytes */
        out->binary = out->ten / 3;
        out->other_ten = 0;
    }
    return true;
}

bool unit_find_in_prose(rdv_str word, unit_meaning *out)
{
    static const char *const words[] = {"us", "pm", "fm", "ps", "Ms",     "Ps", "cs",
                                        "ds", "hs", "Ts", "ks", "micros", "cd"};
    return unit_find(word, out) && (!out->answers_only || out->ten) &&
           rdv_named(word, words, COUNT(words)) < 0;
}

bool unit_is_money(const unit *u)
{
    return u->power[BASE_CENT] || u->power[BASE_EURO] || u->power[BASE_PENNY];
}

const unit *unit_of_currency(rdv_str sign)
{
    return rdv_str_eq(sign, RDV_STR("$"))              ? &units[UNIT_DOLLAR]
           : rdv_str_eq(sign, RDV_STR("\xe2\x82\xac")) ? &units[UNIT_EURO]
           : rdv_str_eq(sign, RDV_STR("\xc2\xa3"))     ? &units[UNIT_STERLING]
                                                       : NULL;
}

rdv_str unit_spelling(size_t i)
{
    if (i < COUNT(names))
        return rdv_str_of(names[i].text);
    i -= COUNT(names);
    return i < COUNT(symbols) ? rdv_str_of(symbols[i].text) : (rdv_str){0};
}

const unit *units_all(size_t *n)
{
    *n = COUNT(units);
    return units;
}
