/* Where the analysis gives up. A bound that needs more is left out, or the coarser form of it stands; so each limit decides what a report
 * says, and the verification that derives it again has to stop at the same place.
 *
 * Requires: nothing.
 * Provides: the limits that response, interference and slack share with verify.
 * Source:   what benches and campaigns needed; a limit changes the tightness of a bound, never whether it holds.
 * Fails:    never.
 */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#define LIMIT_HORIZON_PERIODS 1000 /* a fixed point is looked for up to so many of the longest periods */
#define LIMIT_ITERATIONS 100000    /* of one fixed point */
#define LIMIT_WHOLE_RUNS 16 /* operations of a chain up to which every run is tried; beyond, runs of powers of two, and from the start */
#define LIMIT_ALIGNED 16    /* operations of a chain up to which their order counts */
#define LIMIT_SIBLINGS_ORDERED 1024 /* operations of a segment on several streams up to which their order is asked */
#define LIMIT_CANDIDATES 4096       /* arrivals at which a busy window of one level or copy engine may begin */
#define LIMIT_LEVEL_CANDIDATES 64   /* the same where higher levels come between: a fixed point for each */
#define LIMIT_JOB_CANDIDATES 256    /* jobs of a stream's busy interval that are looked at in one window */
#define LIMIT_LEVEL_CLASSES 64      /* operations of a context up to which that is tried */
#define LIMIT_FP_CANDIDATES 65536   /* jobs of a busy interval of FP */
#define LIMIT_FP_EQUALS 65536       /* the same, of all of a level, times the kernels that count */
#define LIMIT_FP_ROUNDS 16          /* until the response with which a job's place is found is the one found */
#define LIMIT_COVER_CLASSES 256     /* operations of a context up to which COV is tried */
#define LIMIT_TT_JOBS 20000         /* operations of TT that are laid out */
#define LIMIT_TT_STATES 2000        /* of TT after equally many events */
#define LIMIT_TT_TOTAL 300000       /* states of TT in all */
#define LIMIT_TT_SLOTS 64           /* of TT up to which blocks are followed one by one */
#define LIMIT_TT_PIECES 4096        /* blocks of one kernel up to which TT follows them */
#define LIMIT_KERNELS_BESIDE 24     /* foreign kernels among which the most blocks beside one are looked for */
#define LIMIT_SEGMENTS_APART 512    /* segments up to which a serial bound tells those of a task apart */
#define LIMIT_SLACK_GROWTH 99000    /* thousandths by which WCETs may grow in the search for slack: a hundredfold */
#define LIMIT_ROUND 4096            /* entries of a round of the runlist with interleave levels */
#define LIMIT_SLACK_PERIODS 1000    /* a period grows to so many of itself at most there */

#endif
