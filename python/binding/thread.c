/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/binding.h"

#include <rederive/math.h>

#include <pthread.h>
#include <stdbool.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool made;

static void end_thread(void *unused)
{
    (void)unused;
    rdv_math_thread_end();
}

static void make_key(void)
{
    made = pthread_key_create(&key, end_thread) == 0;
}

void binding_thread_begin(void)
{
    static _Thread_local bool begun;
    if (begun)
        return;
    begun = true;
    pthread_once(&once, make_key);
    if (made)
        pthread_setspecific(key, &key);
}
