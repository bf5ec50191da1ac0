/* Whole Runge-Kutta steps of needles on pivots, as a plain C program would have them: each is its basis u1 u2 u3 and its
 * angular momentum, 12 numbers, with one dipole. All arrays are in rows of x, y, z. Built with pairs.c. */
#include <math.h>
#include <string.h>

void add_pairs(int n, double permeability, const double *position, const double *moment, double *field, double *force);

typedef struct {
    int n;
    double permeability;
    const double *pivot;           /* n x 3 [m] */
    const double *arm, *moment;    /* n x 3 of the dipoles, body frame [m], [A m^2] */
    const double *inverse_inertia; /* n x 3 x 3, body frame [1/(kg m^2)] */
    double *work;                  /* n x 15 */
} Needles;

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* from the body frame to the laboratory */
static void turn(const double *u, const double *a, double *b)
{
    for (int k = 0; k < 3; k++)
        b[k] = a[0] * u[k] + a[1] * u[3 + k] + a[2] * u[6 + k];
}

static void rates(const Needles *needles, const double *state, double *rate)
{
    const int n = needles->n;
    double *arm = needles->work, *place = arm + 3 * n, *moment = place + 3 * n, *field = moment + 3 * n,
           *force = field + 3 * n;
    for (int i = 0; i < n; i++) {
        turn(state + 12 * i, needles->arm + 3 * i, arm + 3 * i);
        turn(state + 12 * i, needles->moment + 3 * i, moment + 3 * i);
        for (int k = 0; k < 3; k++)
            place[3 * i + k] = needles->pivot[3 * i + k] + arm[3 * i + k];
    }
    memset(field, 0, 6 * n * sizeof(double));
    add_pairs(n, needles->permeability, place, moment, field, force);
    for (int i = 0; i < n; i++) {
        const double *u = state + 12 * i, *inverse = needles->inverse_inertia + 9 * i;
        const double own[3] = {dot(u, u + 9), dot(u + 3, u + 9), dot(u + 6, u + 9)};
        const double spin[3] = {dot(inverse, own), dot(inverse + 3, own), dot(inverse + 6, own)};
        double omega[3], by_field[3], by_force[3];
        turn(u, spin, omega);
        cross(moment + 3 * i, field + 3 * i, by_field);
        cross(arm + 3 * i, force + 3 * i, by_force);
        for (int k = 0; k < 9; k += 3)
            cross(omega, u + k, rate + 12 * i + k);
        for (int k = 0; k < 3; k++)
            rate[12 * i + 9 + k] = by_field[k] + by_force[k];
    }
}

/* u <- (3 - g)/2 u, g_ij = u_i.u_j */
static void orthonormalise(double *u)
{
    double g[9], v[9];
    for (int i = 0; i < 9; i++)
        g[i] = dot(u + 3 * (i / 3), u + 3 * (i % 3));
    for (int i = 0; i < 3; i++)
        turn(u, g + 3 * i, v + 3 * i);
    for (int i = 0; i < 9; i++)
        u[i] = 1.5 * u[i] - 0.5 * v[i];
}

/* state: 12 n numbers that are changed; stage, rate, sum: as many each, for scratch. */
void advance(const Needles *needles, int steps, double dt, double *restrict state, double *restrict stage,
             double *restrict rate, double *restrict sum)
{
    static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, next[4] = {0.5, 0.5, 1.0, 0.0};
    const int size = 12 * needles->n;
    for (int step = 0; step < steps; step++) {
        memcpy(stage, state, size * sizeof(double));
        memcpy(sum, state, size * sizeof(double));
        for (int k = 0; k < 4; k++) {
            rates(needles, stage, rate);
            for (int i = 0; i < size; i++) {
                sum[i] += dt * weight[k] * rate[i];
                stage[i] = state[i] + dt * next[k] * rate[i];
            }
        }
        for (int i = 0; i < needles->n; i++)
            orthonormalise(sum + 12 * i);
        memcpy(state, sum, size * sizeof(double));
    }
}
