/* Formulas in straight-line form, evaluated step by step with the bits of compiled ones. */

#ifndef POLHODE_FORMULAS_H
#define POLHODE_FORMULAS_H

#include "fmi3.h"

/* Steps of formulas; their numbers are those of core/polhode/exporters/fmi/formula_code.py. */
enum operation {
    NUMBER, VARIABLE, POWER, TABLE, ADD, SUBTRACT, MULTIPLY, DIVIDE, MINIMUM, MAXIMUM, ABSOLUTE, NEGATE, FLOOR, ROOT,
    SIGN, FUNCTION_OF_1, FUNCTION_OF_2, OPERATIONS
};

struct step {
    int64_t operation, first, second;
    void *function; /* a unit of core/polhode/jit/libm */
};

enum { MOST_STEPS = 8192, MOST_FORMULAS = 256 };

/* Code that kernels can call for these steps, the same for equal ones; NULL if there are too many forms. Each call is
   followed by one of `release_formula`. */
void *formula_of(const struct step *steps, int64_t count, const int64_t *results, int64_t results_count);
void release_formula(void *code);

#endif
