/* SPDX-License-Identifier: MIT
 *
 * base/cpu.h - what the host's processor has, for code that is built for several instruction sets.
 *
 * glibc has asked before main(); the compiler's __builtin_cpu_supports() brings a constructor along that asks
 * once more in every program, and a hypervisor answers slowly.
 */
#ifndef CO_BASE_CPU_H
#define CO_BASE_CPU_H

#if defined(__x86_64__) || defined(__amd64__)
#include <features.h>
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
/* CPU_FEATURE_ACTIVE(), which shifts a signed 1 into the sign bit. */
static inline _Bool co_cpu_has(unsigned feature)
{
    return __x86_get_cpuid_feature_leaf(feature / 128)->active_array[feature % 128 / 32] >> feature % 32 & 1;
}
#define CO_CPU_HAS(name, glibc_name) co_cpu_has(x86_cpu_##glibc_name)
#endif
#endif
#ifndef CO_CPU_HAS
#define CO_CPU_HAS(name, glibc_name) (__builtin_cpu_init(), __builtin_cpu_supports(name))
#endif
/* What the Makefile's lane_flags_avx2 and lane_flags_avx512 take for granted. */
#define CO_CPU_HAS_AVX2 \
    (CO_CPU_HAS("avx2", AVX2) && CO_CPU_HAS("fma", FMA) && CO_CPU_HAS("f16c", F16C) && CO_CPU_HAS("bmi", BMI1) && CO_CPU_HAS("bmi2", BMI2))
#define CO_CPU_HAS_AVX512 \
    (CO_CPU_HAS_AVX2 && CO_CPU_HAS("avx512f", AVX512F) && CO_CPU_HAS("avx512bw", AVX512BW) && CO_CPU_HAS("avx512dq", AVX512DQ) && \
     CO_CPU_HAS("avx512vl", AVX512VL))
#else
#define CO_CPU_HAS_AVX2 0
#define CO_CPU_HAS_AVX512 0
#endif

#endif
