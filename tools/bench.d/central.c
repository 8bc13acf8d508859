/* A measuring central: raw ATT on the kernel's L2CAP channel 4 of hci1, against a peripheral on hci0 with
 * characteristic FFE1. It starts the peripheral, waits until the controller advertises, and prints one line:
 *
 *   start_ms rtt_p50_us rtt_p99_us notifications_per_s cpu_us_per_notification rss_kib
 *   idle_read_p50_us idle_read_p99_us streaming_read_p50_us streaming_read_p99_us streamed_per_s
 *
 * central ROUNDS BURST RATE (stdin|message) COMMAND...
 *   stdin:   notifications are 20 bytes each, put into the peripheral's standard input
 *   message: they are asked for with 'S' and the number, 32 bits, least significant byte first
 * BURST notifications come at once; RATE a second while reads are measured.
 *
 * central memory FIRST VALUES COMMAND...
 *   writes VALUES values and receives as many, and prints the resident memory after the first ones and at the end:
 *   first_rss_kib rss_kib seconds
 * What it writes begins with 'E' and must come back as a notification.
 *
 * With BENCH_HCI_PORT in the environment, it has a host of its own (hci.c), on the controller at that TCP port of this host.
 *
 * Two start no peripheral. OWN and PERIPHERAL are the numbers of adapters:
 *
 * central reads COUNT OWN PERIPHERAL
 *   reads FFE1 again and again: read_p50_us read_p99_us reads_refused
 *
 * central subscribe OWN PERIPHERAL
 *   receives notifications until SIGTERM: notifications_per_s
 */
#define _GNU_SOURCE
#include "hci.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct l2_address { uint16_t family, psm; uint8_t address[6]; uint16_t cid; uint8_t type; };
struct hci_address { uint16_t family, device, channel; };
enum { L2CAP = 0, HCI = 1, ATT_CID = 4, MONITOR = 2, LE_PUBLIC = 1 };

static int att, has_own_host;
static uint16_t value_handle, cccd_handle;

static void fail(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void adapter_address(uint16_t device, uint8_t *address)
{
	struct { uint16_t id; char name[8]; uint8_t address[6]; char rest[256]; } __attribute__((packed)) info = { .id = device };
	int s = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, HCI);
	if (ioctl(s, _IOR('H', 211, int), &info)) fail("no adapter");
	memcpy(address, info.address, 6);
	close(s);
}

/* ATT */

static void send_pdu(const void *pdu, size_t size)
{
	if (has_own_host) { if (!hci_send(pdu, size)) fail("no link"); return; }
	while (send(att, pdu, size, 0) < 0)
		if (errno != EAGAIN && errno != EINTR) fail("send");
}

/* The next PDU that is for us; bluetoothd's own requests are answered on the way. */
static int receive(uint8_t *pdu, size_t size, double until)
{
	for (;;) {
		struct pollfd ready = { att, POLLIN, 0 };
		double left = until - now();
		if (left <= 0 || (!has_own_host && poll(&ready, 1, left * 1000 + 1) < 1)) return 0;
		int n = has_own_host ? hci_receive(pdu, size, left + 1e-3) : recv(att, pdu, size, MSG_DONTWAIT);
		if (has_own_host && !n) return 0;
		if (n <= 0) { if (n < 0 && errno == EAGAIN) continue; fail("receive"); }
		if (pdu[0] == 0x02) { uint8_t answer[] = { 0x03, 517 & 255, 517 >> 8 }; send_pdu(answer, 3); }
		else if (pdu[0] == 0x1d) { uint8_t answer = 0x1e; send_pdu(&answer, 1); }
		else if (pdu[0] & 1) return n;
		else if (!(pdu[0] & 0x40)) { uint8_t answer[] = { 0x01, pdu[0], pdu[1], pdu[2], 0x0a }; send_pdu(answer, 5); }
	}
}

/* A request; returns the length of its response, 0 for an error response. */
static int request(const void *pdu, size_t size, uint8_t *answer, size_t room)
{
	double until = now() + 10;
	send_pdu(pdu, size);
	for (int n; (n = receive(answer, room, until)) > 0;) {
		if (answer[0] == 0x01) return 0;
		if (answer[0] == ((const uint8_t *)pdu)[0] + 1) return n;
	}
	errno = ETIMEDOUT;
	fail("no response");
	return 0;
}

static void discover(void)
{
	uint8_t answer[600];
	uint16_t start = 1;
	for (int n; start; ) {
		uint8_t ask[] = { 0x08, start, start >> 8, 0xff, 0xff, 0x03, 0x28 };
		if (!(n = request(ask, 7, answer, sizeof answer))) break;
		for (int i = 2; i < n; i += answer[1]) {
			start = (answer[i + 3] | answer[i + 4] << 8) + 1;
			if (answer[1] == 7 && answer[i + 5] == 0xe1 && answer[i + 6] == 0xff) value_handle = start - 1;
		}
	}
	for (start = value_handle + 1; value_handle && !cccd_handle; start++) {
		uint8_t ask[] = { 0x04, start, start >> 8, start, start >> 8 };
		if (!request(ask, 5, answer, sizeof answer)) break;
		if (answer[4] == 0x02 && answer[5] == 0x29) cccd_handle = start;
	}
	errno = ENOENT;
	if (!cccd_handle) fail("no characteristic FFE1 that notifies");
}

static void write_value(uint8_t opcode, uint16_t handle, const void *value, size_t size)
{
	uint8_t pdu[64] = { opcode, handle, handle >> 8 }, answer[64];
	memcpy(pdu + 3, value, size);
	if (opcode == 0x52) send_pdu(pdu, size + 3);
	else if (!request(pdu, size + 3, answer, sizeof answer)) { errno = EACCES; fail("write"); }
}

static void connect_to(uint16_t own, uint16_t peripheral)
{
	struct l2_address address = { AF_BLUETOOTH, 0, { 0 }, ATT_CID, LE_PUBLIC };
	int size = 4 << 20;
	att = socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_CLOEXEC, L2CAP);
	setsockopt(att, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
	adapter_address(own, address.address);
	if (bind(att, (void *)&address, sizeof address)) fail("bind");
	adapter_address(peripheral, address.address);
	for (int tries = 100; connect(att, (void *)&address, sizeof address); usleep(100000))
		if (!--tries) fail("connect");
}

/* Connects, and subscribes to FFE1. */
static void begin_link(uint16_t own, uint16_t peripheral)
{
	if (has_own_host) hci_connect(); else connect_to(own, peripheral);
	discover();
	write_value(0x12, cccd_handle, "\1", 2);
	double until = now() + 0.7; /* bluetoothd's own discovery of us is over by then */
	for (uint8_t pdu[600]; receive(pdu, sizeof pdu, until););
}

/* The peripheral */

static int monitor_socket(void)
{
	struct hci_address address = { AF_BLUETOOTH, 0xffff, MONITOR };
	int s = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, HCI);
	uint8_t event[2048];
	if (bind(s, (void *)&address, sizeof address)) fail("monitor");
	for (struct pollfd ready = { s, POLLIN, 0 }; poll(&ready, 1, 50) == 1;)
		if (recv(s, event, sizeof event, 0) < 0) break;
	return s;
}

/* Waits until a command that switches advertising on (LE Set [Extended] Advertising Enable) has succeeded on hci0. */
static void await_advertising(int s)
{
	uint8_t event[2048];
	int is_asked = 0;
	for (double until = now() + 60; now() < until;) {
		struct pollfd ready = { s, POLLIN, 0 };
		if (poll(&ready, 1, 100) < 1) continue;
		int n = recv(s, event, sizeof event, 0), kind = event[0] | event[1] << 8, device = event[2] | event[3] << 8;
		uint8_t *p = event + 6;
		if (n < 10 || device) continue;
		int opcode = kind == 2 ? p[0] | p[1] << 8 : kind == 3 && p[0] == 0x0e ? p[3] | p[4] << 8 : 0;
		if (opcode != 0x200a && opcode != 0x2039) continue;
		if (kind == 2) is_asked = p[3];
		else if (is_asked && p[5] == 0) return;
	}
	errno = ETIMEDOUT;
	fail("it did not advertise");
}

static double cpu_of(pid_t pid)
{
	clockid_t clock;
	struct timespec t;
	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)) return 0;
	return t.tv_sec + t.tv_nsec / 1e9;
}

static long rss_of(pid_t pid)
{
	char path[64], line[256];
	long rss = 0;
	snprintf(path, sizeof path, "/proc/%d/status", pid);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, "VmRSS:", 6)) rss = atol(line + 6);
	if (file) fclose(file);
	return rss;
}

static pid_t start(char **command, int *input)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC)) fail("pipe");
	pid_t pid = fork();
	if (!pid) {
		dup2(ends[0], 0);
		dup2(open("/dev/null", O_WRONLY), 1);
		execvp(command[0], command);
		_exit(127);
	}
	*input = ends[1];
	return pid;
}

/* Phases */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void measure_round_trips(int rounds)
{
	double *times = calloc(rounds, sizeof *times);
	uint8_t value[20] = "E", answer[600];
	for (int i = -20; i < rounds; i++) {
		memcpy(value + 1, &i, 4);
		double begin = now();
		write_value(0x52, value_handle, value, 20);
		int n;
		while ((n = receive(answer, sizeof answer, begin + 5)) > 0 && (answer[0] != 0x1b || n != 23 || memcmp(answer + 3, value, 20)));
		errno = ETIMEDOUT;
		if (!n) fail("no echo");
		if (i >= 0) times[i] = (now() - begin) * 1e6;
	}
	qsort(times, rounds, sizeof *times, by_value);
	printf(" %.0f %.0f", times[rounds / 2], times[rounds * 99 / 100]);
	free(times);
}

static void measure_burst(int count, int input, pid_t pid)
{
	uint8_t answer[600], ask[5] = "S", zeros[20] = { 0 };
	double cpu = cpu_of(pid), first = 0, last = 0;
	memcpy(ask + 1, &count, 4);
	if (input < 0) write_value(0x52, value_handle, ask, 5);
	else if (!fork()) { for (int i = 0; i < count; i++) if (write(input, zeros, 20) != 20) _exit(1); _exit(0); }
	for (long bytes = 0; bytes < 20L * count;) {
		int n = receive(answer, sizeof answer, now() + 10);
		errno = ETIMEDOUT;
		if (!n) fail("the burst is not whole");
		if (answer[0] != 0x1b) continue;
		last = now();
		if (!bytes) first = last;
		bytes += n - 3;
	}
	printf(" %.0f %.1f", count / (last - first), (cpu_of(pid) - cpu) / count * 1e6);
}

/* Commands that nobody answers, and a request: when that is answered, the server has taken them all. */
static void measure_writes(int count, pid_t pid)
{
	uint8_t value[20] = "W", answer[600], read[] = { 0x0a, value_handle, value_handle >> 8 };
	double begin = now(), cpu = cpu_of(pid);
	for (int i = 0; i < count; i++) write_value(0x52, value_handle, value, 20);
	send_pdu(read, 3);
	int n;
	while ((n = receive(answer, sizeof answer, begin + 60)) > 0 && answer[0] != 0x0b);
	errno = ETIMEDOUT;
	if (!n) fail("no response after the writes");
	printf(" %.0f %.1f", count / (now() - begin), (cpu_of(pid) - cpu) / count * 1e6);
}

/* Makes the peripheral send so many notifications. What standard input does not take is not sent. */
static void ask_for(int count, int input)
{
	uint8_t ask[5] = "S", zeros[20] = { 0 };
	memcpy(ask + 1, &count, 4);
	if (input < 0) write_value(0x52, value_handle, ask, 5);
	else while (count-- > 0 && write(input, zeros, 20) == 20);
}

/* Reads FFE1 again and again, about ten times a second, while RATE notifications a second stream. Returns how many reads
 * were refused. */
static int measure_reads(int reads, int rate, int input, double *streamed)
{
	const double tick = 0.02, pause = 0.1;
	double *times = calloc(reads, sizeof *times), begin = now(), feed = begin, ask = begin + 5 * pause, asked = 0, spent;
	uint8_t answer[600], read[] = { 0x0a, value_handle, value_handle >> 8 };
	long notified = 0;
	int refused = 0;
	if (input >= 0) fcntl(input, F_SETFL, O_NONBLOCK);
	for (int done = 0; done < reads;) {
		if (rate && now() >= feed) { ask_for(rate * tick, input); feed += tick; }
		if (!asked && now() >= ask) { send_pdu(read, 3); asked = now(); }
		double until = rate && feed < now() + pause ? feed : now() + pause;
		int n = receive(answer, sizeof answer, asked || until < ask ? until : ask);
		errno = ETIMEDOUT;
		if (asked && now() - asked > 20) fail("no response to a read");
		if (n && answer[0] == 0x1b) notified += (n - 3 + 19) / 20;
		int is_refused = asked && n && answer[0] == 0x01;
		refused += is_refused;
		if (!n || (answer[0] != 0x0b && !is_refused)) continue;
		times[done++] = (now() - asked) * 1e6;
		/* Not in step with what is fed. */
		ask = now() + pause + tick * (done % 7) / 7;
		asked = 0;
	}
	spent = now() - begin;
	if (input >= 0) fcntl(input, F_SETFL, 0);
	while (receive(answer, sizeof answer, now() + 1));
	qsort(times, reads, sizeof *times, by_value);
	printf(" %.0f %.0f", times[reads / 2], times[reads * 99 / 100]);
	*streamed = notified / spent;
	free(times);
	return refused;
}

enum { WINDOW = 32 }; /* Values on their way at most: the kernel drops what a receive buffer does not hold. */

/* Each value differs, and comes back in order. */
static void exchange(uint32_t begin, uint32_t end)
{
	uint8_t value[20] = "E", answer[600];
	for (uint32_t sent = begin, received = begin; received < end;) {
		for (; sent < end && sent - received < WINDOW; sent++) {
			memcpy(value + 1, &sent, 4);
			write_value(0x52, value_handle, value, 20);
		}
		int n = receive(answer, sizeof answer, now() + 20);
		errno = ETIMEDOUT;
		if (!n) fail("a value is lost");
		if (answer[0] != 0x1b) continue;
		memcpy(value + 1, &received, 4);
		errno = EIO;
		if (n != 23 || memcmp(answer + 3, value, 20)) fail("another value came back");
		received++;
	}
}

static void measure_memory(uint32_t first, uint32_t count, pid_t pid)
{
	double begin = now();
	exchange(0, first);
	printf("%ld", rss_of(pid));
	exchange(first, count);
	printf(" %ld %.0f\n", rss_of(pid), now() - begin);
}

static volatile sig_atomic_t is_over;

static void end(int signal)
{
	(void)signal;
	is_over = 1;
}

static void measure_stream(void)
{
	uint8_t value[600];
	long notified = 0;
	double begin = now();
	signal(SIGTERM, end);
	while (!is_over)
		if (receive(value, sizeof value, now() + 1) && value[0] == 0x1b) notified++;
	printf("%.0f\n", notified / (now() - begin));
}

/* Without starting a peripheral; returns whether that is what the arguments ask for. */
static int measures_another(int argc, char **argv)
{
	double streamed;
	if (argc == 5 && !strcmp(argv[1], "reads")) {
		begin_link(atoi(argv[3]), atoi(argv[4]));
		printf(" %d\n", measure_reads(atoi(argv[2]), 0, -1, &streamed));
	} else if (argc == 4 && !strcmp(argv[1], "subscribe")) {
		begin_link(atoi(argv[2]), atoi(argv[3]));
		measure_stream();
	} else return 0;
	return 1;
}

int main(int argc, char **argv)
{
	if (measures_another(argc, argv)) return 0;
	int for_memory = argc > 1 && !strcmp(argv[1], "memory"), command = for_memory ? 4 : 5;
	if (argc <= command) { fprintf(stderr, "usage: central ROUNDS BURST RATE stdin|message COMMAND...\n"
		"       central memory FIRST VALUES COMMAND...\n"
		"       central reads COUNT OWN PERIPHERAL\n"
		"       central subscribe OWN PERIPHERAL\n"); return 64; }
	const char *port = getenv("BENCH_HCI_PORT");
	has_own_host = port != NULL;
	if (port) hci_open(atoi(port));
	int input, monitor = port ? -1 : monitor_socket();
	signal(SIGPIPE, SIG_IGN);
	double begin = now();
	pid_t pid = start(argv + command, &input);
	if (port) hci_await_advertiser(); else await_advertising(monitor);
	if (!for_memory) printf("%.0f", (now() - begin) * 1e3);
	begin_link(1, 0);
	if (for_memory) {
		measure_memory(atoi(argv[2]), atoi(argv[3]), pid);
		kill(pid, SIGTERM);
		return waitpid(pid, NULL, 0) < 0;
	}
	measure_round_trips(atoi(argv[1]));
	if (strcmp(argv[4], "stdin")) input = -1;
	measure_burst(atoi(argv[2]), input, pid);
	measure_writes(atoi(argv[2]), pid);
	printf(" %ld", rss_of(pid));
	double streamed;
	int refused = measure_reads(100, 0, input, &streamed) + measure_reads(100, atoi(argv[3]), input, &streamed);
	errno = EIO;
	if (refused) fail("a read was refused");
	printf(" %.0f\n", streamed);
	close(att);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	return 0;
}
