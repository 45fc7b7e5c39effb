// Scores on GPUs of compute capability 9.0, whose tensor cores read shared memory by themselves and are fed
// by copies that need no threads.
#include "common.h"

#define F4(a, i) "+f"(a[i]), "+f"(a[i + 1]), "+f"(a[i + 2]), "+f"(a[i + 3])
#define F16(a, i) F4(a, i), F4(a, i + 4), F4(a, i + 8), F4(a, i + 12)
#define F64(a) F16(a, 0), F16(a, 16), F16(a, 32), F16(a, 48)

// multiply64 adds the products of 64 rows with 128 columns, 16 features; add 0 clears the sums first.
__device__ __forceinline__ void multiply64(float (&c)[64], u64 rows, u64 columns, int add) {
  asm volatile(
      "{.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
      "}, %64, %65, p, 1, 1, 0, 0;}\n"
      : F64(c) : "l"(rows), "l"(columns), "r"(add));
}

// multiply128 does so with 256 columns.
__device__ __forceinline__ void multiply128(float (&c)[2][64], u64 rows, u64 columns, int add) {
  asm volatile(
      "{.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,"
      "%122,%123,%124,%125,%126,%127"
      "}, %128, %129, p, 1, 1, 0, 0;}\n"
      : F64(c[0]), F64(c[1]) : "l"(rows), "l"(columns), "r"(add));
}

__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int LEFT>
__device__ __forceinline__ void finish() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory"); }

// hold keeps what reads or writes sums on its side of a finish or a start.
__device__ __forceinline__ void hold(float (&c)[64]) { asm volatile("" : F64(c)::"memory"); }

// tile128 describes rows of 128 bytes in the order of images, which is one that tensor cores read.
__device__ __forceinline__ u64 tile128(u32 at) { return (u64)((at & 0x3FFFF) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62; }

// ---- barriers in shared memory ----

__device__ __forceinline__ void barrier(u64* b, u32 arrivals) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(b)), "r"(arrivals)); }
__device__ __forceinline__ void expect(u64* b, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(b)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void await(u64* b, u32 phase) {
  u32 done;
  do {
    asm volatile("{.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;}\n"
                 : "=r"(done) : "r"(shared(b)), "r"(phase) : "memory");
  } while (!done);
}
__device__ __forceinline__ void arrive(u64* b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(b)) : "memory"); }
// arriveIn does so in block rank of the cluster.
__device__ __forceinline__ void arriveIn(u64* b, u32 rank) {
  asm volatile("{.reg .u32 r;\nmapa.shared::cluster.u32 r, %0, %1;\nmbarrier.arrive.shared::cluster.b64 _, [r];}\n" ::"r"(shared(b)), "r"(rank) : "memory");
}
__device__ __forceinline__ void meet() { asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); }

__device__ __forceinline__ void copy(u32 to, const u8* from, u32 bytes, u64* b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from), "r"(bytes), "r"(shared(b)) : "memory");
}
// copyBoth copies to both blocks of the cluster.
__device__ __forceinline__ void copyBoth(u32 to, const u8* from, u32 bytes, u64* b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(to), "l"(from), "r"(bytes),
               "r"(shared(b)), "h"((unsigned short)3)
               : "memory");
}

// A ring of stages; a thread waits for the next and goes on.
template <int N>
struct Ring {
  u32 at, phase;
  __device__ __forceinline__ void next() {
    if (++at == N) at = 0, phase ^= 1;
  }
};

#define HALF (128 * CHUNK * 2) // bytes of a chunk of 128 rows or centres

// Barriers of stages: full when their bytes are there, empty when all warps have read them.
template <int STAGES>
__device__ __forceinline__ void init(u64* full, u64* empty, int warps) {
  for (int i = 0; i < STAGES; i++) barrier(full + i, 1), barrier(empty + i, warps);
  asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

// sumChunks adds the products of a tile's chunks, which come through a ring of stages, and gives each stage back
// when the tensor cores have read it.
template <int N, class Multiply, class Release>
__device__ __forceinline__ void sumChunks(int chunks, u64* full, Ring<N>& ring, Multiply multiply, Release release) {
  for (int c = 0; c < chunks; c++) {
    await(full + ring.at, ring.phase);
    fence();
    multiply(c);
    commit();
    ring.next();
    if (c) {
      finish<1>();
      release();
    }
  }
  finish<0>();
  release();
}

// Rows of one or two chunks stay in shared memory. A block has a tile of them; each of four groups of warps scores
// 64 against 128 centres at a time, and while the tensor cores work for some groups the others look at their scores.
// A thread of a fifth group orders copies. Registers, 96 a thread at the start, are divided anew.
#define STAGES 5
template <int KIND>
__device__ __forceinline__ void scoreKept(const Search& s) {
  extern __shared__ __align__(1024) u8 memory[];
  __shared__ __align__(8) u64 full[STAGES], empty[STAGES], rowsFull[2], rowsEmpty[2];
  const u32 tileBytes = s.chunks * 2 * HALF, rows0 = (shared(memory) + 1023) & ~1023u, stage0 = rows0 + 2 * tileBytes;
  const int tid = threadIdx.x, g = tid >> 7, lane = tid & 31;
  const u64 tiles = (s.n + ROWS - 1) / ROWS;
  if (tid == 0) init<STAGES>(full, empty, 16), init<2>(rowsFull, rowsEmpty, 16);
  __syncthreads();
  Ring<STAGES> ring = {0, 0};
  Ring<2> kept = {0, 0};
  if (g == 4) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 32;");
    if (tid & 127) return;
    for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      await(rowsEmpty + kept.at, kept.phase ^ 1);
      expect(rowsFull + kept.at, tileBytes);
      for (int c = 0; c < s.chunks; c++)
        copy(rows0 + kept.at * tileBytes + c * 2 * HALF, s.rows + (tile * s.chunks + c) * 2 * HALF, 2 * HALF, rowsFull + kept.at);
      kept.next();
      for (int i = 0; i < s.tiles * s.chunks; i++) {
        await(empty + ring.at, ring.phase ^ 1);
        expect(full + ring.at, HALF);
        copy(stage0 + ring.at * HALF, s.centres + (u64)i * HALF, HALF, full + ring.at);
        ring.next();
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 112;");
  const int inTile = g * 64 + ((tid >> 5) & 3) * 16 + (lane >> 2);
  Ring<STAGES> done = {0, 0};
  auto release = [&]() {
    if (lane == 0) arrive(empty + done.at);
    done.next();
  };
  float sum[64];
  Watch<KIND> watch;
  for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const u64 row = tile * ROWS + inTile;
    watch.start(s, row);
    await(rowsFull + kept.at, kept.phase);
    for (int t = 0; t < s.tiles; t++) {
      auto multiply = [&](int c) {
        u64 a = tile128(rows0 + kept.at * tileBytes + c * 2 * HALF + g * (HALF / 2)), b = tile128(stage0 + ring.at * HALF);
#pragma unroll
        for (int f = 0; f < CHUNK / 16; f++) multiply64(sum, a + f * 2, b + f * 2, c | f);
      };
      sumChunks(s.chunks, full, ring, multiply, release);
      if (t + 1 == s.tiles && lane == 0) arrive(rowsEmpty + kept.at);
      __syncwarp();
      hold(sum);
      watch.tile(s, sum, t, row);
    }
    kept.next();
    watch.end(s, row);
  }
}

// Longer rows are read again for every 256 centres. Two blocks share the copies of centres; each has half of a tile
// of rows, of which two groups of four warps score 64 each, while a thread of a third orders copies.
#define DEEP 4
template <int KIND>
__device__ __forceinline__ void scoreRead(const Search& s) {
  extern __shared__ __align__(1024) u8 memory[];
  __shared__ __align__(8) u64 full[DEEP], empty[DEEP];
  const u32 stage0 = (shared(memory) + 1023) & ~1023u, rank = blockIdx.x & 1;
  const int tid = threadIdx.x, g = tid >> 7, lane = tid & 31;
  const u64 halves = (s.n + ROWS - 1) / ROWS * 2;
  if (tid == 0) init<DEEP>(full, empty, 16);
  meet();
  Ring<DEEP> ring = {0, 0};
  if (g == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if ((tid & 127) == 0)
      for (u64 half = blockIdx.x; half < halves; half += gridDim.x)
        for (int t = 0; t < s.tiles; t += 2)
          for (int c = 0; c < s.chunks; c++) {
            await(empty + ring.at, ring.phase ^ 1);
            expect(full + ring.at, 3 * HALF);
            const u32 to = stage0 + ring.at * 3 * HALF;
            copy(to, s.rows + ((half / 2 * s.chunks + c) * 2 + rank) * HALF, HALF, full + ring.at);
            for (int i = 0; i < 2; i++)
              copyBoth(to + (1 + i) * HALF + rank * (HALF / 2), s.centres + ((u64)(t + i) * s.chunks + c) * HALF + rank * (HALF / 2), HALF / 2, full + ring.at);
            ring.next();
          }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int inHalf = g * 64 + ((tid >> 5) & 3) * 16 + (lane >> 2);
    Ring<DEEP> done = {0, 0};
    auto release = [&]() {
      if (lane < 2) arriveIn(empty + done.at, lane);
      done.next();
    };
    float sum[2][64];
    Watch<KIND> watch;
    for (u64 half = blockIdx.x; half < halves; half += gridDim.x) {
      const u64 row = half * 128 + inHalf;
      watch.start(s, row);
      for (int t = 0; t < s.tiles; t += 2) {
        auto multiply = [&](int c) {
          const u32 at = stage0 + ring.at * 3 * HALF;
          u64 a = tile128(at + g * (HALF / 2)), b = tile128(at + HALF);
#pragma unroll
          for (int f = 0; f < CHUNK / 16; f++) multiply128(sum, a + f * 2, b + f * 2, c | f);
        };
        sumChunks(s.chunks, full, ring, multiply, release);
        __syncwarp();
        hold(sum[0]), hold(sum[1]);
        watch.tile(s, sum[0], t, row);
        watch.tile(s, sum[1], t + 1, row);
      }
      watch.end(s, row);
    }
  }
  meet(); // the other block may still send here
}
#define SCORE(name, kind)                                                                                                              \
  extern "C" __global__ void __launch_bounds__(640, 1) name##Kept90(const __grid_constant__ Search s) { scoreKept<kind>(s); }          \
  extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(384, 1) name##Read90(const __grid_constant__ Search s) { scoreRead<kind>(s); }
SCORE(score, LABEL)
SCORE(group, GROUP)
SCORE(list, LIST)
