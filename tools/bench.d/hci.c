/* A host for measurements, as small as one can be. It trusts the controller. */
#define _GNU_SOURCE
#include "hci.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { COMMAND = 1, DATA, EVENT = 4, LONGEST = 600, STORED = 4096 };

static int controller;
/* What has been read, and where the next packet begins. */
static uint8_t input[1 << 16];
static int start, end;
/* The link; -1: none. */
static int handle = -1;
static int room, most, longest;
/* The last device that was heard, its type first. */
static uint8_t heard[7];
static int has_heard;
/* A frame of L2CAP whose end has not come. */
static uint8_t frame[LONGEST + 4];
static int have;
/* PDUs that nobody has asked for yet. */
static struct { int size; uint8_t pdu[LONGEST]; } stored[STORED];
static unsigned first_stored, next_stored;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void transmit(const void *packet, int size)
{
	for (int done = 0, n; done < size; done += n)
		if ((n = write(controller, (const uint8_t *)packet + done, size - done)) < 0) fail("controller");
}

/* The next packet and its size; NULL: none came in time. */
static uint8_t *next_packet(double seconds, int *size)
{
	for (;;) {
		uint8_t *p = input + start;
		int head = end > start && *p == DATA ? 5 : 3;
		if (end - start >= head) {
			*size = head + (head == 5 ? p[3] | p[4] << 8 : p[2]);
			if (end - start >= *size) { start += *size; return p; }
		}
		memmove(input, p, end - start);
		end -= start;
		start = 0;
		struct pollfd ready = { controller, POLLIN, 0 };
		if (seconds >= 0 && poll(&ready, 1, seconds * 1000) < 1) return NULL;
		int n = read(controller, input + end, sizeof input - end);
		if (n < 1) exit(0); /* the air has closed */
		end += n;
	}
}

static void take_frame_part(const uint8_t *p, int size)
{
	if ((p[2] >> 4 & 3) != 1) have = 0;
	if (have + size - 5 > (int)sizeof frame) return;
	memcpy(frame + have, p + 5, size - 5);
	have += size - 5;
	if (have < 4 || have < 4 + (frame[0] | frame[1] << 8) || frame[2] != 4 || frame[3]) return;
	if (next_stored - first_stored == STORED) fail("too many PDUs");
	stored[next_stored % STORED].size = have - 4;
	memcpy(stored[next_stored++ % STORED].pdu, frame + 4, have - 4);
	have = 0;
}

static void take_event(const uint8_t *p)
{
	if (p[1] == 0x13) { /* Number Of Completed Packets */
		for (int i = 0; i < p[3]; i++) room += p[6 + 4 * i] | p[7 + 4 * i] << 8;
	} else if (p[1] == 0x05) {
		handle = -1;
	} else if (p[1] == 0x3e && p[3] == 0x01 && !p[4]) {
		handle = p[5] | p[6] << 8;
		room = most;
		have = first_stored = next_stored = 0;
	} else if (p[1] == 0x3e && p[3] == 0x02 && p[5] == 0) { /* ADV_IND */
		memcpy(heard, p + 6, sizeof heard);
		has_heard = 1;
	}
}

int hci_await(double seconds)
{
	int size;
	uint8_t *p = next_packet(seconds, &size);
	if (p && *p == DATA) take_frame_part(p, size);
	else if (p && *p == EVENT) take_event(p);
	return p != NULL;
}

/* Returns what follows the status in the answer. */
static const uint8_t *command(uint16_t opcode, const void *parameters, uint8_t size)
{
	uint8_t packet[260] = { COMMAND, opcode, opcode >> 8, size };
	memcpy(packet + 4, parameters, size);
	transmit(packet, 4 + size);
	for (int n;;) {
		uint8_t *p = next_packet(-1, &n);
		int is_status = *p == EVENT && p[1] == 0x0f, is_complete = *p == EVENT && p[1] == 0x0e;
		int place = is_status ? 5 : 4;
		if ((is_status || is_complete) && (p[place] | p[place + 1] << 8) == opcode) {
			uint8_t status = is_status ? p[3] : p[6];
			if (status) { fprintf(stderr, "command 0x%04x: status 0x%02x\n", opcode, status); exit(1); }
			return p + 7;
		}
		if (*p == EVENT) take_event(p);
	}
}

void hci_open(int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int yes = 1;
	controller = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(controller, (void *)&address, sizeof address)) fail("connect");
	setsockopt(controller, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	command(0x0c03, "", 0);                                /* Reset */
	command(0x0c01, "\xff\xff\xff\xff\xff\xff\xff\x3f", 8); /* Set Event Mask */
	command(0x2001, "\x1f\0\0\0\0\0\0\0", 8);               /* LE Set Event Mask */
	const uint8_t *size = command(0x2002, "", 0);           /* LE Read Buffer Size */
	longest = size[0] | size[1] << 8;
	most = size[2];
}

void hci_advertise(void)
{
	command(0x2006, "\xa0\0\xa0\0\0\0\0\0\0\0\0\0\0\x07\0", 15);
	uint8_t data[32] = { 7, 2, 1, 6, 3, 3, 0xe0, 0xff };
	command(0x2008, data, 32);
	command(0x200a, "\1", 1);
}

void hci_await_advertiser(void)
{
	command(0x200b, "\0\x10\0\x10\0\0\0", 7); /* passive, all the time */
	command(0x200c, "\1\0", 2);
	for (has_heard = 0; !has_heard;)
		if (!hci_await(60)) fail("it did not advertise");
}

void hci_connect(void)
{
	command(0x200c, "\0\0", 2);
	/* scan interval and window, no accept list, the peer, own address, 7.5 ms, latency 0, timeout 2 s, length of events */
	uint8_t parameters[25] = { 0x10, 0, 0x10, 0, 0, [12] = 0, 6, 0, 6, 0, 0, 0, 200, 0, 0, 0, 0, 0 };
	memcpy(parameters + 5, heard, sizeof heard);
	command(0x200d, parameters, 25);
	while (handle < 0)
		if (!hci_await(10)) fail("it did not connect");
}

int hci_has_link(void) { return handle >= 0; }

int hci_send(const void *pdu, size_t size)
{
	uint8_t whole[LONGEST + 4] = { size, size >> 8, 4, 0 }, packet[LONGEST + 9];
	memcpy(whole + 4, pdu, size);
	for (int sent = 0, total = size + 4, n; sent < total; sent += n) {
		while (handle >= 0 && room < 1) hci_await(-1);
		if (handle < 0) return 0;
		n = total - sent < longest ? total - sent : longest;
		int flags = handle | (sent ? 0x1000 : 0);
		uint8_t head[] = { DATA, flags, flags >> 8, n, n >> 8 };
		memcpy(packet, head, sizeof head);
		memcpy(packet + sizeof head, whole + sent, n);
		transmit(packet, sizeof head + n);
		room--;
	}
	return 1;
}

int hci_receive(uint8_t *pdu, size_t size, double seconds)
{
	while (first_stored == next_stored)
		if (handle < 0 || !hci_await(seconds)) return 0;
	int n = stored[first_stored % STORED].size;
	memcpy(pdu, stored[first_stored++ % STORED].pdu, (size_t)n < size ? (size_t)n : size);
	return n;
}
