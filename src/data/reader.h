/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A reader, in addition to the public header. */
#include <rederive/data.h>

/* Bytes of its input that the reader has taken so far (packed ones of a packed file), for progress;
 * it reads some ahead. */
uint64_t rdv_reader_taken(const rdv_reader *reader);
