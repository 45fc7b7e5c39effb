//go:build !purego

#include "textflag.h"

// func carriesv(x *float64, mask uint64, one uint64, n int) uint64
// Requires: AVX2
TEXT ·carriesv(SB), NOSPLIT, $0-40
	MOVQ         x+0(FP), AX
	MOVQ         n+24(FP), CX
	LEAQ         (AX)(CX*8), CX
	VBROADCASTSD mask+8(FP), Y0
	VBROADCASTSD one+16(FP), Y1
	VPXOR        Y2, Y2, Y2
	VPXOR        Y3, Y3, Y3
	VPXOR        Y4, Y4, Y4
	VPXOR        Y5, Y5, Y5

sixteen:
	VPAND  (AX), Y0, Y6
	VPAND  32(AX), Y0, Y7
	VPAND  64(AX), Y0, Y8
	VPAND  96(AX), Y0, Y9
	VPADDQ Y6, Y1, Y6
	VPADDQ Y7, Y1, Y7
	VPADDQ Y8, Y1, Y8
	VPADDQ Y9, Y1, Y9
	VPOR   Y6, Y2, Y2
	VPOR   Y7, Y3, Y3
	VPOR   Y8, Y4, Y4
	VPOR   Y9, Y5, Y5
	ADDQ   $128, AX
	CMPQ   AX, CX
	JCS    sixteen

	VPOR         Y4, Y2, Y2
	VPOR         Y5, Y3, Y3
	VPOR         Y3, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	VPOR         X3, X2, X2
	VPUNPCKHQDQ  X2, X2, X3
	VPOR         X3, X2, X2
	VMOVQ        X2, AX
	VZEROUPPER
	MOVQ         AX, ret+32(FP)
	RET
