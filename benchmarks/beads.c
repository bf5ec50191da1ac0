/* RK4 steps of beads on one cubic spline under gravity, in their own coordinate, as a plain C program would have them.
 * q and u = dl/dt: n numbers. The piece k from knots[k] on is ((c0 s + c1) s + c2) s + c3 along each axis. */
#include <math.h>

static void rates(int pieces, const double *restrict knots, const double (*restrict c)[3][4], double gravity, double q,
                  double u, double *dq, double *du)
{
    int low = 0, high = pieces - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (knots[middle] <= q)
            low = middle;
        else
            high = middle - 1;
    }
    const double s = q - knots[low];
    double along[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *a = c[low][k];
        along[k] = (3.0 * a[0] * s + 2.0 * a[1]) * s + a[2];
        square += along[k] * along[k];
    }
    const double stretch = sqrt(square);
    *dq = u / stretch;
    *du = -gravity * along[2] / stretch;
}

void steps(int count, double dt, int n, int pieces, const double *knots, const double (*c)[3][4], double period,
           double gravity, double *restrict q, double *restrict u)
{
    for (int step = 0; step < count; step++)
        for (int i = 0; i < n; i++) {
            double dq[4], du[4];
            const double at = q[i], fast = u[i];
            rates(pieces, knots, c, gravity, at - period * floor(at / period), fast, dq, du);
            for (int k = 1; k < 4; k++) {
                const double h = k < 3 ? 0.5 * dt : dt, there = at + h * dq[k - 1];
                rates(pieces, knots, c, gravity, there - period * floor(there / period), fast + h * du[k - 1], dq + k,
                      du + k);
            }
            q[i] = at + dt / 6.0 * (dq[0] + 2.0 * dq[1] + 2.0 * dq[2] + dq[3]);
            u[i] = fast + dt / 6.0 * (du[0] + 2.0 * du[1] + 2.0 * du[2] + du[3]);
        }
}
