// Nearest centres of rows, proven.
//
// Every row gets the centre h with the least Dist2(x, c_h), the lowest h on ties, where
// Dist2 is that of package simd: feature f is squared and added, unfused, to partial sum
// f mod 8, and the partial sums are added four apart, two apart, one apart. The kernels
// find it in two steps. Tensor cores score all centres in half precision, and a bound on
// what that may be wrong by proves most labels. For the rest the same scores list the
// centres that are still possible, and Dist2 itself decides among them.
//
// The bound. With an offset o and a scale s, a power of two, let y = s (x - o) and
// e_h = s (c_h - o) in real numbers, so that s^2 |x - c_h|^2 = |y|^2 + S_h with
// S_h = |e_h|^2 - 2 y.e_h. Let z and g_h be y and e_h rounded to half precision. The score
// is v_h = K + |e_h|^2 - 2 z.g_h as computed, where K = 2 |z| G, G = max |g_h|, keeps it
// from being negative, so that scores can be compared as integers.
//
//  1. |y.e - z.g| <= |y - z| |e| + |z| |e - g|. The norms of the differences are measured,
//     not estimated, so underflow is covered.
//  2. One multiplication of tensor cores adds 16 products to a sum. Each of the 17 terms
//     may lose 2^-23 of the largest, and so may the result: 18 * 2^-23 of at most
//     K + 2 |z| G = 2K in each of the d/16 steps.
//  3. |e_h|^2 is rounded to single precision, and so is its sum with the products:
//     2 * 2^-24 (2K + N), N = max |e_h|^2.
//  4. The five lowest bits of a score hold a column: 2^-18 (2K + N).
//
// With t the sum of 2 * (1), (2), (3), (4), |v_h - K - S_h| <= t. Dist2 errs by at most
// (d + 16) 2^-53 of itself (see simd/errorbound.go), so where v_b - v_a exceeds
// 2 t + 4 (d + 16) 2^-53 (|e| + |y|)^2 for every b but a, Dist2 puts a first. The code takes
// 1.01 times that. Rows that leave the range of half precision have an infinite norm, so
// that nothing is proven about them and Dist2 to all centres decides.
typedef unsigned short half; // bits of half precision
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;

#define ROWS 256   // of a tile
#define COLUMNS 128
#define CHUNK 64   // features in a stage
#define PIECES 8   // of 16 bytes in a chunk of a row
#define SLOTS 32   // candidates that are listed of a row

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

// One warp a row: its image, |z| and |y - z|.
template <typename T>
__device__ __forceinline__ void roundRow(const T* X, u64 n, u64 first, int d, int chunks, const double* offset, double scale,
                                         half* image, float2* norms) {
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
    image[place<ROWS>(first + r, f, chunks)] = h;
  }
  z2 = warpSum(z2);
  rest2 = warpSum(rest2);
  // y is itself rounded twice, by 2^-53 each
  if (!lane) norms[first + r] = make_float2(roundUp(sqrt(z2)), roundUp(sqrt(rest2) + 0x1p-51 * sqrt(z2)));
}
extern "C" __global__ void roundRows32(const float* X, u64 n, u64 first, int d, int chunks, const double* offset, double scale,
                                       half* image, float2* norms) {
  roundRow(X, n, first, d, chunks, offset, scale, image, norms);
}
extern "C" __global__ void roundRows64(const double* X, u64 n, u64 first, int d, int chunks, const double* offset, double scale,
                                       half* image, float2* norms) {
  roundRow(X, n, first, d, chunks, offset, scale, image, norms);
}

// What is known of all centres: the largest |e|, |e - g| and |g|, as the bits of floats
// that are not negative.
struct Largest {
  int e, rest, g;
};

// One block of 128 threads a centre, beyond k an empty one that is never nearest. The
// image has -2g, which is as exact as g.
extern "C" __global__ void roundCentres(const double* C, int k, int d, int chunks, const double* offset, double scale,
                                        half* image, float* norm, Largest* largest) {
  __shared__ double part[3][4];
  int h = blockIdx.x, w = threadIdx.x >> 5;
  double e2 = 0, rest2 = 0, g2 = 0;
  for (int f = threadIdx.x; f < chunks * CHUNK; f += 128) {
    double e = (h < k && f < d) ? (C[(u64)h * d + f] - offset[f]) * scale : 0;
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
  atomicMax(&largest->e, __float_as_int(roundUp(sqrt(e2))));
  atomicMax(&largest->rest, __float_as_int(roundUp(sqrt(rest2) + 0x1p-51 * sqrt(e2))));
  atomicMax(&largest->g, __float_as_int(roundUp(sqrt(g2))));
}

// lift K and the difference from which a label is proven, of every row.
// Nothing is provable where distances leave the range of double precision.
extern "C" __global__ void margins(const float2* norms, u64 n, int d, int chunks, const Largest* largest, int provable, float2* lift) {
  u64 r = blockIdx.x * (u64)blockDim.x + threadIdx.x;
  if (r >= n) return;
  double e = __int_as_float(largest->e), rest = __int_as_float(largest->rest), g = __int_as_float(largest->g);
  double z = norms[r].x, off = norms[r].y;
  double K = 1.0001 * 2 * z * g + 1e-30, top = 2.001 * K + e * e;
  double t = 2 * (off * e + z * rest) + 18 * 0x1p-23 * (chunks * (CHUNK / 16)) * top + (0x1p-23 + 0x1p-18) * top;
  double y = z + off + e;
  double need = 1.01 * (2 * t + 4 * (d + 16) * 0x1p-53 * y * y) + 1e-30;
  bool fits = provable && z < 1e15 && e < 1e15 && top < 1e36;
  lift[r] = fits ? make_float2((float)K, __double2float_ru(need)) : make_float2(0.f, INFINITY);
}

// ---- scores ----

struct Search {
  const u8* rows;         // image
  const u8* centres;      // image
  const float* norm;      // |e_h|^2
  const float2* lift;     // of rows
  u64 n;                  // rows to score
  int tiles, chunks;      // of centres; of features
  int* label;             // of every row
  u32* open;              // how many labels are not proven
  int* openRow;           // which rows these are
  float* openLimit;       // scores of what is still possible are at most this
  int* slots;             // SLOTS candidates of every open row
  u32* found;             // how many candidates an open row has
  u32 first, pad;         // the first open row of this call
};

__device__ __forceinline__ u32 shared(const void* p) { return (u32)__cvta_generic_to_shared(p); }

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
// STAGES chunks are on their way at a time; small GPUs have room for two.
// LIST: rows are those of openRow, and candidates are listed instead of labels.
template <bool KEPT, bool LIST, int STAGES>
__device__ __forceinline__ void score(const Search& s) {
  extern __shared__ __align__(128) u8 memory[];
  const int rowBytes = CHUNK * 2, rowTile = ROWS * rowBytes, centreTile = COLUMNS * rowBytes;
  u8* rowsAt = memory;
  u8* centresAt = memory + (KEPT ? s.chunks : STAGES) * rowTile;
  int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31, steps = s.tiles * s.chunks;
  u64 tile = blockIdx.x;

  auto loadRows = [&](u8* to, int chunk) {
    if (!LIST) {
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
  u64 row[4];
  float lift[4], limit[4];
  int best[4], second[4], bestTile[4];
#pragma unroll
  for (int q = 0; q < 4; q++) {
    row[q] = tile * ROWS + warp * 32 + (q >> 1) * 16 + (q & 1) * 8 + (lane >> 2);
    bool in = row[q] < s.n;
    u64 r = !in ? 0 : LIST ? (u64)s.openRow[s.first + row[q]] : row[q];
    lift[q] = in ? s.lift[r].x : 0.f;
    limit[q] = LIST && in ? s.openLimit[s.first + row[q]] : -1.f;
    best[q] = second[q] = 0x7FFFFFFF;
    bestTile[q] = 0;
  }
  float sum[2][64];
  int step = 0;
  for (int t = 0; t < s.tiles; t++) {
#pragma unroll
    for (int i = 0; i < 64; i++)
#pragma unroll
      for (int h = 0; h < 2; h++) sum[h][i] = lift[h * 2 + ((i >> 1) & 1)];
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
    const float2* norm = (const float2*)(s.norm + t * COLUMNS) + (lane & 3);
    if (!LIST) {
      int before[4];
#pragma unroll
      for (int q = 0; q < 4; q++) before[q] = best[q];
#pragma unroll
      for (int i = 0; i < 16; i++) {
        float2 e2 = __ldg(norm + i * 4);
#pragma unroll
        for (int q = 0; q < 4; q++)
#pragma unroll
          for (int j = 0; j < 2; j++) {
            int v = (__float_as_int(sum[q >> 1][i * 4 + (q & 1) * 2 + j] + (j ? e2.y : e2.x)) & ~31) | (i * 2 + j);
            second[q] = min(second[q], max(best[q], v));
            best[q] = min(best[q], v);
          }
      }
#pragma unroll
      for (int q = 0; q < 4; q++)
        if (best[q] != before[q]) bestTile[q] = t;
    } else {
#pragma unroll
      for (int i = 0; i < 16; i++) {
        float2 e2 = __ldg(norm + i * 4);
#pragma unroll
        for (int q = 0; q < 4; q++)
#pragma unroll
          for (int j = 0; j < 2; j++)
            if (sum[q >> 1][i * 4 + (q & 1) * 2 + j] + (j ? e2.y : e2.x) <= limit[q]) {
              u32 p = atomicAdd(s.found + row[q], 1u);
              if (p < SLOTS) s.slots[row[q] * SLOTS + p] = t * COLUMNS + i * 8 + (lane & 3) * 2 + j;
            }
      }
    }
  }
  if (LIST) return;
  int least = 0, next = 0, column = 0;
  u64 mine = 0;
#pragma unroll
  for (int q = 0; q < 4; q++) {
    int i = best[q] & 31, col = bestTile[q] * COLUMNS + (i >> 1) * 8 + (lane & 3) * 2 + (i & 1);
#pragma unroll
    for (int o = 1; o <= 2; o <<= 1) {
      int b = __shfl_xor_sync(~0u, best[q], o), n = __shfl_xor_sync(~0u, second[q], o), c = __shfl_xor_sync(~0u, col, o);
      second[q] = min(min(second[q], n), max(best[q], b));
      if (b < best[q]) best[q] = b, col = c;
    }
    if ((lane & 3) == q) least = best[q], next = second[q], column = col, mine = row[q];
  }
  if (mine >= s.n) return;
  float low = __int_as_float(least & ~31), high = __int_as_float(next & ~31), need = s.lift[mine].y;
  s.label[mine] = column;
  if (!(high - low > need)) {
    u32 p = atomicAdd(s.open, 1u);
    s.openRow[p] = (int)mine;
    s.openLimit[p] = __fadd_ru(low, need) * 1.000001f;
  }
}
#define SCORE(name, kept, list, stages) \
  extern "C" __global__ void __launch_bounds__(256, 1) name(const __grid_constant__ Search s) { score<kept, list, stages>(s); }
SCORE(scoreKept, true, false, 3)
SCORE(scoreRead, false, false, 3)
SCORE(scoreReadSmall, false, false, 2)
SCORE(listKept, true, true, 3)
SCORE(listRead, false, true, 3)
SCORE(listReadSmall, false, true, 2)

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
  bool all = found == 0 || found > SLOTS;
  int num = all ? k : (int)found, label = 0x7FFFFFFF;
  double best = __longlong_as_double(0x7FF0000000000000ll);
  for (int i = group; i < num; i += 4) {
    int h = all ? i : s.slots[p * SLOTS + i];
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
