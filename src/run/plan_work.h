/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "run/work.h"

/* rdv_plan as what is driven. */
extern const work_ops plan_work_ops;
