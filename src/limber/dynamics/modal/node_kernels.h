// The inner loops over a body's nodes, in double, for every instruction set.
//
// Vectors of three lie node by node. `apart`: how far rows of A lie apart where only their first
// `modes` numbers count; 0: as long as they are. w rotation vectors, R(w) = exp [w]×, R~(w) = ∫₀¹
// R(τw) dτ.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber::kernels {

/// y = A x, A (3·nodes × modes) row-major, x (modes), y (3·nodes).
void multiply(const double* A, int nodes, int modes, const double* x, double* y, int apart = 0);
/// The same for the nodes of a list.
void multiply_at(const double* A, const std::int32_t* nodes, int count, int modes, const double* x,
                 double* y, int apart = 0);

/// x += Aᵀ y.
void add_transposed(const double* A, int nodes, int modes, const double* y, double* x,
                    int apart = 0);
/// The same for three y of all nodes, one after another, each to an x of its own `stride` further.
void add_transposed_three(const double* A, int nodes, int modes, const double* y, double* x,
                          std::ptrdiff_t stride, int apart = 0);

/// out_i = R(w_i) u_i; `out` may be `u`.
void turn(const double* w, const double* u, int nodes, double* out);
/// out_i = R(w_i)ᵀ u_i; `out` may be `u`.
void turn_back(const double* w, const double* u, int nodes, double* out);
/// out_i = R~(w_i) u_i; `out` may be `u`.
void turn_mean(const double* w, const double* u, int nodes, double* out);
/// out_i = R~(w_i)ᵀ u_i; `out` may be `u`.
void turn_mean_back(const double* w, const double* u, int nodes, double* out);

/// out_i = ∂(R~(w_i) u_i)/∂w · ẇ_i; `out` may be `rate`.
void mean_rate(const double* w, const double* u, const double* rate, int nodes, double* out);
/// out_i = (∂(R~(w_i) u_i)/∂w)ᵀ F_i: how F's work on R~(w) u changes with w; `out` may be `F`.
void mean_gradient(const double* w, const double* u, const double* F, int nodes, double* out);
/// turned_i = R~(w_i)ᵀ F_i and moments_i = (∂(R~(w_i) u_i)/∂w)ᵀ F_i of three F, each of all nodes,
/// one after another.
void work_of_three(const double* w, const double* u, const double* F, int nodes, double* turned,
                   double* moments);

}  // namespace limber::kernels
