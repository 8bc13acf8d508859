/* The floor that a GATT server can reach: the attributes that bench.d/central.c needs, as constants, on the kernel's
 * L2CAP channel 4 of hci0, advertised through the management interface. It sends back what begins with 'E', and
 * answers 'S' and a number of 32 bits, least significant byte first, with so many notifications of 20 bytes.
 *
 *   handle 1 service FFE0, 2 characteristic FFE1, 3 its value, 4 CCCD
 *
 * raw PORT: the same with a host of its own (hci.c), on the controller at a TCP port of this host: the floor for blemu's host.
 */
#define _GNU_SOURCE
#include "hci.h"
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct l2_address { uint16_t family, psm; uint8_t address[6]; uint16_t cid; uint8_t type; };
struct hci_address { uint16_t family, device, channel; };
enum { L2CAP = 0, HCI = 1, ATT_CID = 4, CONTROL = 3, LE_PUBLIC = 1 };

static int link_, has_own_host;
static uint8_t cccd[2];
/* The stream that was asked for, and how much of it has been sent. */
static uint32_t streamed, asked;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* One command of the management interface (bluez: doc/mgmt-api.txt) for hci0. */
static void manage(int control, uint16_t opcode, const void *parameters, uint16_t size)
{
	uint8_t message[64] = { opcode, opcode >> 8, 0, 0, size };
	memcpy(message + 6, parameters, size);
	if (write(control, message, 6 + size) < 0) fail("management");
	for (ssize_t n; (n = read(control, message, sizeof message)) >= 9;)
		if (message[0] <= 2 && !message[1] && message[6] == (opcode & 0xff) && message[7] == opcode >> 8) {
			if (message[8]) fprintf(stderr, "raw: command 0x%04x: status %d\n", opcode, message[8]);
			return;
		}
}

static int control;

/* The kernel would go on with the advertisement, in turn with those of the next server. */
static void leave(int signal)
{
	(void)signal;
	static const uint8_t all;
	manage(control, 0x003f, &all, 1);  /* Remove Advertising: all */
	_exit(0);
}

static void transmit(const uint8_t *pdu, size_t size)
{
	if (has_own_host) { hci_send(pdu, size); return; }
	while (send(link_, pdu, size, MSG_NOSIGNAL) < 0) {
		struct pollfd room = { link_, POLLOUT, 0 };
		if (poll(&room, 1, 10000) < 1 || room.revents & (POLLHUP | POLLERR)) return;
	}
}

static void notify(const uint8_t *value, size_t size)
{
	uint8_t pdu[23] = { 0x1b, 3, 0 };
	if (!(cccd[0] & 1)) return;
	memcpy(pdu + 3, value, size);
	transmit(pdu, 3 + size);
}

static void stream(void)
{
	uint8_t numbered[20] = { 0 };
	memcpy(numbered, &streamed, sizeof streamed);
	notify(numbered, sizeof numbered);
	streamed++;
}

static void written(const uint8_t *value, size_t size)
{
	if (size == 5 && value[0] == 'S') {
		streamed = 0;
		asked = value[1] | value[2] << 8 | value[3] << 16 | (uint32_t)value[4] << 24;
	} else if (size && value[0] == 'E') {
		notify(value, size);
	}
}

static void answer(const uint8_t *pdu, size_t size)
{
	static const uint8_t mtu[] = { 0x03, 23, 0 }, done[] = { 0x13 }, empty[] = { 0x0b };
	static const uint8_t service[] = { 0x11, 6, 1, 0, 4, 0, 0xe0, 0xff };
	static const uint8_t characteristic[] = { 0x09, 7, 2, 0, 0x1e, 3, 0, 0xe1, 0xff };
	static const uint8_t descriptor[] = { 0x05, 1, 4, 0, 0x02, 0x29 };
	uint16_t handle = size > 2 ? pdu[1] | pdu[2] << 8 : 0, type = size > 6 ? pdu[5] | pdu[6] << 8 : 0;
	uint8_t error[] = { 0x01, pdu[0], handle, handle >> 8, 0x0a };
	switch (pdu[0]) {
	case 0x02: transmit(mtu, sizeof mtu); return;
	case 0x10: if (type == 0x2800 && handle <= 1) { transmit(service, sizeof service); return; } break;
	case 0x08: if (type == 0x2803 && handle <= 2) { transmit(characteristic, sizeof characteristic); return; } break;
	case 0x04: if (handle == 4) { transmit(descriptor, sizeof descriptor); return; } break;
	case 0x0a: if (handle == 3) { transmit(empty, sizeof empty); return; } break;
	case 0x12:
		if (handle == 4 && size == 5) { memcpy(cccd, pdu + 3, 2); transmit(done, sizeof done); return; }
		if (handle == 3) { transmit(done, sizeof done); written(pdu + 3, size - 3); return; }
		break;
	case 0x52: if (handle == 3) written(pdu + 3, size - 3); return;
	}
	if (!(pdu[0] & 0x41)) transmit(error, sizeof error);
}

/* On a host of its own. */
static void serve(int port)
{
	uint8_t pdu[64];
	has_own_host = 1;
	hci_open(port);
	for (;;) {
		hci_advertise();
		while (!hci_has_link()) hci_await(-1);
		memset(cccd, 0, sizeof cccd);
		streamed = asked = 0;
		while (hci_has_link()) {
			int n = hci_receive(pdu, sizeof pdu, -1);
			if (n) answer(pdu, n);
			while (streamed < asked) stream();
		}
	}
}

int main(int argc, char **argv)
{
	if (argc > 1) serve(atoi(argv[1]));
	struct { uint16_t id; char name[8]; uint8_t address[6]; char rest[256]; } __attribute__((packed)) info = { 0 };
	struct hci_address all = { AF_BLUETOOTH, 0xffff, CONTROL };
	struct l2_address own = { AF_BLUETOOTH, 0, { 0 }, ATT_CID, LE_PUBLIC };
	static const uint8_t on = 1, none = 0;
	/* instance 1, connectable, 7 bytes of data, no scan response: Flags 06, service FFE0 */
	static const uint8_t advertising[] = { 1, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 2, 1, 6, 3, 3, 0xe0, 0xff };
	int listener = socket(AF_BLUETOOTH, SOCK_SEQPACKET, L2CAP);
	control = socket(AF_BLUETOOTH, SOCK_RAW, HCI);
	if (ioctl(control, _IOR('H', 211, int), &info)) fail("hci0");
	memcpy(own.address, info.address, 6);
	if (bind(control, (void *)&all, sizeof all)) fail("control");
	manage(control, 0x000d, &on, 1);  /* Set Low Energy */
	manage(control, 0x0005, &on, 1);  /* Set Powered */
	if (bind(listener, (void *)&own, sizeof own) || listen(listener, 1)) fail("listen");
	manage(control, 0x003f, &none, 1);  /* Remove Advertising: all */
	signal(SIGTERM, leave);
	manage(control, 0x003e, advertising, sizeof advertising);  /* Add Advertising */
	for (;;) {
		uint8_t pdu[64];
		if ((link_ = accept(listener, NULL, NULL)) < 0) fail("accept");
		memset(cccd, 0, sizeof cccd);
		streamed = asked = 0;
		for (;;) {
			struct pollfd ready = { link_, POLLIN | (streamed < asked ? POLLOUT : 0), 0 };
			if (poll(&ready, 1, -1) < 0) fail("poll");
			if (ready.revents & ~POLLOUT) {
				ssize_t n = recv(link_, pdu, sizeof pdu, 0);
				if (n <= 0) break;
				answer(pdu, n);
			} else {
				stream();
			}
		}
		close(link_);
	}
}
