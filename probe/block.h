// What a block reads of itself: the GPU's clock, in ns, and the SM that it is on.
#ifndef PROBE_BLOCK_H
#define PROBE_BLOCK_H

typedef unsigned long long u64;

static __device__ __forceinline__ u64 timer()
{
	u64 t;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
	return t;
}

static __device__ __forceinline__ unsigned this_sm()
{
	unsigned sm;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	return sm;
}

#endif
