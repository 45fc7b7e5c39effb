// Scores on GPUs of compute capability 8.0 and later.
#include "common.h"

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
