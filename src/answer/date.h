/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Dates as people write them: "05/01/2021", "2021-05-01", "1.5.2021", "May 1st, 2021", "1 May",
 * "May 2021". */
#include <rederive/base.h>

/* The next date of the calendar at or after byte *from, which is moved past it. In "05/01/2021"
 * the month is first unless only the other order is a date ("13/01/2021"), or day_first; before
 * points the day is first. *key is ISO 8601 in `text` of at most 16 bytes: "2021-05-01", "2021-05",
 * "--05-01" without a year. False when there is none. Reading a text to its end is linear. */
bool answer_next_date(rdv_str s, size_t *from, bool day_first, rdv_str *out, char key[16]);
/* Does the weekday that `s` names, if it names one, belong to its date: "Saturday, May 1, 2021"? */
bool answer_weekday_fits(rdv_str s, bool day_first);
/* Is it a month with numbers and no other word? "February 30" is no date, and names one. */
bool answer_names_month(rdv_str s);
/* Which day of the week, from 1 for Monday, or month, from 8 for January, the word names, whole or
 * by three letters or more: "Sun", "Sept."; 0: none. */
unsigned answer_calendar_name(rdv_str word);
/* The last date of the text. */
bool answer_last_date(rdv_str s, bool day_first, rdv_str *out);
/* The key of an answer that is a date, or a year alone. RDV_NONE: it is none, states two different
 * ones, or denies it ("not 2021-05-01"). RDV_E_NOMEM. */
int answer_date_key(rdv_str answer, bool day_first, rdv_arena *arena, rdv_str *key, rdv_error *err);
