/* Runs a program on a simulated Arduino Uno whose UART is a serial line of this machine. */
#ifndef RUNNER_H
#define RUNNER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The same exit statuses as blemu's (sysexits.h). */
enum { EXIT_CRASHED = 1, EXIT_MISTYPED = 64, EXIT_NO_PROGRAM = 66, EXIT_NO_LINE = 73 };

/* Set by SIGINT and SIGTERM. */
extern volatile sig_atomic_t stopped;

/* Prints "arduino: ..." and a line end on standard error. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the time of day and the text, like a line of blemu's log. */
void say_event(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* line.c: a terminal, opened by its path, or standard input and output. */
struct line {
	int input, output; /* input is -1 once standard input has ended */
	const char *path;  /* NULL for the standard streams */
};

/* Opens the terminal in raw mode; waits a while for a path that does not exist yet. A NULL path means the
 * standard streams. Returns false when it cannot open it, after an error message, or when stopped. */
bool line_open(struct line *line, const char *path);

/* Sets a real serial port's speed, and returns it. An AVR's divider seldom meets one exactly: 115200 is 117647. */
uint32_t line_set_baud(struct line *line, uint32_t baud);

/* Returns the number of bytes that have come, without waiting; 0 for none, -1 when the far side is gone. */
int line_read(struct line *line, uint8_t *bytes, size_t size);

/* Returns when the far side has taken all bytes, however long that takes; false when it is gone, or when stopped. */
bool line_write(struct line *line, const uint8_t *bytes, size_t size);

/* pace.c: keeps simulated time in step with real time. */
struct pace {
	int64_t due, started, simulated; /* nanoseconds */
};

int64_t now(void);
void pace_begin(struct pace *pace);

/* After this much simulated time, waits until as much real time has passed. A machine that is too slow falls
 * behind, and does not run faster later to make up for it. */
void pace_advance(struct pace *pace, int64_t nanoseconds);

/* Restarts the measurement of real time after the simulation has waited for the far side. */
void pace_resume(struct pace *pace);

/* board.c: the Uno. */
struct options {
	const char *program, *uart;
	bool shows_pins;
};

/* Runs the program until it ends, its line is gone, or a signal stops it. Returns an exit status. */
int board_run(const struct options *options, struct line *line);

#endif
