/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Whether this build has sanitizers, and how much of a long test it runs then.
 *
 * What a property or a limit of time finds depends on how many inputs are drawn, and how long they
 * are. That is the part of the build without sanitizers. What sanitizers find depends on the kinds
 * of input, and they take five times as long. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define ONE_IN 7 /* odd, so that every kind of each list comes up */

/* Of n draws, or bytes, as many as this build runs. */
#define SHARE(n) (SANITIZED ? (n) / ONE_IN : (n))
/* Whether this build runs number i of a list that is not drawn. */
#define IN_SHARE(i) (!SANITIZED || (i) % ONE_IN == 0)
