/* Fields and forces of all pairs of dipoles, the same loop as core/polhode/physics/magnets/magnetic.py, as a plain C program would have it.
 * position, moment, field, force: n rows of x, y, z. */
#include <math.h>

void add_pairs(int n, double permeability, const double *restrict position, const double *restrict moment,
               double *restrict field, double *restrict force)
{
    const double strength0 = permeability / (4.0 * 3.14159265358979323846);
    for (int a = 0; a < n; a++) {
        const double *x_a = position + 3 * a, *p_a = moment + 3 * a;
        double field_a[3] = {0, 0, 0}, force_a[3] = {0, 0, 0};
        for (int b = a + 1; b < n; b++) {
            const double *x_b = position + 3 * b, *p_b = moment + 3 * b;
            const double r[3] = {x_b[0] - x_a[0], x_b[1] - x_a[1], x_b[2] - x_a[2]};
            const double inverse_square = 1.0 / (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
            const double strength = strength0 * inverse_square * sqrt(inverse_square);
            const double a_r = p_a[0] * r[0] + p_a[1] * r[1] + p_a[2] * r[2];
            const double b_r = p_b[0] * r[0] + p_b[1] * r[1] + p_b[2] * r[2];
            const double a_b = p_a[0] * p_b[0] + p_a[1] * p_b[1] + p_a[2] * p_b[2];
            const double along_a = 3.0 * strength * b_r * inverse_square;
            const double along_b = 3.0 * strength * a_r * inverse_square;
            const double along_r = a_b - 5.0 * a_r * b_r * inverse_square;
            const double pull = -3.0 * strength * inverse_square;
            for (int k = 0; k < 3; k++) {
                const double f = pull * (b_r * p_a[k] + a_r * p_b[k] + along_r * r[k]);
                field_a[k] += along_a * r[k] - strength * p_b[k];
                field[3 * b + k] += along_b * r[k] - strength * p_a[k];
                force_a[k] += f;
                force[3 * b + k] -= f;
            }
        }
        for (int k = 0; k < 3; k++) {
            field[3 * a + k] += field_a[k];
            force[3 * a + k] += force_a[k];
        }
    }
}

void repeat_pairs(int times, int n, double permeability, const double *position, const double *moment, double *field,
                  double *force)
{
    for (int i = 0; i < times; i++)
        add_pairs(n, permeability, position, moment, field, force);
}
