/* The serial line: a terminal that is opened by its path, or standard input and output. */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Milliseconds: to wait for a path, and for the far side to take bytes. */
enum { PATIENCE = 10000, GLANCE = 100, UNUSUAL = 2000 };

/* Opens the path as soon as it exists. */
static int open_in_time(const char *path)
{
	for (int waited = 0;; waited += GLANCE) {
		int descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
		if (descriptor >= 0 || errno != ENOENT || waited >= PATIENCE || stopped) return descriptor;
		if (waited == GLANCE) say("waiting for %s; blemu run hm-10 --pty %s makes it", path, path);
		poll(NULL, 0, GLANCE);
	}
}

static bool make_raw(int descriptor)
{
	struct termios settings;
	if (tcgetattr(descriptor, &settings)) return false;
	cfmakeraw(&settings);
	settings.c_cflag |= CLOCAL | CREAD;
	return tcsetattr(descriptor, TCSANOW, &settings) == 0;
}

bool line_open(struct line *line, const char *path)
{
	*line = (struct line){ .input = STDIN_FILENO, .output = STDOUT_FILENO, .path = path };
	if (!path) return true;
	line->input = line->output = open_in_time(path);
	if (line->input >= 0 && make_raw(line->input)) return true;
	if (stopped) return false;
	if (line->input >= 0)
		say("%s is not a serial line; name the pseudo-terminal of 'blemu run hm-10 --pty PATH', or a serial port", path);
	else if (errno == ENOENT)
		say("there is no %s; start the module first, in another terminal: blemu run hm-10 --pty %s", path, path);
	else
		say("cannot open %s: %s", path, strerror(errno));
	return false;
}

uint32_t line_set_baud(struct line *line, uint32_t baud)
{
	static const struct { uint32_t baud; speed_t speed; } speeds[] = {
		{ 1200, B1200 }, { 2400, B2400 }, { 4800, B4800 }, { 9600, B9600 }, { 19200, B19200 },
		{ 38400, B38400 }, { 57600, B57600 }, { 115200, B115200 }, { 230400, B230400 },
	};
	for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
		uint32_t difference = baud > speeds[i].baud ? baud - speeds[i].baud : speeds[i].baud - baud;
		if (difference > speeds[i].baud / 20) continue;
		struct termios settings;
		if (line->path && !tcgetattr(line->output, &settings)) {
			cfsetspeed(&settings, speeds[i].speed);
			tcsetattr(line->output, TCSANOW, &settings);
		}
		return speeds[i].baud;
	}
	return baud;
}

int line_read(struct line *line, uint8_t *bytes, size_t size)
{
	struct pollfd readable = { line->input, POLLIN, 0 };
	if (line->input < 0 || poll(&readable, 1, 0) <= 0) return 0;
	ssize_t count = read(line->input, bytes, size);
	if (count > 0) return count;
	if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
	if (line->path) return -1;
	line->input = -1; /* standard input has ended; the sketch may still send */
	return 0;
}

bool line_write(struct line *line, const uint8_t *bytes, size_t size)
{
	for (int waited = 0; size;) {
		ssize_t count = write(line->output, bytes, size);
		if (count >= 0) {
			bytes += count;
			size -= count;
			continue;
		}
		if (errno != EAGAIN && errno != EINTR) return false;
		if (stopped) return false;
		struct pollfd writable = { line->output, POLLOUT, 0 };
		if (poll(&writable, 1, GLANCE) == 0 && (waited += GLANCE) == UNUSUAL)
			say("nothing reads the sketch's output; the sketch waits");
		if (writable.revents & (POLLERR | POLLHUP)) return false;
	}
	return true;
}
