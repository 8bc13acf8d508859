/* watchers N SOCKET COMMAND...: becomes COMMAND, a device whose control side listens on SOCKET, and leaves a process behind
 * that watches it with N connections. When the device has ended, that process says on standard error how many events each
 * connection got: FEWEST to MOST.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST = 100 };

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	strncpy(address.sun_path, path, sizeof address.sun_path - 1);
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* It is there soon: the device listens before it goes on the air. */
	while (connect(s, (struct sockaddr *)&address, sizeof address)) {
		if (errno != ENOENT && errno != ECONNREFUSED) { perror("bench: no control side"); exit(1); }
		usleep(1000);
	}
	return s;
}

static void watch(int count, const char *path)
{
	static const char request[] = "{\"jsonrpc\":\"2.0\",\"method\":\"watch\"}\n";
	static char buffer[1 << 16];
	struct pollfd connections[MOST];
	long events[MOST] = { 0 };
	for (int i = 0; i < count; i++) {
		connections[i] = (struct pollfd){ .fd = connect_to(path), .events = POLLIN };
		if (write(connections[i].fd, request, sizeof request - 1) < 0) { perror("bench: watch"); exit(1); }
	}
	for (int open = count; open;) {
		poll(connections, count, -1);
		for (int i = 0; i < count; i++) {
			if (!connections[i].revents) continue;
			ssize_t size = read(connections[i].fd, buffer, sizeof buffer);
			for (char *at = buffer; size > 0 && (at = memchr(at, '\n', buffer + size - at)); at++) events[i]++;
			if (size <= 0) { connections[i].fd = -1; open--; }
		}
	}
	long fewest = events[0], most = events[0];
	for (int i = 1; i < count; i++) {
		if (events[i] < fewest) fewest = events[i];
		if (events[i] > most) most = events[i];
	}
	fprintf(stderr, "watchers: %ld to %ld events each\n", fewest, most);
}

int main(int argc, char **argv)
{
	int count = argc > 3 ? atoi(argv[1]) : 0;
	if (count < 1 || count > MOST) { fprintf(stderr, "usage: watchers N SOCKET COMMAND..., N at most %d\n", MOST); return 64; }
	unlink(argv[2]);
	if (!fork()) {
		close(0);
		watch(count, argv[2]);
		return 0;
	}
	execvp(argv[3], argv + 3);
	perror("bench: cannot start the device");
	return 127;
}
