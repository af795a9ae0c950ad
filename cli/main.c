/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

int main(int argc, char **argv)
{
    return rdv_program(argc, argv);
}
