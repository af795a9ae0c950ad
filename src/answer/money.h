/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Amounts of money: "$2.50", "2.5 dollars", "250 cents", "2 dollars and 50 cents", "EUR 3", "1.5
 * million yen". */
#include <rederive/base.h>

/* The key of the only amount of an answer: its currency and exact value, "USD 5/2"; "? 5/2" where
 * no currency is named. RDV_NONE: it is none, or denied. RDV_E_NOMEM. */
int answer_money_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err);
/* True if the keys agree when a missing currency is taken from the other one, and the answer may
 * leave out gold's rate: "$5" for "$5 per hour". */
bool answer_money_may_agree(rdv_str answer, rdv_str gold);
/* The last amount with a currency in the text, else the last number. */
/* Do the words after an amount change it: "off", "more", "per hour", "/hour"? */
bool answer_money_changes(rdv_str after);
/* The currency that an answer of any kind names, "USD", or "USD/100" for cents; p == NULL: none, or
 * it may be LaTeX's dollars around a formula. Static. */
rdv_str answer_currency(rdv_str s);
bool answer_last_money(rdv_str s, rdv_str *out);
