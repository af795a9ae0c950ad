/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A text that is cut off asserts nothing at its end: "= 3 * 4 = 1" may go on. */
#include "decide/calc_list.h"

#include <rederive/chain.h>

/* Makes the last of the calculations undecided, if it ends the last step of a text that is cut
 * off: the record says so (`unfinished`), or the step ends within mathematics that it has opened or
 * behind a sign of an operation. Many steps end without a stop, which says nothing. `step` is the
 * last one of the chain. */
void cut_off_withhold(const rdv_chain *chain, rdv_str step, calc_list *calcs);
