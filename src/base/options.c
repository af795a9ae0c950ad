/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include <string.h>

#define MAX_SIZE ((size_t)1 << 16) /* a larger one was never set */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

int rdv_options_take(void *own, size_t own_size, const void *given, rdv_error *err)
{
    if (!given)
        return RDV_OK;
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > MAX_SIZE)
        return rdv_fail(err, RDV_E_ARGUMENT, "options without their size: set the member `size`");
    const unsigned char *bytes = given;
    for (size_t i = own_size; i < size; i++)
        if (bytes[i])
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "options of a newer header ask for what this library does not have");
    memcpy(own, given, smaller(size, own_size));
    memcpy(own, &own_size, sizeof own_size);
    return RDV_OK;
}

void rdv_options_fill(void *to, size_t size, const void *own, size_t own_size)
{
    memset(to, 0, size);
    memcpy(to, own, smaller(size, own_size));
    memcpy(to, &size, smaller(size, sizeof size));
}
