/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Does a letter stand for something in a chain, or does it only name a unit? "850 J" names one,
 * unless J has a value somewhere. */
#include <rederive/base.h>

/* The texts of a chain before the one that is read, and what was found in them so far. Zeros: there
 * are none. */
typedef struct chain_letters {
    rdv_str question;
    const rdv_str *steps;
    size_t n_steps;
    size_t n_read;  /* texts that were looked at, the question first */
    uint64_t used;  /* a bit for each letter that stands alone, and not as a unit */
    uint64_t units; /* for each that stands behind a number and a blank, or in an upright unit */
} chain_letters;

/* May the letter stand for something in the text, near bytes `from` to `to`, or in the texts before
 * it? Each of these is looked at once. */
bool variables_may_hold(chain_letters *before, rdv_str text, size_t from, size_t to, char letter);

/* The same, but for bytes `from` to `to` themselves. */
bool variables_hold_beside(chain_letters *before, rdv_str text, size_t from, size_t to,
                           char letter);

/* Does the letter, or a word that it is short for ("m", "metres"), name a unit in one of the texts,
 * but for bytes `from` to `to` of `text`? */
bool variables_name_unit(chain_letters *before, rdv_str text, size_t from, size_t to, char letter);
