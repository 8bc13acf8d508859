/* run PROGRAM [--uart PATH] [--pins]; see tools/arduino --help. */
#include "runner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

void say(const char *format, ...)
{
	va_list arguments;
	fputs("arduino: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

void say_event(const char *format, ...)
{
	struct timeval time;
	struct tm local;
	va_list arguments;
	gettimeofday(&time, NULL);
	localtime_r(&time.tv_sec, &local);
	fprintf(stderr, "%02d:%02d:%02d.%03d  ", local.tm_hour, local.tm_min, local.tm_sec, (int)(time.tv_usec / 1000));
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

static void catch_signals(void)
{
	/* Without SA_RESTART, so that a signal ends a wait. */
	struct sigaction action = { .sa_handler = stop };
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int main(int count, char **arguments)
{
	struct options options = { 0 };
	for (int i = 1; i < count; i++) {
		if (!strcmp(arguments[i], "--pins"))
			options.shows_pins = true;
		else if (!strcmp(arguments[i], "--uart") && i + 1 < count)
			options.uart = arguments[++i];
		else
			options.program = arguments[i];
	}
	if (!options.program) {
		say("the runner needs a program");
		return EXIT_MISTYPED;
	}
	catch_signals();
	struct line line;
	if (!line_open(&line, options.uart)) return stopped ? 0 : EXIT_NO_LINE;
	return board_run(&options, &line);
}
