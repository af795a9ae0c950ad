/* SPDX-License-Identifier: Apache-2.0 */
#include <rederive/math.h>

#include <flint/flint.h>

void rdv_math_thread_end(void)
{
    flint_cleanup();
}
