// Nearest centres and neighbours of rows, proven: what the kernels of all GPUs share.
//
// Every row gets the centre h with the least Dist2(x, c_h), the lowest h on ties, where
// Dist2 is that of package simd: feature f is squared and added, unfused, to partial sum
// f mod 8, and the partial sums are added four apart, two apart, one apart. The kernels
// find it in two steps. Tensor cores score all centres in half precision, and a bound on
// what that may be wrong by proves most labels. For the rest the same scores list the
// centres that are still possible, and Dist2 itself decides among them. Neighbours are
// found alike: scores say below which limit the nearest rows must be, list what is below
// it, and distances in double precision put that in order.
//
// The bound. With an offset o and a scale s, a power of two, let y = s (x - o) and
// e_h = s (c_h - o) in real numbers, so that s^2 |x - c_h|^2 = |y|^2 + S_h with
// S_h = |e_h|^2 - 2 y.e_h. Let z and g_h be y and e_h rounded to half precision, and G and N
// at least every |g_h| and |e_h|^2. The score is v_h = |e_h|^2 - 2 z.g_h as computed.
//
//  1. |y.e - z.g| <= |y - z| |e| + |z| |e - g|. The norms of the differences are measured,
//     not estimated, so underflow is covered.
//  2. One multiplication of tensor cores adds 16 products to a sum. Each of the 17 terms
//     may lose 2^-23 of the largest, and so may the result: 18 * 2^-23 of at most
//     2 |z| G in each of the d/16 steps.
//  3. Scores are whole multiples of a unit Q. The norm is added as |e_h|^2 + 1.5 * 2^23 Q,
//     rounded once, and the sum is rounded once, both between 2^23 Q and 2^24 Q, where
//     single precision is spaced by Q: Q together, while |v_h| <= 2^20 Q. Where a norm is
//     added in single precision without that, both roundings cost 2^-24 of less than that.
//
// With t the sum of 2 * (1), (2), (3), |v_h - S_h| <= t. Dist2 errs by at most
// (d + 16) 2^-53 of itself (see simd/errorbound.go), so where v_b - v_a exceeds
// 2 t + 4 (d + 16) 2^-53 (|e| + |y|)^2 for every b but a, Dist2 puts a first. The code takes
// 1.01 times that. Distances that add up one feature after the other err by at most
// (d + 2) 2^-53 of themselves, so the same holds for neighbours. Rows that leave the range
// of half precision have an infinite norm, so that nothing is proven about them and Dist2 to
// all centres decides.
typedef unsigned short half; // bits of half precision
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;

#define ROWS 256   // of a tile
#define COLUMNS 128
#define CHUNK 64   // features in a stage
#define PIECES 8   // of 16 bytes in a chunk of a row
#define GROUPS 64  // of columns, of which neighbours take the least score
#define FARTHEST 64 // a row farther than so many times the farthest centre is not proven

// What is known of all centres: the largest |e|, |e - g| and |g|, as the bits of floats
// that are not negative.
struct Largest {
  int e, rest, g;
  float unit; // Q
};

struct Search {
  const u8* rows;         // image
  const u8* centres;      // image
  const float* norm;      // |e_h|^2
  const float* lifted;    // |e_h|^2 + 1.5 * 2^23 Q
  const float2* norms;    // of rows: |z| and |y - z|
  const Largest* largest; // of centres
  u64 n;                  // rows to score
  int tiles, chunks, d;   // of centres; of features
  int spread;             // 32, unknown to the compiler, which then multiplies in a unit that is idle
  int provable;           // 0: distances leave the range of double precision
  u32 first;              // the first open row of this call
  int* label;             // of every row
  u32* open;              // how many labels are not proven
  int* openRow;           // which rows these are
  float* openLimit;       // scores of what is still possible are at most this
  int* slots;             // candidates of every open row
  u32* found;             // how many candidates an open row has
  u32 room;               // for so many candidates of a row
  u32 pad;
  float* minima;          // GROUPS least scores of every row
};

__device__ __forceinline__ u32 shared(const void* p) { return (u32)__cvta_generic_to_shared(p); }

// need returns the difference from which the lower of two scores of row r is proven.
__device__ __forceinline__ float need(const Search& s, u64 r) {
  double e = __int_as_float(s.largest->e), rest = __int_as_float(s.largest->rest), g = __int_as_float(s.largest->g);
  double z = s.norms[r].x, off = s.norms[r].y, y = z + off + e, Q = s.largest->unit;
  double t = 2 * (off * e + z * rest) + 18 * 0x1p-23 * (s.chunks * (CHUNK / 16)) * (2 * z * g) + Q;
  double v = 1.01 * (2 * t + 4 * (s.d + 16) * 0x1p-53 * y * y) + 1e-30;
  bool fits = s.provable && z <= FARTHEST * e && e < 1e15;
  return fits ? __double2float_ru(v) : INFINITY;
}

// A Best is what a thread knows of one row: the two least scores that it has seen, in units of
// Q above five bits that say which of its columns of a tile has it, and the tile.
struct Best {
  int least, next, tile;
};

// look takes the scores of a tile: sum is without norms, for rows 8 apart, and of each row two columns in
// every eight.
__device__ __forceinline__ void look(const Search& s, const float (&sum)[64], int tile, Best& a, Best& b) {
  const float2* lifted = (const float2*)(s.lifted + tile * COLUMNS) + (threadIdx.x & 3);
  const int spread = s.spread;
  int least[2] = {a.least, b.least}, next[2] = {a.next, b.next};
#pragma unroll
  for (int i = 0; i < 16; i++) {
    float2 e2 = __ldg(lifted + i * 4);
#pragma unroll
    for (int q = 0; q < 2; q++) {
      int v = __float_as_int(__fadd_rn(sum[i * 4 + q * 2], e2.x)) * spread + i * 2;
      int w = __float_as_int(__fadd_rn(sum[i * 4 + q * 2 + 1], e2.y)) * spread + (i * 2 + 1);
      int low = min(v, w);
      next[q] = __vimin3_s32(next[q], max(v, w), max(least[q], low));
      least[q] = min(least[q], low);
    }
  }
  if (least[0] != a.least) a.tile = tile;
  if (least[1] != b.least) b.tile = tile;
  a.least = least[0], a.next = next[0];
  b.least = least[1], b.next = next[1];
}

// settle writes the label of row r, and that it is open where the next score is not above it by a margin. Four threads have a
// quarter of the columns each.
__device__ __forceinline__ void settle(const Search& s, Best best, u64 r, float margin) {
  int i = best.least & 31, column = best.tile * COLUMNS + (i >> 1) * 8 + (threadIdx.x & 3) * 2 + (i & 1);
#pragma unroll
  for (int o = 1; o <= 2; o <<= 1) {
    int b = __shfl_xor_sync(~0u, best.least, o), n = __shfl_xor_sync(~0u, best.next, o), c = __shfl_xor_sync(~0u, column, o);
    best.next = min(min(best.next, n), max(best.least, b));
    if (b < best.least) best.least = b, column = c;
  }
  if ((threadIdx.x & 3) || r >= s.n) return;
  s.label[r] = column;
  float Q = s.largest->unit;
  if (!((float)((best.next >> 5) - (best.least >> 5)) * Q > margin)) {
    u32 p = atomicAdd(s.open, 1u);
    s.openRow[p] = (int)r;
    s.openLimit[p] = __fadd_ru((float)(((best.least >> 5) & 0x7FFFFF) - 0x400000) * Q, margin);
  }
}

// list writes which columns of a tile score at most limit to the candidates of row p, which has found so many before, and
// returns how many it has then. Four threads have a quarter of the columns each.
__device__ __forceinline__ int list(const Search& s, const float (&sum)[64], int tile, int q, float limit, u64 p, int found) {
  const float2* norm = (const float2*)(s.norm + tile * COLUMNS) + (threadIdx.x & 3);
  float least = INFINITY;
#pragma unroll
  for (int i = 0; i < 16; i++) {
    float2 e2 = __ldg(norm + i * 4);
    least = fminf(least, fminf(sum[i * 4 + q * 2] + e2.x, sum[i * 4 + q * 2 + 1] + e2.y));
  }
  u32 mine = 0; // a bit for each column
  if (p < s.n && !(least > limit))
#pragma unroll
    for (int i = 0; i < 16; i++) {
      float2 e2 = __ldg(norm + i * 4);
#pragma unroll
      for (int j = 0; j < 2; j++)
        if (!(sum[i * 4 + q * 2 + j] + (j ? e2.y : e2.x) > limit)) mine |= 1u << (i * 2 + j);
    }
  if (!__any_sync(~0u, mine)) return found;
  int count = __popc(mine), at = count;
  for (int o = 1; o <= 2; o <<= 1) {
    int y = __shfl_up_sync(~0u, at, o, 4);
    if ((threadIdx.x & 3) >= o) at += y;
  }
  int all = __shfl_sync(~0u, at, 3, 4);
  for (at += found - count; mine; mine &= mine - 1, at++)
    if (at < s.room) {
      int b = __ffs(mine) - 1;
      s.slots[p * s.room + at] = tile * COLUMNS + (b >> 1) * 8 + (threadIdx.x & 3) * 2 + (b & 1);
    }
  return found + all;
}

// group takes the least scores of a thread's pairs of columns.
__device__ __forceinline__ void group(const Search& s, const float (&sum)[64], int tile, float (&least)[2][16]) {
  const float2* norm = (const float2*)(s.norm + tile * COLUMNS) + (threadIdx.x & 3);
#pragma unroll
  for (int i = 0; i < 16; i++) {
    float2 e2 = __ldg(norm + i * 4);
#pragma unroll
    for (int q = 0; q < 2; q++) least[q][i] = fminf(least[q][i], fminf(sum[i * 4 + q * 2] + e2.x, sum[i * 4 + q * 2 + 1] + e2.y));
  }
}

// A Watch is what a warp keeps of rows 8 apart, of the kind that a kernel is for.
enum { LABEL, LIST, GROUP };
template <int KIND>
struct Watch {
  Best best[2];
  float margin[2], limit[2], least[2][16];
  int found[2];
  __device__ __forceinline__ void start(const Search& s, u64 row) {
    if (KIND == LABEL)
      for (int q = 0; q < 2; q++) {
        best[q] = Best{0x7FFFFFFF, 0x7FFFFFFF, 0};
        margin[q] = row + q * 8 < s.n ? need(s, row + q * 8) : 0;
      }
    if (KIND == LIST)
      for (int q = 0; q < 2; q++) found[q] = 0, limit[q] = row + q * 8 < s.n ? s.openLimit[s.first + row + q * 8] : -INFINITY;
    if (KIND == GROUP)
#pragma unroll
      for (int i = 0; i < 16; i++) least[0][i] = least[1][i] = INFINITY;
  }
  __device__ __forceinline__ void tile(const Search& s, const float (&sum)[64], int t, u64 row) {
    if (KIND == LABEL) look(s, sum, t, best[0], best[1]);
    if (KIND == GROUP) group(s, sum, t, least);
    if (KIND == LIST)
#pragma unroll
      for (int q = 0; q < 2; q++) found[q] = list(s, sum, t, q, limit[q], row + q * 8, found[q]);
  }
  __device__ __forceinline__ void end(const Search& s, u64 row) {
    for (int q = 0; q < 2; q++) {
      if (KIND == LABEL) settle(s, best[q], row + q * 8, margin[q]);
      if (KIND == LIST && !(threadIdx.x & 3) && row + q * 8 < s.n) s.found[row + q * 8] = found[q];
      if (KIND == GROUP && row + q * 8 < s.n)
#pragma unroll
        for (int i = 0; i < 16; i++) s.minima[(row + q * 8) * GROUPS + i * 4 + (threadIdx.x & 3)] = least[q][i];
    }
  }
};
