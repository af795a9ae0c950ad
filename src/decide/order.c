/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/order.h"

#include "base/str.h"

order_is order_of_sign(rdv_str sign)
{
    static const struct {
        const char *text;
        order_is is;
    } signs[] = {{"<", ORDER_LESS},
                 {">", ORDER_MORE},
                 {"<=", ORDER_AT_MOST},
                 {"=<", ORDER_AT_MOST},
                 {">=", ORDER_AT_LEAST},
                 {"!=", ORDER_UNEQUAL},
                 {"<>", ORDER_UNEQUAL},
                 {"\xe2\x89\xa4", ORDER_AT_MOST},
                 {"\xe2\x89\xa5", ORDER_AT_LEAST},
                 {"\xe2\x89\xa0", ORDER_UNEQUAL},
                 {"\\lt", ORDER_LESS},
                 {"\\gt", ORDER_MORE},
                 {"\\le", ORDER_AT_MOST},
                 {"\\leq", ORDER_AT_MOST},
                 {"\\leqslant", ORDER_AT_MOST},
                 {"\\ge", ORDER_AT_LEAST},
                 {"\\geq", ORDER_AT_LEAST},
                 {"\\geqslant", ORDER_AT_LEAST},
                 {"\\ne", ORDER_UNEQUAL},
                 {"\\neq", ORDER_UNEQUAL}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (rdv_str_eq(sign, rdv_str_of(signs[i].text)))
            return signs[i].is;
    return ORDER_NONE;
}

bool order_holds(order_is is, int sign)
{
    switch (is) {
    case ORDER_LESS:
        return sign < 0;
    case ORDER_MORE:
        return sign > 0;
    case ORDER_AT_MOST:
        return sign <= 0;
    case ORDER_AT_LEAST:
        return sign >= 0;
    case ORDER_UNEQUAL:
        return sign != 0;
    case ORDER_NONE:
        break;
    }
    return false;
}

const char *order_found(int sign)
{
    return sign < 0 ? "less than" : sign > 0 ? "greater than" : "equal to";
}

order_is order_denied(order_is is)
{
    static const order_is other[] = {ORDER_NONE, ORDER_AT_LEAST, ORDER_AT_MOST,
                                     ORDER_MORE, ORDER_LESS,     ORDER_NONE};
    return other[is];
}

const char *order_said(order_is is)
{
    static const char *const words[] = {"",        "less than", "greater than",
                                        "at most", "at least",  "different from"};
    return words[is];
}
