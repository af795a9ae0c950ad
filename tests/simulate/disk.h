/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The files under SQLite, in memory: SQLite's default VFS while the simulator runs. A crash stops
 * at one write, of which a part may have arrived; a loss of power also loses sectors that were
 * written since the file was last synchronised. After either nothing reaches the disk until
 * disk_restart(). Files are locked as SQLite's processes lock them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

/* Make the VFS SQLite's default. Once. */
void disk_install(void);
/* Remove all files. `rng` is borrowed until the next call. */
void disk_clear(rdv_rng *rng, bool lies);
/* Crash at the `after`th change from now (1: the next); with `power`, lose what is not
 * synchronised. */
void disk_crash_after(uint64_t after, bool power);
/* From the `after`th change on, the next `n` find no room. */
void disk_full_after(uint64_t after, uint64_t n);
/* Whether it has crashed. */
bool disk_crashed(void);
/* Nothing is to happen any more; the machine starts again. */
void disk_restart(void);
/* Whether the bytes stand anywhere in a file. */
bool disk_holds(const char *bytes, size_t n);
uint64_t disk_changes(void);
