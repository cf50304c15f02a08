/* GMP's memory is ours: left to itself GMP would abort where memory runs out.
 *
 * Requires: nothing; call it before the first number of GMP.
 * Provides: every allocation of GMP through base/memory.
 * Fails:    never.
 */
#ifndef BASE_BIGNUM_H
#define BASE_BIGNUM_H

void bignum_use_memory(void);

#endif
