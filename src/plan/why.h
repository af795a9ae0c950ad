/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reasons of unknown verdicts that are known by their text, since records keep only that. */

#define WHY_CUT_OFF "the reply was cut off before its end"
#define WHY_NOT_READ "the reply could not be read"
