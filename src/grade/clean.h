/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An answer in LaTeX or prose, brought to a plain notation before it is compared: without styles,
 * spacing, currency and degree signs; "and" and "or" become commas. */
#include "base/buf.h"

/* Bytes for LaTeX commands that the comparison needs as one byte. They do not occur otherwise,
 * because control characters of the input become blanks. */
enum {
    RDV_SET_OPEN = 1,
    RDV_SET_CLOSE,
    RDV_UNION,
    RDV_PLUS_MINUS,
    RDV_ROW,
    RDV_AT_MOST,
    RDV_AT_LEAST,
    RDV_UNEQUAL,
    RDV_APPROXIMATELY = 14, /* white space is before it */
    RDV_IN,
    RDV_WITHOUT,
    RDV_INTERSECTION,
    RDV_CONGRUENT,
    RDV_MINUS_PLUS,
    RDV_OR, /* a comma that was written "or" */
    RDV_SUCH_THAT,
    RDV_EMPTY_SET,
    RDV_CLEAN_END
};

/* Groups deeper than this are not cleaned: *deep is set and the text is to be compared as it is. */
#define RDV_CLEAN_DEPTH 64

/* Append the cleaned answer to `out`. keep_percent: "50%" stays so; else it becomes "50". */
void clean_answer(rdv_str answer, bool keep_percent, rdv_buf *out, bool *deep);
/* How long the group of digits is that the decimal at the end of `s` repeats there, three times a
 * digit or twice a longer one: "0.1666" 1, "0.1818" 2; 0: none. */
size_t clean_period(rdv_str s);
/* How many bytes of dots, "..." in any form, `s` begins with; 0: none. */
size_t clean_dots(rdv_str s);
/* Does the answer name a function of angles? Then degree signs stay where they are. */
bool clean_holds_angle(rdv_str answer);
/* Append `cleaned` without blanks, its one-byte commands as LaTeX again. */
void clean_squeeze(rdv_str cleaned, rdv_buf *out);
/* The same with the blanks between letters and digits: for text that is not read. */
void clean_squeeze_words(rdv_str cleaned, rdv_buf *out);
/* For people: blanks between words, and between a command and a letter, stay: "2\ln x". */
void clean_squeeze_shown(rdv_str cleaned, rdv_buf *out);
