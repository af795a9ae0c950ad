/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Amounts of money, compared by their currency and exact value. */
#include <rederive/base.h>

/* The key of the only amount of an answer: its currency and exact value, "USD 5/2"; "? 5/2" where
 * no currency is named. RDV_NONE: it is none, or denied. RDV_E_NOMEM. */
int money_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err);
/* Are these keys one value, if the currency that one of them does not name is that of the other,
 * and an answer may leave out for what time gold is: "$5" for "$5 per hour"? */
bool money_may_agree(rdv_str answer, rdv_str gold);
