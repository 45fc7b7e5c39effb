// Images, scores, distances, neighbours and sums on GPUs of compute capability 8.0 and later.
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

// ---- scores ----

__device__ __forceinline__ void copy16(u32 to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}

__device__ __forceinline__ void loadFour(u32 (&r)[4], u32 at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}

__device__ __forceinline__ void multiply(float* c, const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A block of eight warps scores a tile of rows against all centres. KEPT: the rows stay in
// shared memory; otherwise their chunks are read again for every tile of centres.
// STAGES chunks are on their way at a time; small GPUs have room for two. LIST is for the rows of openRow.
template <bool KEPT, int KIND, int STAGES>
__device__ __forceinline__ void score(const Search& s) {
  extern __shared__ __align__(128) u8 memory[];
  const int rowBytes = CHUNK * 2, rowTile = ROWS * rowBytes, centreTile = COLUMNS * rowBytes;
  u8* rowsAt = memory;
  u8* centresAt = memory + (KEPT ? s.chunks : STAGES) * rowTile;
  int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31, steps = s.tiles * s.chunks;
  u64 tile = blockIdx.x;

  auto loadRows = [&](u8* to, int chunk) {
    if (KIND != LIST) {
      const u8* from = s.rows + (tile * s.chunks + chunk) * (u64)rowTile;
      for (int o = tid * 16; o < rowTile; o += 256 * 16) copy16(shared(to + o), from + o);
    } else {
      for (int i = tid; i < ROWS * PIECES; i += 256) {
        int at = i / PIECES, piece = i % PIECES;
        u64 p = tile * ROWS + at, r = s.openRow[s.first + (p < s.n ? p : s.n - 1)];
        const u8* from = s.rows + (((r / ROWS) * s.chunks + chunk) * ROWS + r % ROWS) * (u64)rowBytes + ((piece ^ (int)(r & 7)) * 16);
        copy16(shared(to + at * rowBytes + ((piece ^ (at & 7)) * 16)), from);
      }
    }
  };
  auto load = [&](int step) {
    if (step < steps) {
      int stage = step % STAGES;
      const u8* from = s.centres + (u64)step * centreTile;
      for (int o = tid * 16; o < centreTile; o += 256 * 16) copy16(shared(centresAt + stage * centreTile + o), from + o);
      if (!KEPT) loadRows(rowsAt + stage * rowTile, step % s.chunks);
    }
    asm volatile("cp.async.commit_group;");
  };
  if (KEPT)
    for (int c = 0; c < s.chunks; c++) loadRows(rowsAt + c * rowTile, c);
  for (int i = 0; i < STAGES - 1; i++) load(i);

  // a thread has four rows, and of each tile of centres 32 columns
  const u64 row = tile * ROWS + warp * 32 + (lane >> 2);
  Watch<KIND> watch[2];
  watch[0].start(s, row), watch[1].start(s, row + 16);
  float sum[2][64];
  int step = 0;
  for (int t = 0; t < s.tiles; t++) {
#pragma unroll
    for (int i = 0; i < 64; i++) sum[0][i] = sum[1][i] = 0;
    for (int c = 0; c < s.chunks; c++, step++) {
      asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
      __syncthreads();
      load(step + STAGES - 1);
      u32 a0 = shared(rowsAt + (KEPT ? c : step % STAGES) * rowTile), b0 = shared(centresAt + (step % STAGES) * centreTile);
#pragma unroll
      for (int f = 0; f < CHUNK / 16; f++) {
        u32 a[2][4];
#pragma unroll
        for (int h = 0; h < 2; h++) {
          int r = warp * 32 + h * 16 + (lane & 15), piece = f * 2 + (lane >> 4);
          loadFour(a[h], a0 + r * rowBytes + ((piece ^ (r & 7)) * 16));
        }
#pragma unroll
        for (int i = 0; i < 16; i += 2) {
          u32 b[4];
          int r = i * 8 + (lane & 7) + ((lane >> 4) << 3), piece = f * 2 + ((lane >> 3) & 1);
          loadFour(b, b0 + r * rowBytes + ((piece ^ (r & 7)) * 16));
#pragma unroll
          for (int h = 0; h < 2; h++) {
            multiply(&sum[h][i * 4], a[h], b[0], b[1]);
            multiply(&sum[h][i * 4 + 4], a[h], b[2], b[3]);
          }
        }
      }
    }
    watch[0].tile(s, sum[0], t, row), watch[1].tile(s, sum[1], t, row + 16);
  }
  watch[0].end(s, row), watch[1].end(s, row + 16);
}
#define SCORE(name, kept, kind, stages) \
  extern "C" __global__ void __launch_bounds__(256, 1) name(const __grid_constant__ Search s) { score<kept, kind, stages>(s); }
SCORE(scoreKept, true, LABEL, 3)
SCORE(scoreRead, false, LABEL, 3)
SCORE(scoreReadSmall, false, LABEL, 2)
SCORE(listKept, true, LIST, 3)
SCORE(listRead, false, LIST, 3)
SCORE(listReadSmall, false, LIST, 2)
SCORE(groupKept, true, GROUP, 3)
SCORE(groupRead, false, GROUP, 3)
SCORE(groupReadSmall, false, GROUP, 2)

// gatherRows copies the images of open rows into one of their own, one thread a piece of 16 bytes.
extern "C" __global__ void gatherRows(const __grid_constant__ Search s, u8* to) {
  u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x, p = i / (s.chunks * PIECES);
  if (p >= s.n) return;
  int rest = (int)(i % (s.chunks * PIECES)), chunk = rest / PIECES, piece = rest % PIECES;
  u64 r = s.openRow[s.first + p];
  const u8* from = s.rows + (((r / ROWS) * s.chunks + chunk) * ROWS + r % ROWS) * (u64)(CHUNK * 2) + ((piece ^ (int)(r & 7)) * 16);
  *(uint4*)(to + (((p / ROWS) * s.chunks + chunk) * ROWS + p % ROWS) * (u64)(CHUNK * 2) + ((piece ^ (int)(p & 7)) * 16)) = *(const uint4*)from;
}

// ---- the distance itself ----

// dist2 is Dist2: eight threads, of which each adds one of the eight partial sums. All
// eight return it.
template <typename T>
__device__ __forceinline__ double dist2(const T* x, const double* c, int d, int eighth, u32 mask) {
  double s = 0;
  for (int f = eighth; f < d; f += 8) {
    double y = __dsub_rn((double)x[f], c[f]);
    s = __dadd_rn(s, __dmul_rn(y, y));
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

// One warp a segment: how many of its rows have another label than before.
extern "C" __global__ void countMoves(const int* label, const int* was, u64 n, int segment, int* count) {
  u64 lo = blockIdx.x * (u64)segment, hi = min(n, lo + segment);
  int moved = 0;
  for (u64 i = lo + threadIdx.x; i < hi; i += 32) moved += label[i] != was[i];
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

// One warp a segment: the moves of its rows, in order; was becomes label.
extern "C" __global__ void listMoves(const int* label, int* was, u64 n, int segment, const int* start, Move* moves) {
  u64 lo = blockIdx.x * (u64)segment, hi = min(n, lo + segment);
  int at = start[blockIdx.x];
  for (u64 i = lo + threadIdx.x; i - threadIdx.x < hi; i += 32) {
    int to = i < hi ? label[i] : 0, from = i < hi ? was[i] : 0;
    u32 moved = __ballot_sync(~0u, to != from);
    if (to != from) {
      moves[at + __popc(moved & ((1u << threadIdx.x) - 1))] = Move{(int)i, from, to};
      was[i] = to;
    }
    at += __popc(moved);
  }
}

// A move is two changes: its row leaves one cluster and joins another. Half a warp looks at a move each.
__device__ __forceinline__ int change(const Move* moves, int i, int hi, int* row) {
  Move m = i < hi ? moves[i] : Move{0, -1, -1};
  bool joins = threadIdx.x & 1;
  *row = joins ? m.row : ~m.row;
  return joins ? m.to : m.from;
}

// One warp a segment of moves: how many changes a cluster has in it, and how many rows more clusters have.
extern "C" __global__ void countChanges(const Move* moves, int n, int segment, int segments, int* count, int* more) {
  int lo = blockIdx.x * segment, hi = min(n, lo + segment);
  for (int at = lo; at < hi; at += 16) {
    int row, h = change(moves, at + (threadIdx.x >> 1), hi, &row);
    if (h < 0) continue;
    atomicAdd(count + (u64)h * segments + blockIdx.x, 1);
    atomicAdd(more + h, row < 0 ? -1 : 1);
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

// One warp a cluster and 32 features: TwoSum of package simd with all its changes. Rows are read ahead.
#define AHEAD 16
template <typename T>
__device__ __forceinline__ void addChanges(const T* X, int d, const int* start, const int* total, const int* changes, double* sum, double* rest) {
  const int parts = (d + 127) / 128, h = blockIdx.x / parts, lane = threadIdx.x & 31, f = (blockIdx.x % parts) * 128 + threadIdx.x;
  const int* row = changes + start[h];
  const int n = total[h];
  if (f - lane >= d) return;
  X += min(f, d - 1);
  const u64 at = (u64)h * d + min(f, d - 1);
  double s = sum[at], r = rest[at];
  auto load = [&](T (&x)[AHEAD], int mine, int first, int left) {
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
      int i = __shfl_sync(~0u, mine, first + u);
      if (u < left) x[u] = __ldg(X + (u64)(i < 0 ? ~i : i) * d);
    }
  };
  auto add = [&](const T (&x)[AHEAD], int mine, int first, int left) {
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
      int i = __shfl_sync(~0u, mine, first + u);
      if (u < left) {
        double y = i < 0 ? -(double)x[u] : (double)x[u];
        double b = __dadd_rn(s, y), part = __dsub_rn(b, s);
        double left = __dadd_rn(__dadd_rn(__dsub_rn(s, __dsub_rn(b, part)), __dsub_rn(y, part)), r);
        s = __dadd_rn(b, left);
        r = __dsub_rn(left, __dsub_rn(s, b));
      }
    }
  };
  T x[AHEAD], y[AHEAD];
  int mine = lane < n ? row[lane] : 0;
  load(x, mine, 0, n);
  for (int lo = 0; lo < n; lo += 32) {
    int next = lo + 32 + lane < n ? row[lo + 32 + lane] : 0;
    load(y, mine, AHEAD, n - lo - AHEAD);
    add(x, mine, 0, n - lo);
    load(x, next, 0, n - lo - 32);
    add(y, mine, AHEAD, n - lo - AHEAD);
    mine = next;
  }
  if (f < d) sum[at] = s, rest[at] = r;
}
extern "C" __global__ void addChanges32(const float* X, int d, const int* start, const int* total, const int* changes, double* sum, double* rest) {
  addChanges(X, d, start, total, changes, sum, rest);
}
extern "C" __global__ void addChanges64(const double* X, int d, const int* start, const int* total, const int* changes, double* sum, double* rest) {
  addChanges(X, d, start, total, changes, sum, rest);
}
