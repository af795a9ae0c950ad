/* SPDX-License-Identifier: Apache-2.0 */
/* Check the calculations of a text with the library: each line of standard input is a step.
 *
 *   cc check_calculations.c $(pkg-config --cflags --libs rederive) -o check_calculations
 *   echo 'There are 17 * 24 = 398 rolls.' | ./check_calculations
 *
 * It prints the wrong calculations, and ends with 1 if there are any, 2 if something failed. */
#include <rederive/math.h>

#include <stdio.h>
#include <string.h>

#define MAX_LINE 65536

/* Print what is wrong in one line. Returns how many calculations are, or a negative fault. */
static int check_line(rdv_calculator *calculator, rdv_str line, size_t number, rdv_error *err)
{
    rdv_calc *calcs;
    size_t n;
    int wrong = 0;
    int code = rdv_calculator_step(calculator, line, &calcs, &n, err);
    for (size_t i = 0; code == RDV_OK && i < n; i++) {
        if (calcs[i].kind != RDV_CALC_WRONG)
            continue;
        printf("%zu: %.*s is %.*s, not %.*s\n", number, RDV_FMT(calcs[i].lhs),
               RDV_FMT(calcs[i].value), RDV_FMT(calcs[i].claim));
        wrong++;
    }
    return code == RDV_OK ? wrong : code;
}

/* The calculator remembers letters and rounded numbers of earlier lines. */
static int check_all(FILE *in, rdv_arena *arena, rdv_error *err)
{
    static char line[MAX_LINE];
    int wrong = 0, found = 0;
    rdv_calculator *calculator = rdv_calculator_new(arena, RDV_STR(""));
    if (!calculator)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t number = 1; found >= 0 && fgets(line, sizeof line, in); number++) {
        rdv_str text = {line, strcspn(line, "\n")};
        found = check_line(calculator, text, number, err);
        wrong += found > 0 ? found : 0;
    }
    rdv_calculator_free(&calculator); /* before its arena */
    return found < 0 ? found : wrong;
}

int main(void)
{
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    int wrong = arena ? check_all(stdin, arena, &err) : rdv_fail(&err, RDV_E_NOMEM, "no memory");
    if (wrong < 0)
        fprintf(stderr, "check_calculations: %s\n", err.msg);
    rdv_arena_free(&arena);
    return wrong < 0 ? 2 : wrong > 0;
}
