/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The left side of "NAME = VALUE", cleaned. */
#include <rederive/base.h>

/* A name that is given a value: "x", "x_1", "\theta", "f(2)", "Area of ABC". */
bool name_is_plain(rdv_str s);
/* A quantity made of names: "AB:CD", "\frac{NO}{BO}", "|AB|", "V_1/V_2". */
bool name_is_quantity(rdv_str s);
/* Has it a letter that is no part of a command? */
bool name_has_letters(rdv_str s);
