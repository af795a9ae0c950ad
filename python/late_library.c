/* SPDX-License-Identifier: Apache-2.0 */
/* A library without functions, which another one is loaded with (meson.build). */
typedef int nothing;
