// Images, distances, neighbours and sums, for all GPUs.
#include "common.h"

__device__ __forceinline__ half narrow(float x) {
  half h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  return h;
}

__device__ __forceinline__ float widen(half h) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
  return x;
}

// ---- images: rows and centres in half precision, in the order in which tiles are read ----

// place returns where feature f of row r is: tiles of rows, in each the chunks, in each
// the rows, whose pieces are permuted so that eight rows are read without conflicts.
template <int TILE>
__device__ __forceinline__ u64 place(u64 r, int f, int chunks) {
  int at = (int)(r % TILE), piece = (f % CHUNK) / 8;
  return (((r / TILE) * chunks + f / CHUNK) * TILE + at) * (u64)CHUNK + ((piece ^ (at & 7)) * 8 + f % 8);
}

__device__ __forceinline__ double warpSum(double s) {
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  return s;
}

// roundUp is x or a little more.
__device__ __forceinline__ float roundUp(double x) { return __double2float_ru(x * (1 + 1e-12)); }

// One warp a row: its image, |z| and |y - z|, and the largest |z|.
template <typename T>
__device__ __forceinline__ void roundRow(const T* X, u64 n, int d, int chunks, const double* offset, double scale,
                                         half* image, float2* norms, int* farthest) {
  u64 r = (blockIdx.x * (u64)blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  if (r >= n) return;
  double z2 = 0, rest2 = 0;
  for (int f = lane; f < chunks * CHUNK; f += 32) {
    double y = f < d ? ((double)X[r * d + f] - offset[f]) * scale : 0;
    half h = narrow((float)y);
    double z = widen(h), rest = y - z;
    z2 += z * z;
    rest2 += rest * rest;
    image[place<ROWS>(r, f, chunks)] = h;
  }
  z2 = warpSum(z2);
  rest2 = warpSum(rest2);
  // y is itself rounded twice, by 2^-53 each
  if (lane) return;
  float top = roundUp(sqrt(z2));
  norms[r] = make_float2(top, roundUp(sqrt(rest2) + 0x1p-51 * sqrt(z2)));
  if (__float_as_int(top) > *(volatile int*)farthest) atomicMax(farthest, __float_as_int(top));
}
extern "C" __global__ void roundRows32(const float* X, u64 n, int d, int chunks, const double* offset, double scale,
                                       half* image, float2* norms, int* farthest) {
  roundRow(X, n, d, chunks, offset, scale, image, norms, farthest);
}
extern "C" __global__ void roundRows64(const double* X, u64 n, int d, int chunks, const double* offset, double scale,
                                       half* image, float2* norms, int* farthest) {
  roundRow(X, n, d, chunks, offset, scale, image, norms, farthest);
}

// One block of 128 threads a centre, beyond k an empty one that is never nearest. The
// image has -2g, which is as exact as g.
template <typename T>
__device__ __forceinline__ void roundCentre(const T* C, int k, int d, int chunks, const double* offset, double scale,
                                            half* image, float* norm, Largest* largest) {
  __shared__ double part[3][4];
  int h = blockIdx.x, w = threadIdx.x >> 5;
  double e2 = 0, rest2 = 0, g2 = 0;
  for (int f = threadIdx.x; f < chunks * CHUNK; f += 128) {
    double e = (h < k && f < d) ? ((double)C[(u64)h * d + f] - offset[f]) * scale : 0;
    half g = narrow((float)e);
    double wide = widen(g), rest = e - wide;
    e2 += e * e;
    g2 += wide * wide;
    rest2 += rest * rest;
    image[place<COLUMNS>(h, f, chunks)] = narrow(-2 * (float)wide);
  }
  e2 = warpSum(e2);
  rest2 = warpSum(rest2);
  g2 = warpSum(g2);
  if (!(threadIdx.x & 31)) part[0][w] = e2, part[1][w] = rest2, part[2][w] = g2;
  __syncthreads();
  if (threadIdx.x) return;
  e2 = part[0][0] + part[0][1] + part[0][2] + part[0][3];
  rest2 = part[1][0] + part[1][1] + part[1][2] + part[1][3];
  g2 = part[2][0] + part[2][1] + part[2][2] + part[2][3];
  norm[h] = h < k ? (float)e2 : 1e37f;
  if (h >= k) return;
  int e = __float_as_int(roundUp(sqrt(e2))), rest = __float_as_int(roundUp(sqrt(rest2) + 0x1p-51 * sqrt(e2))), g = __float_as_int(roundUp(sqrt(g2)));
  if (e > *(volatile int*)&largest->e) atomicMax(&largest->e, e);
  if (rest > *(volatile int*)&largest->rest) atomicMax(&largest->rest, rest);
  if (g > *(volatile int*)&largest->g) atomicMax(&largest->g, g);
}
#define CENTRES(name, T)                                                                                                        \
  extern "C" __global__ void name(const T* C, int k, int d, int chunks, const double* offset, double scale, half* image,         \
                                  float* norm, Largest* largest) {                                                              \
    roundCentre(C, k, d, chunks, offset, scale, image, norm, largest);                                                          \
  }
CENTRES(roundCentres32, float)
CENTRES(roundCentres64, double)

// liftNorms finds Q, for the rows that can be proven, and adds 1.5 * 2^23 Q to the norms; empty centres have more
// than any other can. The largest |z| of rows is in farthest.
extern "C" __global__ void liftNorms(const float* norm, int k, int padded, Largest* largest, const int* farthest, float* lifted) {
  double e = __int_as_float(largest->e), g = __int_as_float(largest->g);
  double z = fmin((double)__int_as_float(*farthest), FARTHEST * e);
  double top = 1.01 * (e * e + 2 * z * g) + 1e-30, Q = exp2(ceil(log2(top)) - 20);
  int h = blockIdx.x * blockDim.x + threadIdx.x;
  if (h == 0) largest->unit = (float)Q;
  if (h < padded) lifted[h] = (float)(h < k ? norm[h] + 0x1.8p23 * Q : 0x1.cp23 * Q);
}

// ---- the distance itself ----

// gatherRows copies the images of open rows into one of their own, one thread a piece of 16 bytes.
extern "C" __global__ void gatherRows(const __grid_constant__ Search s, u8* to) {
  u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x, p = i / (s.chunks * PIECES);
  if (p >= s.n) return;
  int rest = (int)(i % (s.chunks * PIECES)), chunk = rest / PIECES, piece = rest % PIECES;
  u64 r = s.openRow[s.first + p];
  const u8* from = s.rows + (((r / ROWS) * s.chunks + chunk) * ROWS + r % ROWS) * (u64)(CHUNK * 2) + ((piece ^ (int)(r & 7)) * 16);
  *(uint4*)(to + (((p / ROWS) * s.chunks + chunk) * ROWS + p % ROWS) * (u64)(CHUNK * 2) + ((piece ^ (int)(p & 7)) * 16)) = *(const uint4*)from;
}

// dist2 is Dist2: eight threads, of which each adds one of the eight partial sums. All
// eight return it. Numbers are read eight ahead.
template <typename T>
__device__ __forceinline__ double dist2(const T* x, const double* c, int d, int eighth, u32 mask) {
  double s = 0;
  for (int f = eighth; f < d; f += 64) {
    double a[8], b[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
      if (f + 8 * i < d) a[i] = (double)x[f + 8 * i], b[i] = c[f + 8 * i];
#pragma unroll
    for (int i = 0; i < 8; i++)
      if (f + 8 * i < d) {
        double y = __dsub_rn(a[i], b[i]);
        s = __dadd_rn(s, __dmul_rn(y, y));
      }
  }
  s = __dadd_rn(s, __shfl_xor_sync(mask, s, 4));
  s = __dadd_rn(s, __shfl_xor_sync(mask, s, 2));
  return __dadd_rn(s, __shfl_xor_sync(mask, s, 1));
}

// One warp an open row, four centres at a time: those that are listed, or all where more
// are possible than the list holds.
template <typename T>
__device__ __forceinline__ void decide(const T* X, const double* C, int k, int d, const Search& s) {
  u64 p = (blockIdx.x * (u64)blockDim.x + threadIdx.x) >> 5;
  if (p >= s.n) return;
  int lane = threadIdx.x & 31, group = lane >> 3, eighth = lane & 7;
  u32 mask = 0xFFu << (lane & 24), found = s.found[p];
  u64 r = s.openRow[s.first + p];
  bool all = found == 0 || found > s.room;
  int num = all ? k : (int)found, label = 0x7FFFFFFF;
  double best = __longlong_as_double(0x7FF0000000000000ll);
  for (int i = group; i < num; i += 4) {
    int h = all ? i : s.slots[p * s.room + i];
    double dist = dist2(X + r * d, C + (u64)h * d, d, eighth, mask);
    if (dist < best || (dist == best && h < label)) best = dist, label = h;
  }
  for (int o = 8; o <= 16; o <<= 1) {
    double b = __shfl_xor_sync(~0u, best, o);
    int h = __shfl_xor_sync(~0u, label, o);
    if (b < best || (b == best && h < label)) best = b, label = h;
  }
  if (!lane) s.label[r] = label == 0x7FFFFFFF ? 0 : label;
}
extern "C" __global__ void decide32(const float* X, const double* C, int k, int d, const __grid_constant__ Search s) { decide(X, C, k, d, s); }
extern "C" __global__ void decide64(const double* X, const double* C, int k, int d, const __grid_constant__ Search s) { decide(X, C, k, d, s); }

// ---- neighbours ----

// bitwise ascending
__device__ __forceinline__ bool before(double a, int i, double b, int j) { return a < b || (a == b && i < j); }

// limits finds scores below which the K nearest other rows of a row must be, one warp a row: the least scores of
// groups of columns are scores of different columns, and one may be that of the row itself.
extern "C" __global__ void limits(const __grid_constant__ Search s, int K) {
  u64 p = (blockIdx.x * (u64)blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  if (p >= s.n) return;
  float a = s.minima[p * GROUPS + lane], b = s.minima[p * GROUPS + 32 + lane];
  int ra = 0, rb = 0; // how many are before them
  for (int i = 0; i < 32; i++) {
    float x = __shfl_sync(~0u, a, i), y = __shfl_sync(~0u, b, i);
    ra += (x < a || (x == a && i < lane)) + (y < a);
    rb += (x < b || x == b) + (y < b || (y == b && i < lane));
  }
  float margin = need(s, s.first + p);
  float at = ra == K ? a : rb == K ? b : -INFINITY;
  for (int o = 16; o; o >>= 1) at = fmaxf(at, __shfl_xor_sync(~0u, at, o));
  if (!lane) s.openLimit[s.first + p] = __fadd_ru(at, margin), s.openRow[s.first + p] = (int)(s.first + p);
}

// rank puts the K nearest of the rows that are listed in order, one warp a row. Distances add up one feature after the
// other. Where more rows are listed than there is room for, the first neighbour is -1.
#define MOST 4 // of the candidates, a thread has so many
template <typename T>
__device__ __forceinline__ void rank(const T* X, int d, int K, const Search& s, int* idx, double* dist) {
  u64 p = (blockIdx.x * (u64)blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  if (p >= s.n) return;
  u32 found = s.found[p];
  u64 r = s.first + p;
  if (found > s.room || found <= K) {
    if (!lane) idx[p * K] = -1;
    return;
  }
  double y[MOST];
  int j[MOST];
#pragma unroll
  for (int m = 0; m < MOST; m++) {
    y[m] = __longlong_as_double(0x7FF0000000000000ll), j[m] = 0x7FFFFFFF;
    int i = m * 32 + lane;
    if (i >= found) continue;
    int h = s.slots[p * s.room + i];
    if (h == (int)r) continue;
    const T *a = X + r * d, *b = X + (u64)h * d;
    double sum = 0;
    for (int f = 0; f < d; f++) {
      double e = __dsub_rn((double)a[f], (double)b[f]);
      sum = __dadd_rn(sum, __dmul_rn(e, e));
    }
    y[m] = sum, j[m] = h;
  }
  for (int q = 0; q < K; q++) {
    double low = y[0];
    int at = j[0];
#pragma unroll
    for (int m = 1; m < MOST; m++)
      if (before(y[m], j[m], low, at)) low = y[m], at = j[m];
    for (int o = 16; o; o >>= 1) {
      double b = __shfl_xor_sync(~0u, low, o);
      int i = __shfl_xor_sync(~0u, at, o);
      if (before(b, i, low, at)) low = b, at = i;
    }
    if (!lane) idx[p * K + q] = at, dist[p * K + q] = low;
#pragma unroll
    for (int m = 0; m < MOST; m++)
      if (j[m] == at) y[m] = __longlong_as_double(0x7FF0000000000000ll), j[m] = 0x7FFFFFFF;
  }
}
extern "C" __global__ void rank32(const float* X, int d, int K, const __grid_constant__ Search s, int* idx, double* dist) { rank(X, d, K, s, idx, dist); }
extern "C" __global__ void rank64(const double* X, int d, int K, const __grid_constant__ Search s, int* idx, double* dist) { rank(X, d, K, s, idx, dist); }

// ---- rows that have moved, and their sums ----

// fourAt reads four labels from row i on, a multiple of four; beyond hi they are those of another row.
__device__ __forceinline__ void fourAt(const int* label, u64 i, u64 hi, int (&four)[4]) {
  int4 v = i < hi ? *(const int4*)(label + i) : make_int4(0, 0, 0, 0);
  four[0] = v.x, four[1] = v.y, four[2] = v.z, four[3] = v.w;
#pragma unroll
  for (int j = 1; j < 4; j++)
    if (i + j >= hi) four[j] = 0;
}

// One warp a segment: how many of its rows have another label than before.
extern "C" __global__ void countMoves(const int* label, const int* was, u64 n, int segment, int* count) {
  u64 lo = blockIdx.x * (u64)segment, hi = min(n, lo + segment);
  int moved = 0;
  for (u64 i = lo + 4 * threadIdx.x; i < hi; i += 128) {
    int to[4], from[4];
    fourAt(label, i, hi, to), fourAt(was, i, hi, from);
#pragma unroll
    for (int j = 0; j < 4; j++) moved += to[j] != from[j];
  }
  moved = __reduce_add_sync(~0u, moved);
  if (!threadIdx.x) count[blockIdx.x] = moved;
}

// scanRow makes a row of n counts the sums of those before them, and writes the sum of all. One block of 256 threads a row.
extern "C" __global__ void scanRow(int* rows, int n, int* total) {
  __shared__ int part[8];
  int* row = rows + (u64)blockIdx.x * n;
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, before = 0;
  for (int at = 0; at < n; at += 256) {
    int i = at + threadIdx.x, own = i < n ? row[i] : 0, sum = own;
    for (int o = 1; o < 32; o <<= 1) {
      int y = __shfl_up_sync(~0u, sum, o);
      if (lane >= o) sum += y;
    }
    if (lane == 31) part[w] = sum;
    __syncthreads();
    int all = 0, left = before;
    for (int v = 0; v < 8; v++) {
      if (v < w) left += part[v];
      all += part[v];
    }
    if (i < n) row[i] = left + sum - own;
    before += all;
    __syncthreads();
  }
  if (!threadIdx.x) total[blockIdx.x] = before;
}

extern "C" __global__ void copyInts(const int* from, int* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

// A Move is a row that has left a cluster, -1: none, for another.
struct Move {
  int row, from, to;
};

// One warp a segment: the moves of its rows, in order; was becomes label. start is where those of a segment are, of
// total in all.
extern "C" __global__ void listMoves(const int* label, int* was, u64 n, int segment, const int* start, const int* total, Move* moves) {
  u64 lo = blockIdx.x * (u64)segment, hi = min(n, lo + segment);
  int at = start[blockIdx.x];
  if (at == (blockIdx.x + 1 < gridDim.x ? start[blockIdx.x + 1] : *total)) return;
  for (; lo < hi; lo += 128) {
    u64 i = lo + 4 * threadIdx.x;
    int to[4], from[4], mine = at;
    fourAt(label, i, hi, to), fourAt(was, i, hi, from);
#pragma unroll
    for (int j = 0; j < 4; j++) {
      u32 moved = __ballot_sync(~0u, to[j] != from[j]);
      mine += __popc(moved & ((1u << threadIdx.x) - 1));
      at += __popc(moved);
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (to[j] != from[j]) {
        moves[mine++] = Move{(int)i + j, from[j], to[j]};
        was[i + j] = to[j];
      }
  }
}

// A move is two changes: its row leaves one cluster and joins another. Half a warp looks at a move each.
__device__ __forceinline__ int change(const Move* moves, int i, int hi, int* row) {
  Move m = i < hi ? moves[i] : Move{0, -1, -1};
  bool joins = threadIdx.x & 1;
  *row = joins ? m.row : ~m.row;
  return joins ? m.to : m.from;
}

// One warp a segment of moves: how many changes a cluster has in it.
extern "C" __global__ void countChanges(const Move* moves, int n, int segment, int segments, int* count) {
  int lo = blockIdx.x * segment, hi = min(n, lo + segment);
  for (int at = lo; at < hi; at += 16) {
    int row, h = change(moves, at + (threadIdx.x >> 1), hi, &row);
    if (h >= 0) atomicAdd(count + (u64)h * segments + blockIdx.x, 1);
  }
}

// One warp a segment of moves: its changes by cluster, each in the order of the rows; a row that leaves is a complement.
extern "C" __global__ void sortChanges(const Move* moves, int n, int segment, int segments, int* next, const int* start, int* changes) {
  int lo = blockIdx.x * segment, hi = min(n, lo + segment);
  for (int at = lo; at < hi; at += 16) {
    int row, h = change(moves, at + (threadIdx.x >> 1), hi, &row);
    u32 same = __match_any_sync(~0u, h), before = same & ((1u << threadIdx.x) - 1);
    int *mine = next + (u64)h * segments + blockIdx.x, place = 0;
    if (h >= 0) place = *mine;
    __syncwarp();
    if (h >= 0) {
      changes[start[h] + place + __popc(before)] = row;
      if (!before) *mine = place + __popc(same);
    }
    __syncwarp();
  }
}

// One warp a cluster and 32 features: TwoSum of package simd with all its changes, and how many rows more the cluster
// has. Rows are read ahead. What s + y loses is exact, so that it has the same bits in three steps as in six: the
// smaller of the two less what came of it.
#define AHEAD 16
template <typename T>
__device__ __forceinline__ void addChanges(const T* X, int d, const int* start, const int* total, const int* changes, double* sum, double* rest, int* more) {
  const int parts = (d + 127) / 128, h = blockIdx.x / parts, lane = threadIdx.x & 31, f = (blockIdx.x % parts) * 128 + threadIdx.x;
  const int* row = changes + start[h];
  const int n = total[h];
  if (f - lane >= d) return;
  X += min(f, d - 1);
  const u64 at = (u64)h * d + min(f, d - 1);
  double s = sum[at], r = rest[at];
  auto load = [&](T (&x)[AHEAD], u64 mine, int first) {
#pragma unroll
    for (int u = 0; u < AHEAD; u++) x[u] = __ldg(X + __shfl_sync(~0u, mine, first + u));
  };
  auto one = [&](T x, bool leaves) {
    double y = leaves ? -(double)x : (double)x;
    bool far = fabs(s) >= fabs(y);
    double b = __dadd_rn(s, y), part = __dsub_rn(b, far ? s : y);
    double left = __dadd_rn(__dsub_rn(far ? y : s, part), r);
    s = __dadd_rn(b, left);
    r = __dsub_rn(left, __dsub_rn(s, b));
  };
  auto add = [&](const T (&x)[AHEAD], u32 leaves, int left) {
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
      if (left >= AHEAD || u < left) one(x[u], leaves >> u & 1);
  };
  // where the row of a thread's change is, of 32, that of row 0 beyond the last; and which of them leave
  auto changed = [&](int lo, u64& mine) {
    int i = lo + lane < n ? row[lo + lane] : 0;
    mine = (u64)(i < 0 ? ~i : i) * d;
    return __ballot_sync(~0u, i < 0);
  };
  T x[AHEAD], y[AHEAD];
  u64 mine;
  u32 leaves = changed(0, mine);
  int leave = 0;
  load(x, mine, 0);
  for (int lo = 0; lo < n; lo += 32) {
    u64 next;
    u32 then = changed(lo + 32, next);
    load(y, mine, AHEAD);
    leave += __popc(leaves);
    add(x, leaves, n - lo);
    load(x, next, 0);
    add(y, leaves >> AHEAD, n - lo - AHEAD);
    mine = next, leaves = then;
  }
  if (f < d) sum[at] = s, rest[at] = r;
  if (!f) more[h] = n - 2 * leave;
}
extern "C" __global__ void addChanges32(const float* X, int d, const int* start, const int* total, const int* changes, double* sum, double* rest, int* more) {
  addChanges(X, d, start, total, changes, sum, rest, more);
}
extern "C" __global__ void addChanges64(const double* X, int d, const int* start, const int* total, const int* changes, double* sum, double* rest, int* more) {
  addChanges(X, d, start, total, changes, sum, rest, more);
}
