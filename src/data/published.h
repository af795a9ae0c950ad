/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The published data set of which a record is, by its content. */
#include <rederive/data.h>

/* Its name, static: "gsm8k", "math", "mathqa", "aqua", "svamp", "commonsenseqa", "strategyqa";
 * NULL: none that is known by the record's form alone. A few records of GSM8K lack the notes of its
 * calculator, so that a file is told by most of its records. */
const char *published_dataset(const rdv_record *record);
