/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The requests of a journal's replies, in parts. Requests of one method begin alike, with the
 * instructions and the examples, and requests about one chain repeat its question and its steps. So
 * a request is cut behind its lines and messages, each part is a row of the table `parts`, named by
 * its content, and a reply's row has the names. Nothing of this is seen from outside: requests go
 * in and come out whole. Journals of version 3 have no parts (docs/adr/0092). */
#include "run/journal/journal.h"

#define JOURNAL_PARTS_SCHEMA                                                                       \
    "CREATE TABLE parts ("                                                                         \
    " name INTEGER PRIMARY KEY," /* the first 8 bytes of the text's SHA-256: journal_part_name()   \
                                  */                                                               \
    " text TEXT NOT NULL"                                                                          \
    ") STRICT;"

/* Store the parts of a request that are not there yet, in the journal's transaction. *names: what
 * its row keeps, 8 bytes a part; borrowed until the next call for this journal. RDV_NONE: it has to
 * be kept whole, because the journal is of version 3, or has another part of the same name. Faults:
 * RDV_E_IO, RDV_E_NOMEM. */
int journal_put_request(rdv_journal *j, rdv_str request, rdv_str *names, rdv_error *err);
/* The request with these parts. *request: borrowed until the next call for this journal. Faults:
 * RDV_E_INPUT (a part is missing), RDV_E_IO, RDV_E_NOMEM. */
int journal_get_request(rdv_journal *j, rdv_str names, rdv_str *request, rdv_error *err);

/* Register part_name(), the name of a text, for statements. */
int journal_add_part_function(rdv_journal *j, rdv_error *err);
/* Release the statements. */
void journal_parts_close(rdv_journal *j);

/* A name, as a row keeps it. */
#define JOURNAL_NAME_BYTES 8
/* The name at the beginning of `names`, as a number. */
int64_t journal_part_name(const char *names);
