/* GMP, loaded when the first of its functions is called, which few analyses do. Its memory is ours: left to itself GMP would abort where
 * memory runs out.
 *
 * Requires: nothing; call bignum_use_memory before the first number of GMP.
 * Provides: those of GMP's functions that are named below, and every allocation of GMP through base/memory.
 * Fails:    as base/late.h says.
 */
#ifndef BASE_BIGNUM_H
#define BASE_BIGNUM_H

#include "base/late.h"

#include <gmp.h>

#define __gmp_version (*LATE(GMP, __gmp_version))
#define __gmp_get_memory_functions LATE(GMP, __gmp_get_memory_functions)
#define __gmp_set_memory_functions LATE(GMP, __gmp_set_memory_functions)
#define __gmpq_add LATE(GMP, __gmpq_add)
#define __gmpq_canonicalize LATE(GMP, __gmpq_canonicalize)
#define __gmpq_clear LATE(GMP, __gmpq_clear)
#define __gmpq_clears LATE(GMP, __gmpq_clears)
#define __gmpq_cmp LATE(GMP, __gmpq_cmp)
#define __gmpq_cmp_ui LATE(GMP, __gmpq_cmp_ui)
#define __gmpq_init LATE(GMP, __gmpq_init)
#define __gmpq_inits LATE(GMP, __gmpq_inits)
#define __gmpq_mul LATE(GMP, __gmpq_mul)
#define __gmpq_set LATE(GMP, __gmpq_set)
#define __gmpz_add LATE(GMP, __gmpz_add)
#define __gmpz_addmul LATE(GMP, __gmpz_addmul)
#define __gmpz_cdiv_q LATE(GMP, __gmpz_cdiv_q)
#define __gmpz_clear LATE(GMP, __gmpz_clear)
#define __gmpz_clears LATE(GMP, __gmpz_clears)
#define __gmpz_cmp LATE(GMP, __gmpz_cmp)
#define __gmpz_export LATE(GMP, __gmpz_export)
#define __gmpz_fdiv_q LATE(GMP, __gmpz_fdiv_q)
#define __gmpz_fits_slong_p LATE(GMP, __gmpz_fits_slong_p)
#define __gmpz_get_si LATE(GMP, __gmpz_get_si)
#define __gmpz_import LATE(GMP, __gmpz_import)
#define __gmpz_init LATE(GMP, __gmpz_init)
#define __gmpz_inits LATE(GMP, __gmpz_inits)
#define __gmpz_mul LATE(GMP, __gmpz_mul)
#define __gmpz_mul_ui LATE(GMP, __gmpz_mul_ui)
#define __gmpz_neg LATE(GMP, __gmpz_neg)
#define __gmpz_sizeinbase LATE(GMP, __gmpz_sizeinbase)
#define __gmpz_sub LATE(GMP, __gmpz_sub)

void bignum_use_memory(void);

#endif
