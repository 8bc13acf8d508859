/* Keeps simulated time in step with real time. */
#include "runner.h"

#include <time.h>

static const int64_t SECOND = 1000000000;
/* The delay that a busy machine may still make up for. */
static const int64_t TOLERANCE = SECOND / 20;

int64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

void pace_begin(struct pace *pace)
{
	*pace = (struct pace){ .due = now(), .started = now() };
}

void pace_advance(struct pace *pace, int64_t nanoseconds)
{
	pace->simulated += nanoseconds;
	pace->due += nanoseconds;
	int64_t time = now();
	if (time < pace->due) {
		struct timespec due = { pace->due / SECOND, pace->due % SECOND };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	} else if (time - pace->due > TOLERANCE) {
		pace->due = time;
	}
}

void pace_resume(struct pace *pace)
{
	int64_t time = now();
	if (time <= pace->due) return;
	pace->started += time - pace->due;
	pace->due = time;
}
