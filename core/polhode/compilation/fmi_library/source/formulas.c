/* Kernels call formulas by address, so each form in use has a function of its own: one of MOST_FORMULAS that pass their
   number to the interpreter. Several FMUs and threads may share this library, so equal forms share a number. */

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "formulas.h"

typedef void formula(const double *variables, const double *numbers, double *results);
typedef int function_of_1(double *result, void **error, double argument);
typedef int function_of_2(double *result, void **error, double first, double second);

struct form {
    struct step *steps;
    int64_t count, *results, results_count, users;
};

static struct form forms[MOST_FORMULAS];
static atomic_flag in_use = ATOMIC_FLAG_INIT;

static double power(double base, int64_t exponent) {
    double result = 0.0, square = base;
    bool has_result = false;
    for (int64_t left = exponent < 0 ? -exponent : exponent; left > 0;) {
        if (left & 1) {
            result = has_result ? result * square : square;
            has_result = true;
        }
        left >>= 1;
        if (left > 0) square *= square;
    }
    return exponent < 0 ? 1.0 / result : result;
}

/* A function of samples: number of knots, values before and behind them, knots, four coefficients of each interval. */
static double interpolated(const double *table, double argument) {
    enum { HEAD = 3 };
    int64_t count = (int64_t)table[0], low = 0, high = count - 1;
    if (argument < table[HEAD]) return table[1];
    if (argument > table[HEAD + count - 1]) return table[2];
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (table[HEAD + middle] <= argument) low = middle;
        else high = middle;
    }
    const double *c = table + HEAD + count + 4 * low;
    double s = argument - table[HEAD + low];
    double value = c[3];
    for (int k = 2; k >= 0; k--) value = c[k] + s * value;
    return value;
}

static double least(double a, double b) {
    if (a != a || b != b) return a != a ? a : b;
    return a < b || (a == b && signbit(a)) ? a : b;
}

static double largest(double a, double b) {
    if (a != a || b != b) return a != a ? a : b;
    return a > b || (a == b && !signbit(a)) ? a : b;
}

static double evaluate(const struct step *step, const double *values, const double *variables, const double *numbers) {
    void *error = NULL;
    double result = 0.0, a = step->operation > TABLE ? values[step->first] : 0.0;
    switch (step->operation) {
    case NUMBER: return numbers[step->first];
    case VARIABLE: return variables[step->first];
    case POWER: return power(values[step->first], step->second);
    case TABLE: return interpolated(numbers + (int64_t)numbers[step->second], values[step->first]);
    case ADD: return a + values[step->second];
    case SUBTRACT: return a - values[step->second];
    case MULTIPLY: return a * values[step->second];
    case DIVIDE: return a / values[step->second];
    case MINIMUM: return least(a, values[step->second]);
    case MAXIMUM: return largest(a, values[step->second]);
    case ABSOLUTE: return fabs(a);
    case NEGATE: return -a;
    case FLOOR: return floor(a);
    case ROOT: return sqrt(a);
    case SIGN: return a != a ? a : (double)(a > 0.0) - (double)(a < 0.0);
    case FUNCTION_OF_1: ((function_of_1 *)step->function)(&result, &error, a); return result;
    default: ((function_of_2 *)step->function)(&result, &error, a, values[step->second]); return result;
    }
}

static void interpret(const struct form *form, const double *variables, const double *numbers, double *results) {
    double values[form->count];
    for (int64_t k = 0; k < form->count; k++) values[k] = evaluate(form->steps + k, values, variables, numbers);
    for (int64_t k = 0; k < form->results_count; k++) results[k] = values[form->results[k]];
}

#define ONE(n) \
    static void formula_##n(const double *v, const double *c, double *r) { interpret(forms + 0x##n, v, c, r); }
#define SIXTEEN(M, n) \
    M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7) M(n##8) M(n##9) M(n##a) M(n##b) M(n##c) M(n##d) \
    M(n##e) M(n##f)
#define ALL(M) \
    SIXTEEN(M, 0) SIXTEEN(M, 1) SIXTEEN(M, 2) SIXTEEN(M, 3) SIXTEEN(M, 4) SIXTEEN(M, 5) SIXTEEN(M, 6) SIXTEEN(M, 7) \
    SIXTEEN(M, 8) SIXTEEN(M, 9) SIXTEEN(M, a) SIXTEEN(M, b) SIXTEEN(M, c) SIXTEEN(M, d) SIXTEEN(M, e) SIXTEEN(M, f)
#define NAME(n) formula_##n,

ALL(ONE)
static formula *const codes[MOST_FORMULAS] = {ALL(NAME)};

static void lock(void) {
    while (atomic_flag_test_and_set_explicit(&in_use, memory_order_acquire)) continue;
}

static void unlock(void) { atomic_flag_clear_explicit(&in_use, memory_order_release); }

static bool is_form(const struct form *form, const struct step *steps, int64_t count, const int64_t *results,
                    int64_t results_count) {
    return form->users > 0 && form->count == count && form->results_count == results_count &&
           memcmp(form->steps, steps, (size_t)count * sizeof *steps) == 0 &&
           memcmp(form->results, results, (size_t)results_count * sizeof *results) == 0;
}

static bool fill(struct form *form, const struct step *steps, int64_t count, const int64_t *results,
                 int64_t results_count) {
    form->steps = malloc((size_t)count * sizeof *steps + 1);
    form->results = malloc((size_t)results_count * sizeof *results + 1);
    if (form->steps == NULL || form->results == NULL) {
        free(form->steps);
        free(form->results);
        return false;
    }
    memcpy(form->steps, steps, (size_t)count * sizeof *steps);
    memcpy(form->results, results, (size_t)results_count * sizeof *results);
    form->count = count;
    form->results_count = results_count;
    return true;
}

void *formula_of(const struct step *steps, int64_t count, const int64_t *results, int64_t results_count) {
    int found = -1;
    lock();
    for (int k = 0; k < MOST_FORMULAS && found < 0; k++)
        if (is_form(forms + k, steps, count, results, results_count)) found = k;
    for (int k = 0; k < MOST_FORMULAS && found < 0; k++)
        if (forms[k].users == 0 && fill(forms + k, steps, count, results, results_count)) found = k;
    if (found >= 0) forms[found].users++;
    unlock();
    return found >= 0 ? (void *)codes[found] : NULL;
}

void release_formula(void *code) {
    lock();
    for (int k = 0; k < MOST_FORMULAS; k++)
        if ((void *)codes[k] == code && --forms[k].users == 0) {
            free(forms[k].steps);
            free(forms[k].results);
        }
    unlock();
}
