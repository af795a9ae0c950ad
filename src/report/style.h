/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How text for a terminal is shown. */
typedef enum rdv_style {
    RDV_PLAIN,
    RDV_BOLD,
    RDV_DIM,
    RDV_GREEN,
    RDV_RED,
    RDV_YELLOW,
    RDV_MARKED /* red and underlined; without colours, ^ on a separate line below */
} rdv_style;
