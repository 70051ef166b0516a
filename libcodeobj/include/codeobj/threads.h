/* SPDX-License-Identifier: MIT
 *
 * codeobj/threads.h - work on several threads at once.
 */
#ifndef CODEOBJ_THREADS_H
#define CODEOBJ_THREADS_H

#include <codeobj/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CODEOBJ_THREADS_MAX 256u

/* How many threads can run at once: the processors this thread may use; 1 to CODEOBJ_THREADS_MAX. */
CODEOBJ_API unsigned codeobj_thread_count(void);

/* Calls work(context, i) for each i below count (at most CODEOBJ_THREADS_MAX), all at once: 0 on the caller's thread, the
 * others on threads that end with it; returns when all have.  The call of a thread that cannot be started is left out,
 * so the calls have to share what there is to do. */
typedef void codeobj_thread_work(void *context, unsigned i);
CODEOBJ_API void codeobj_on_threads(unsigned count, codeobj_thread_work *work, void *context);

#ifdef __cplusplus
}
#endif
#endif
