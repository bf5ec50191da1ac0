/* Steps of a square lattice of points with springs, Adams and Bashforth's method, as a plain C program would have them.
 * x, v, force, and the last rates: n rows of x, y, z. Springs join first[s] to second[s]. */
#include <math.h>
#include <string.h>

static void add_springs(int springs, const int *restrict first, const int *restrict second, const double *restrict rest,
                        double stiffness, double damping, int full, const double (*restrict x)[3],
                        const double (*restrict v)[3], double (*restrict force)[3])
{
    for (int s = 0; s < springs; s++) {
        const int i = first[s], j = second[s];
        const double r[3] = {x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]};
        const double u[3] = {v[j][0] - v[i][0], v[j][1] - v[i][1], v[j][2] - v[i][2]};
        const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        const double inverse = 1.0 / length;
        double along = stiffness * (length - rest[s]) * inverse;
        if (!full)
            along += damping * (r[0] * u[0] + r[1] * u[1] + r[2] * u[2]) * inverse * inverse;
        for (int k = 0; k < 3; k++) {
            const double f = full ? along * r[k] + damping * u[k] : along * r[k];
            force[i][k] += f;
            force[j][k] -= f;
        }
    }
}

void steps(int count, double dt, int n, int springs, const int *first, const int *second, const double *rest,
           double stiffness, double damping, int full, double mass, double gravity, double (*restrict x)[3],
           double (*restrict v)[3], double (*restrict force)[3], double (*restrict last_v)[3],
           double (*restrict last_a)[3])
{
    for (int step = 0; step < count; step++) {
        for (int i = 0; i < n; i++) {
            force[i][0] = force[i][1] = 0.0;
            force[i][2] = -mass * gravity;
        }
        add_springs(springs, first, second, rest, stiffness, damping, full, (const double (*)[3])x,
                    (const double (*)[3])v, force);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++) {
                const double a = force[i][k] / mass;
                x[i][k] += 0.5 * dt * (3.0 * v[i][k] - last_v[i][k]);
                last_v[i][k] = v[i][k];
                v[i][k] += 0.5 * dt * (3.0 * a - last_a[i][k]);
                last_a[i][k] = a;
            }
    }
}
