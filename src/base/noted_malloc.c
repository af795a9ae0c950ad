/* SPDX-License-Identifier: Apache-2.0 */
#include "base/noted_malloc.h"

#include <stdlib.h>

static _Thread_local bool failed;

void *noted_malloc(size_t size)
{
    void *p = malloc(size);
    failed |= !p;
    return p;
}

bool noted_malloc_failed(void)
{
    bool was = failed;
    failed = false;
    return was;
}
