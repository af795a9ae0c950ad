/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A list of calculations. Of a long one, all but the pages in use are kept
 * as differences between neighbours: 168 bytes become about eight. */
#include "base/arena.h"

#include <rederive/math.h>

typedef struct calc_list {
    rdv_calc *at; /* all of them; of a long list, those of the pages in use */
    size_t n, cap;
    struct calc_pages *pages; /* NULL: the list is not long */
} calc_list;

/* So many are in use at a time: pointers to calculations of so many pages are good. */
#define CALC_PAGES 16

/* The calculation at index `i`, to be read, or to be changed. The pointer is good until
 * CALC_PAGES others of the list were asked for, or one is put in or taken away. */
rdv_calc *calc_list_reach(calc_list *list, size_t i, bool change);
static inline const rdv_calc *calc_list_see(calc_list *list, size_t i)
{
    return list->pages ? calc_list_reach(list, i, false) : &list->at[i];
}
static inline rdv_calc *calc_list_at(calc_list *list, size_t i)
{
    return list->pages ? calc_list_reach(list, i, true) : &list->at[i];
}
/* The first of kind `is`; where there is none, of kind `other`; or NULL. */
const rdv_calc *calc_list_first(calc_list *list, rdv_calc_kind is, rdv_calc_kind other);

/* Append a calculation. The list grows in `arena`, which is the same for all. RDV_OK or
 * RDV_E_NOMEM. */
int calc_list_put(calc_list *list, rdv_arena *arena, const rdv_calc *calc);
/* Drop all from index `n` on. */
void calc_list_cut(calc_list *list, size_t n);
/* Put them into the order of the text; those that begin at one place stay as they are. RDV_OK or
 * RDV_E_NOMEM. */
int calc_list_sort(calc_list *list, rdv_arena *arena);
/* After changes: that all of them were kept. Then nothing can fail until the next one. RDV_OK or
 * RDV_E_NOMEM, of any change before too. */
int calc_list_keep(calc_list *list);
/* All in one array. NULL: out of memory. */
rdv_calc *calc_list_array(calc_list *list, rdv_arena *arena);
