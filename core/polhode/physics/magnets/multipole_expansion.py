"""Fields of groups of dipoles by harmonic polynomials: Taylor's series of 1/|r| up to an order p, in both places.

With G(r) = 1/|r| and R from the centre of one group to that of another, places t and s from these centres,

    G(R + t - s) = sum_k H_k(t - s) D_k(R),   D_k = d^k G / dx^kx dy^ky dz^kz,   |k| = kx + ky + kz <= p.

H_k would be x^kx y^ky z^kz / k!. But G is harmonic, so D with kz >= 2 follows from D_(x+2,y,z-2) + D_(x,y+2,z-2): only
kz = 0 and 1 remain, (p + 1)^2 in all, and H_k is the harmonic polynomial that collects the rest. The rules of both are

    n H_k = x H_(k-x) + y H_(k-y) + z dH_k/dz,   dH_k/dz = H_(k-z) if kz = 1, -H_(k-2x+z) - H_(k-2y+z) if kz = 0
    n r^2 D_k = -(2n - 1) sum_i k_i x_i D_(k-i) - (n - 1) sum_i k_i (k_i - 1) D_(k-2i),   n = |k|

and H_k(a + b) = sum H_l(a) H_m(b) over l + m = k moves a centre. So all four moves between expansions are one sum over
triples (n, m, n + m). The potential of dipoles p_j at s_j is sum_j p_j.d/ds G, which makes

    multipoles    M_n = sum_j p_j.grad H_n(s_j)
    local terms   L_m = sum_n (-1)^|n| M_n D_(n+m)(R)
    potential     sum_m L_m H_m(t)

What is cut off depends on t - s alone, as the whole does: forces of two groups on each other stay opposite.
(The cut: Dehnen, J. Comput. Phys. 179, 27, 2002. Its error: for u = |t| + |s| < |R|, with q = u/|R|, a field is off by
at most mu0 p/(4 pi |R|^3) sum_(n>p) n (n - 1) q^(n-2), by Bernstein's inequality for P_n; mostly by far less.)
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.vec import Triple, add, scale

Index = tuple[int, int, int]


class Expansion(KernelStruct):
    """Tables of an expansion of order p: which term follows from which.

    Terms k = (kx, ky, kz) with kz < 2 come first, by degree |k|; then those with kz = 2; the last entry is a zero, to
    which the indices of missing terms point.
    """

    terms: int
    """(p + 1)^2, number of terms with kz < 2."""
    size: int
    """Number of all terms, and one for the zero."""
    degree: np.ndarray
    """(size,) int |k|."""
    inverse_degree: np.ndarray
    """(size,) 1/|k|; 1 of the constant term."""
    powers: np.ndarray
    """(size, 3) float kx, ky, kz."""
    lower: np.ndarray
    """(size, 5) indices of k - x, k - y, k - z, k - 2x, k - 2y."""
    z_slope: np.ndarray
    """(size, 3) indices a, b, c of dH_k/dz = H_a - H_b - H_c."""
    laplace: np.ndarray
    """(size, 2) indices a, b of D_k = -D_a - D_b, for kz = 2."""
    products: np.ndarray
    """(q, 3) indices n, m, n + m by m, without n = 0 (a monopole) and m = 0 (a constant potential)."""
    shifts: np.ndarray
    """(q, 3) the same triples, with n = 0."""
    shift_first: np.ndarray
    """(terms + 1,) index of the first triple of each m in `shifts`."""


def expansion(order: int) -> Expansion:
    """Tables of all terms up to |k| = `order`."""
    planes = [[(n - z - y, y, z) for n in range(z, order + 1) for y in range(n - z + 1)] for z in range(3)]
    kept = sorted(planes[0] + planes[1], key=lambda k: (sum(k), k[2], k[1]))
    every = kept + planes[2]
    at: dict[Index, int] = {k: i for i, k in enumerate(every)}
    zero = len(every)

    def below(k: Index, *steps: Index) -> list[int]:
        return [at.get((k[0] + x, k[1] + y, k[2] + z), zero) for x, y, z in steps]

    lower = [below(k, (-1, 0, 0), (0, -1, 0), (0, 0, -1), (-2, 0, 0), (0, -2, 0)) for k in every]
    z_slope = [below(k, (0, 0, -1)) + (below(k, (-2, 0, 1), (0, -2, 1)) if k[2] == 0 else [zero] * 2) for k in every]
    laplace = [below(k, (2, 0, -2), (0, 2, -2)) if k[2] == 2 else [zero] * 2 for k in every]
    shifts = [
        (at[n], at[m], at[n[0] + m[0], n[1] + m[1], n[2] + m[2]])
        for m in kept[1:]
        for n in kept
        if sum(n) + sum(m) <= order
    ]
    return Expansion(
        terms=len(kept),
        size=zero + 1,
        degree=np.array([*map(sum, every), 0]),
        inverse_degree=np.array([*(1 / max(sum(k), 1) for k in every), 0.0]),
        powers=np.array([*every, (0, 0, 0)], dtype=float),
        lower=np.array([*lower, [zero] * 5], dtype=np.uint64),
        z_slope=np.array([*z_slope, [zero] * 3], dtype=np.uint64),
        laplace=np.array([*laplace, [zero] * 2], dtype=np.uint64),
        products=np.array([triple for triple in shifts if triple[0] > 0], dtype=np.uint64).reshape(-1, 3),
        shifts=np.array(shifts, dtype=np.uint64).reshape(-1, 3),
        shift_first=np.searchsorted([m for _, m, _ in shifts], range(len(kept) + 1)),
    )


@kernel
def harmonics(tables: Expansion, r: Triple, h: np.ndarray) -> None:
    """Write H_k(r) of all terms into h (size,); r in the unit of the expansion."""
    h[0], h[tables.size - 1] = 1.0, 0.0
    for k in range(1, tables.terms):
        a, b, c = tables.z_slope[k, 0], tables.z_slope[k, 1], tables.z_slope[k, 2]
        z_slope = h[a] - h[b] - h[c]
        slope = r[0] * h[tables.lower[k, 0]] + r[1] * h[tables.lower[k, 1]] + r[2] * z_slope
        h[k] = slope * tables.inverse_degree[k]


@kernel
def add_multipoles(tables: Expansion, s: Triple, p: Triple, h: np.ndarray, multipole: np.ndarray) -> None:
    """Add p.grad H_n(s) of one dipole p at s from the centre to `multipole` (size,); h (size,) is scratch."""
    harmonics(tables, s, h)
    for k in range(1, tables.terms):
        a, b, c = tables.z_slope[k, 0], tables.z_slope[k, 1], tables.z_slope[k, 2]
        multipole[k] += p[0] * h[tables.lower[k, 0]] + p[1] * h[tables.lower[k, 1]] + p[2] * (h[a] - h[b] - h[c])


@kernel
def lift(tables: Expansion, source: np.ndarray, move: Triple, h: np.ndarray, multipole: np.ndarray) -> None:
    """Add multipoles about one centre, `source` (size,), to those about another, `multipole` (size,).

    M_k += sum_(n+m=k) M_m H_n(move); terms with kz = 2 are reduced to the others by Laplace's equation.

    move: from the latter centre to the former; h: (size,) scratch.
    """
    harmonics(tables, move, h)
    for t in range(len(tables.shifts)):
        n, m, k = tables.shifts[t, 0], tables.shifts[t, 1], tables.shifts[t, 2]
        multipole[k] += source[m] * h[n]
    for k in range(tables.terms, tables.size - 1):
        multipole[tables.laplace[k, 0]] -= multipole[k]
        multipole[tables.laplace[k, 1]] -= multipole[k]
        multipole[k] = 0.0


@kernel
def complete(tables: Expansion, terms: np.ndarray) -> None:
    """Write the terms with kz = 2 of `terms` (size,) by Laplace's equation."""
    for k in range(tables.terms, tables.size - 1):
        terms[k] = -terms[tables.laplace[k, 0]] - terms[tables.laplace[k, 1]]


@kernel
def moved(tables: Expansion, source: np.ndarray, h: np.ndarray, m: int) -> float:
    """Local term m about another centre: sum_n H_n L_(n+m), `source` (size,) the complete terms L, h (size,) the H."""
    even, odd = 0.0, 0.0  # two sums at once: each waits for its last addition
    first, last = tables.shift_first[m], tables.shift_first[m + 1]
    for t in range(first, last - 1, 2):
        even += source[tables.shifts[t, 2]] * h[tables.shifts[t, 0]]
        odd += source[tables.shifts[t + 1, 2]] * h[tables.shifts[t + 1, 0]]
    if (last - first) % 2:
        even += source[tables.shifts[last - 1, 2]] * h[tables.shifts[last - 1, 0]]
    return even + odd


@kernel
def lower(tables: Expansion, source: np.ndarray, move: Triple, h: np.ndarray, local: np.ndarray) -> None:
    """Add local terms about one centre, `source` (size,), to those about another, `local` (size,).

    L_m += sum_n H_n(move) L_(n+m); `source` must be complete (see `complete`).

    move: from the former centre to the latter; h: (size,) scratch.
    """
    harmonics(tables, move, h)
    for m in range(1, tables.terms):
        local[m] += moved(tables, source, h, m)


@kernel
def field_and_force(tables: Expansion, local: np.ndarray, t: Triple, p: Triple, h: np.ndarray) -> tuple[Triple, Triple]:
    """Field -grad V and force -grad (p.grad V) of the potential V = sum L_m H_m on a dipole p at t from the centre.

    local: (size,) complete local terms; h: (size,) scratch. Without mu0/(4 pi).
    """
    harmonics(tables, t, h)
    x, y, z = moved(tables, local, h, 1), moved(tables, local, h, 2), moved(tables, local, h, 3)
    xx, xy, yy = moved(tables, local, h, 4), moved(tables, local, h, 5), moved(tables, local, h, 6)
    xz, yz = moved(tables, local, h, 7), moved(tables, local, h, 8)
    force = add(add(scale(-p[0], (xx, xy, xz)), scale(-p[1], (xy, yy, yz))), scale(-p[2], (xz, yz, -xx - yy)))
    return (-x, -y, -z), force


@kernel
def derivatives(tables: Expansion, r: np.ndarray, d: np.ndarray) -> None:
    """Write D_k(R) of all terms for each column R of r into d.

    r: (4, lanes) x, y, z, and a row of scratch, which gets 1/R^2.
    d: (size, lanes) written.
    """
    lanes = r.shape[1]
    for w in range(lanes):
        r[3, w] = 1.0 / (r[0, w] * r[0, w] + r[1, w] * r[1, w] + r[2, w] * r[2, w])
        d[0, w] = np.sqrt(r[3, w])
        d[tables.size - 1, w] = 0.0
    for k in range(1, tables.terms):
        n, (kx, ky, kz) = tables.degree[k], (tables.powers[k, 0], tables.powers[k, 1], tables.powers[k, 2])
        a, b, c = tables.lower[k, 0], tables.lower[k, 1], tables.lower[k, 2]
        e, f = tables.lower[k, 3], tables.lower[k, 4]
        one, two = -(2.0 * n - 1.0) / n, -(n - 1.0) / n
        ax, ay, az, axx, ayy = one * kx, one * ky, one * kz, two * kx * (kx - 1), two * ky * (ky - 1)
        for w in range(lanes):
            first = ax * r[0, w] * d[a, w] + ay * r[1, w] * d[b, w] + az * r[2, w] * d[c, w]
            d[k, w] = r[3, w] * (first + axx * d[e, w] + ayy * d[f, w])
    for k in range(tables.terms, tables.size - 1):
        a, b = tables.laplace[k, 0], tables.laplace[k, 1]
        for w in range(lanes):
            d[k, w] = -d[a, w] - d[b, w]


@kernel
def translate(tables: Expansion, multipoles: np.ndarray, d: np.ndarray, locals_: np.ndarray) -> None:
    """L_m += sum_n M_n D_(n+m) for each lane. multipoles, d: (size, lanes); locals_: (size, lanes) added to."""
    lanes = d.shape[1]
    for t in range(len(tables.products)):
        n, m, k = tables.products[t, 0], tables.products[t, 1], tables.products[t, 2]
        for w in range(lanes):
            locals_[m, w] += multipoles[n, w] * d[k, w]
