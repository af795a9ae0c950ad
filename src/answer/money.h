/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Amounts of money: "$2.50", "2.5 dollars", "250 cents", "2 dollars and 50 cents", "EUR 3", "1.5
 * million yen". */
#include <rederive/base.h>

/* A sign, code or word of a currency; parts: how many of it make one of the currency. */
typedef struct money_unit {
    const char *name, *currency;
    unsigned parts;
} money_unit;

typedef struct money_amount {
    rdv_str number;         /* with its sign and currency, as answer_next_number() gives it */
    const money_unit *unit; /* NULL: none is named */
    unsigned power;         /* of ten, of a word of scale: 3 of "thousand"; else 0 */
    size_t begin, end;      /* bytes of the text, with its currency */
} money_amount;

/* The next number of `s` at or after byte *from, which is moved past it, with its currency and
 * scale. Reading a text to its end is linear. */
bool money_next(rdv_str s, size_t *from, money_amount *a);
/* How many bytes at the end of the text, with blanks, are a sign or code of a currency, but for
 * "$", which may begin a formula; or 0. */
size_t money_sign_len(rdv_str s);
/* "2 dollars and 50 cents": the second amount, a part of the first one's currency. */
bool money_next_part(rdv_str s, size_t *from, const money_amount *whole, money_amount *part);
/* Is it such an amount, and nothing else? */
bool money_is_compound(rdv_str s);
/* What an amount is for, without its plural: "per hour", "/hour", "an hour"; p == NULL: none. */
rdv_str money_rate(rdv_str after);
/* Do the words after an amount change it: "off", "more", "per hour", "/hour"? */
bool money_changes(rdv_str after);
/* The currency that an answer of any kind names, "USD", or "USD/100" for cents; p == NULL: none, or
 * it may be LaTeX's dollars around a formula. Static. */
rdv_str money_currency(rdv_str s);
/* Is it a word for the currency: "yen" for "JPY"? */
bool money_is_currency(rdv_str word, rdv_str currency);
/* The last amount with a currency in the text, else the last number. */
bool money_last(rdv_str s, rdv_str *out);
