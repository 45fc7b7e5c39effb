// Package eigen finds a few eigenpairs of big sparse symmetric problems, and
// solves the linear systems that come with them.
//
// A symmetric matrix is an Operator: something that multiplies. Sparse ones
// are made from graphs (Adjacency, NewLaplacian) and put together (Sum,
// LowRank, Shifted, Projected). Four ways lead to eigenpairs:
//
//   - Symmetric and Definite for matrices that fit into memory as a table;
//   - Lanczos for either end of any operator;
//   - LargestGeneralized for the largest θ of S y = θ M y, M positive definite;
//   - Smallest for the smallest eigenvalues of a graph's Laplacian, with null
//     space and preconditioner taken from the graph.
//
// Few chooses between the first two. Every way returns Pairs, which carry the
// residual ‖A v − λ v‖ of each pair: for a symmetric A some eigenvalue lies
// within that distance of λ, whatever the solver did. So a loose tolerance is
// a choice and never a secret.
//
// Vectors have unit length, and their component of largest magnitude (the
// first of them on ties) is positive. Start vectors come from a seed, sums are
// taken in fixed blocks: the same input gives the same bits on any number of
// workers.
//
// In comments n is the dimension, k the number of pairs, p the number of
// vectors that are worked on side by side; D are degrees, A weights, L = D − A.
//
// # Graphs
//
// The components of a graph span the null space of its Laplacian and are taken from
// the graph, exactly. The other small eigenvalues come from LOBPCG, preconditioned
// by multigrid whose levels are contracted graphs, and started from the dense
// solution of a coarse level. On a graph of 100,000 points in the plane (ten pairs,
// tolerance 1e-4) that takes about a second of processor time; Lanczos without a
// preconditioner does not converge within 1,500 products and twenty seconds.
// Pairs that are useful but need not be exact (Options.Loose) are not waited for.
//
// New directions are kept orthogonal to the vectors at hand by sums over the
// vectors themselves, not over products, so that graphs that are connected by
// edges of negligible weight do not break the factorisation.
package eigen
