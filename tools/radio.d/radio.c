/* The radio of tools/radio, and of the virtual machine: RootCanal's controllers on one air, each behind a TCP connection or a
 * virtual HCI device of the kernel.
 *
 *   radio [--debug] [--flight US] [--listen [ADDRESS:]PORT [--greeting TEXT]] LIBRARY CONTROLLERS
 *                          LIBRARY is RootCanal's librootcanal_ffi.so, 1.10; CONTROLLERS is the number of virtual HCI devices.
 *                          With 0 of them and without --listen, it only tries whether the library loads
 *   radio --attach FILE    a controller elsewhere: FILE is a stream to its HCI
 *
 * RootCanal's own program looks for packets every 5 ms. Here a packet arrives US microseconds after it was sent (2,000 unless
 * given), however many are in the air. Without that time, which a real link has between its connection events, bluetoothd
 * as both sides never comes to rest: it tells a program that the services are resolved before it shows them, or never that
 * the device is connected.
 *
 * With --listen, others join as with RootCanal's program: HCI (H4) on PORT, the test channel on PORT - 1, and the links
 * to other airs on PORT + 1 (BR/EDR) and PORT + 2 (LE). TEXT is printed once they can.
 *
 * On SIGUSR1, the adapters whose numbers are in /run/radio.unplugged are pulled out, and all others are plugged in.
 *
 * RootCanal has no supervision timeout. So before a controller is reset or goes, its links are ended, and for their peers, that is
 * a timeout.
 *
 * A host moves its controller with a vendor command of 3 bytes, Move (0xFCB1): the RSSI with which the others hear it (dBm, signed; 127 is
 * as usual), how many of its packets are lost (percent, at most 99), and whether it is out of range (1). A packet of a link is not lost: it
 * arrives one connection interval later, as when a link layer repeats it. Out of range, it waits until the controller is back, or until the
 * supervision timeout has ended the link for both sides. Reset moves the controller back. A controller that can be moved says so in
 * Read Local Version Information: it is of the company 0x00E0, and its LMP subversion is 0xB1E0.
 *
 * A controller spends most of its time on packets that it ignores. So a packet with a destination reaches only the controllers that
 * have had this address, if there are any, and an advertisement only those that scan, initiate or synchronize.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { TICK = 5000 };  /* us between looks at the clock for advertising and timers, as in RootCanal's program */
enum { RSSI = -50, AS_USUAL = 127 };  /* dBm, of everything that is heard */
enum { STATIONS = 64, LINKS = 32, ADDRESSES = 32, PACKET = 4096, BUFFER = 1 << 17, WAITING = 1 << 26 };

/* Packet types of H4 (Vol 4, Part A, 2). The kernel's /dev/vhci adds VENDOR for creating a device and for its answer. */
enum { COMMAND = 1, ACL = 2, SCO = 3, EVENT = 4, ISO = 5, VENDOR = 0xFF };

enum { MOVE = 0xFCB1 };  /* a vendor command */

enum { LOW_ENERGY, BR_EDR, PHYS };  /* RootCanal's Phy::Type */

/* What is on the other end of a station's file */
enum kind { KERNEL, HCI, LINK, TEST };

/* A link as the host of a station knows it */
struct link {
	uint16_t handle, interval, timeout;  /* in 1.25 ms and 10 ms */
};

struct station {
	enum kind kind;
	int file;
	void *controller;  /* RootCanal's, of KERNEL and HCI */
	uint8_t addresses[ADDRESSES][6];  /* those that it has had, last byte first: its public one, then the latest others */
	unsigned address_count;
	bool scans, initiates, synchronizes;
	int phy;  /* of LINK */
	bool is_stirred;  /* the controller may have something to do at once */
	bool has_failed;
	struct link links[LINKS];
	int link_count;
	int weakness;  /* dB by which it is heard, and hears, less than usual */
	int loss;  /* percent of its packets */
	int64_t away_since;  /* in us; 0: in range */
	int64_t latest;  /* arrival of its last packet on a link, in us */
	uint8_t *waiting;  /* what the peer of a stream has not taken yet, at most WAITING bytes: a slow one does not stop the others */
	size_t waiting_count;
	size_t count;  /* bytes of a stream that are no whole packet yet */
	uint8_t bytes[BUFFER];
};

static struct station *stations[STATIONS], *speaker;

/* A packet in the air */
struct flying {
	struct flying *next;
	struct station *sender;
	int64_t arrival;  /* in us */
	int phy;
	bool tells_of_timeout;  /* it arrives in any case: it ends a link whose supervision timeout is over */
	size_t length;
	uint8_t bytes[];
};
static struct flying *first_flying, *last_flying;  /* in the order of their arrival */
static struct flying *first_waiting;  /* until their receiver is in range, in the order of their arrival */
static int flight = 2000;  /* us from one controller to another */

static void note(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

static void fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs("radio: ", stderr);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

/* RootCanal's library (model/controller/ffi.h). Its callbacks do not say which controller speaks, but they come only while
 * one of these functions runs. */
typedef void send_hci(int type, const uint8_t *bytes, size_t length);
typedef void send_link(const uint8_t *bytes, size_t length, int phy, int transmit_power);
static void *(*controller_new)(const uint8_t address[6], send_hci *, send_link *);
static void (*controller_delete)(void *);
static void (*controller_receive_hci)(void *, int type, const uint8_t *bytes, size_t length);
static void (*controller_receive_link)(void *, const uint8_t *bytes, size_t length, int phy, int rssi);
static void (*controller_tick)(void *);

/* The library writes a line for each packet. Its calls of the function that does arrive at ours, because a program's symbols
 * go before a library's. */
#define LOG_NAME "_ZN9rootcanal3log4VLogENS0_9VerbosityEPKciSt8optionalIiES3_N3fmt3v1017basic_format_argsINS7_20basic_format_contextINS7_8appenderEcEEEE"
struct format_arguments { uint64_t types; void *values; };
typedef void log_line(int level, const char *file, int line, uint64_t instance, const char *format, struct format_arguments);
extern log_line log_from_level __asm__(LOG_NAME);
static log_line *rootcanal_log;
static int log_level = 2;  /* 0 debug, 1 info, 2 warning, 3 error, 4 fatal */
static bool is_unknown;  /* the command that the speaking controller has received */

void log_from_level(int level, const char *file, int line, uint64_t instance, const char *format, struct format_arguments arguments)
{
	/* At a fatal error, the logger ends the process. This one deserves only an error code (Vol 4, Part E, 4.5). */
	if (!strncmp(format, "Unimplemented command", 21))
		is_unknown = true;
	else if (level >= log_level)
		rootcanal_log(level, file, line, instance, format, arguments);
}

static void *symbol(void *library, const char *name)
{
	void *found = dlsym(library, name);
	if (!found) fail("%s", dlerror());
	return found;
}

static void load(const char *path)
{
	void *library = dlopen(path, RTLD_LAZY);
	if (!library) fail("%s", dlerror());
	controller_new = symbol(library, "ffi_controller_new");
	controller_delete = symbol(library, "ffi_controller_delete");
	controller_receive_hci = symbol(library, "ffi_controller_receive_hci");
	controller_receive_link = symbol(library, "ffi_controller_receive_ll");
	controller_tick = symbol(library, "ffi_controller_tick");
	rootcanal_log = symbol(library, LOG_NAME);
}

/* Packets */

static uint16_t number(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8;
}

/* Returns the length of the first packet, 0 if not all of it is there, and -1 if it is none. */
static ssize_t h4_length(const uint8_t *bytes, size_t count)
{
	static const uint8_t headers[] = { [COMMAND] = 4, [ACL] = 5, [SCO] = 4, [EVENT] = 3, [ISO] = 5 };
	if (count == 0) return 0;
	if (bytes[0] < COMMAND || bytes[0] > ISO) return -1;
	size_t header = headers[bytes[0]], length = header;
	if (count < header) return 0;
	switch (bytes[0]) {
	case COMMAND: case SCO: length += bytes[3]; break;
	case EVENT: length += bytes[2]; break;
	case ACL: length += number(bytes + 3); break;
	case ISO: length += number(bytes + 3) & 0x3FFF; break;
	}
	return length > PACKET ? -1 : length <= count ? (ssize_t)length : 0;
}

/* A packet between two airs: its length in 4 bytes, and the packet */
static ssize_t link_length(const uint8_t *bytes, size_t count)
{
	if (count < 4) return 0;
	size_t length = 4 + number(bytes) + ((size_t)number(bytes + 2) << 16);
	return length > PACKET ? -1 : length <= count ? (ssize_t)length : 0;
}

/* A command of the test channel: the length of its name in a byte, the name, the number of arguments, and each of these with
 * its length */
static ssize_t test_length(const uint8_t *bytes, size_t count)
{
	if (count == 0 || count < 1u + bytes[0]) return 0;
	size_t length = 1 + bytes[0];
	if (bytes[0] == 0) return length;
	if (count <= length) return 0;
	for (int arguments = bytes[length++]; arguments > 0; arguments--) {
		if (count <= length || count <= length + bytes[length]) return 0;
		length += 1 + bytes[length];
	}
	return length;
}

static void wait_with(struct station *station, const uint8_t *bytes, size_t length)
{
	if (length == 0) return;
	station->waiting = realloc(station->waiting, station->waiting_count + length);
	memcpy(station->waiting + station->waiting_count, bytes, length);
	station->waiting_count += length;
}

static void send_waiting(struct station *station)
{
	ssize_t sent = write(station->file, station->waiting, station->waiting_count);
	if (sent <= 0) return;
	station->waiting_count -= sent;
	memmove(station->waiting, station->waiting + sent, station->waiting_count);
}

static void send_parts(struct station *station, const void *head, size_t head_length, const void *rest, size_t length)
{
	struct iovec parts[] = { { (void *)head, head_length }, { (void *)rest, length } };
	if (station->has_failed) return;
	ssize_t sent = station->waiting_count ? 0 : writev(station->file, parts, 2);
	if (sent < 0 && errno == EAGAIN) sent = 0;
	if (station->kind != KERNEL && sent >= 0 && station->waiting_count < WAITING) {
		size_t head_sent = (size_t)sent < head_length ? (size_t)sent : head_length;
		wait_with(station, (const uint8_t *)head + head_sent, head_length - head_sent);
		wait_with(station, (const uint8_t *)rest + (sent - head_sent), length - (sent - head_sent));
	} else if (sent != (ssize_t)(head_length + length)) {
		/* The kernel takes no packets while it has the device switched off: a late answer is lost. */
		if (station->kind == KERNEL && errno == ENXIO) return;
		note("a %s does not take its packets: %s", station->kind == KERNEL ? "virtual HCI device" : "peer", strerror(errno));
		station->has_failed = true;
	}
}

static struct link *link_of(struct station *station, uint16_t handle)
{
	for (int n = 0; n < station->link_count; n++)
		if (station->links[n].handle == handle) return &station->links[n];
	return NULL;
}

/* Follows the links of a controller by its events (Vol 4, Part E, 7.7.5 and 7.7.65). */
static void follow_links(struct station *station, const uint8_t *event)
{
	enum { DISCONNECTION_COMPLETE = 0x05, LE_META = 0x3E, CONNECTION_COMPLETE = 0x01, UPDATE_COMPLETE = 0x03, ENHANCED_CONNECTION_COMPLETE = 0x0A };
	struct link *link;
	if (event[0] == DISCONNECTION_COMPLETE && event[2] == 0) {
		if ((link = link_of(station, number(event + 3)))) *link = station->links[--station->link_count];
	} else if (event[0] == LE_META && (event[2] == CONNECTION_COMPLETE || event[2] == ENHANCED_CONNECTION_COMPLETE)) {
		const uint8_t *parameters = event + (event[2] == CONNECTION_COMPLETE ? 14 : 26);
		/* As a peripheral it may still initiate: byte 6 is its role, 0 is central. */
		if (event[3] != 0 || event[6] == 0) station->initiates = false;
		if (event[3] == 0 && station->link_count < LINKS)
			station->links[station->link_count++] = (struct link) { number(event + 4), number(parameters), number(parameters + 4) };
	} else if (event[0] == LE_META && event[2] == UPDATE_COMPLETE && event[3] == 0) {
		if ((link = link_of(station, number(event + 4)))) *link = (struct link) { link->handle, number(event + 6), number(event + 10) };
	}
}

/* Corrects what RootCanal's controllers say of themselves, in Command Complete (Vol 4, Part E, 7.7.14). */
static void amend(const struct station *station, uint8_t *event, size_t length)
{
	enum { COMMAND_COMPLETE = 0x0E, READ_LOCAL_VERSION = 0x1001, READ_LOCAL_FEATURES = 0x1003, LE_READ_BUFFER_SIZE = 0x2002, LE_READ_BUFFER_SIZE_2 = 0x2060,
	       SET_EXTENDED_ADVERTISING_PARAMETERS = 0x2036 };
	if (length < 7 || event[0] != COMMAND_COMPLETE || event[5] != 0) return;
	uint8_t *returned = event + 6;
	switch (number(event + 3)) {
	case READ_LOCAL_VERSION:
		returned[6] = 0xE0, returned[7] = 0xB1;
		break;
	case READ_LOCAL_FEATURES:
		/* The kernel's controllers have LE only, bit 37 (Vol 2, Part C, 3.3). RootCanal's always have both. */
		if (station->kind == KERNEL) returned[4] |= 1 << 5;
		break;
	case LE_READ_BUFFER_SIZE: case LE_READ_BUFFER_SIZE_2:
		/* As with the data length extension. RootCanal says 27 bytes, and takes packets of any length. */
		returned[0] = 251;
		break;
	case SET_EXTENDED_ADVERTISING_PARAMETERS:
		/* The selected power is -127 to 20 dBm (7.8.53). RootCanal repeats the 127 of a host without a preference. */
		if (returned[0] == 127) returned[0] = 0;
		break;
	}
}

/* The station that loses a link: what it sends is no goodbye, and its host has not asked for it. */
static struct station *loser;

/* A packet from the speaking controller to its host */
static void from_controller(int type, const uint8_t *bytes, size_t length)
{
	enum { DISCONNECTION_COMPLETE = 0x05, COMMAND_STATUS = 0x0F, CONNECTION_TIMEOUT = 0x08 };
	uint8_t packet_type = type, changed[PACKET];
	if (type == EVENT) {
		follow_links(speaker, bytes);
		memcpy(changed, bytes, length);
		amend(speaker, changed, length);
		if (speaker == loser && changed[0] == COMMAND_STATUS) return;
		if (speaker == loser && changed[0] == DISCONNECTION_COMPLETE) changed[5] = CONNECTION_TIMEOUT;
		bytes = changed;
	}
	send_parts(speaker, &packet_type, 1, bytes, length);
}

static int64_t microseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* The head of each packet in the air (RootCanal, packets/link_layer_packets.pdl) */
enum { TYPE = 0, SOURCE = 1, DESTINATION = 7, HEAD = 13 };
enum { DISCONNECT = 0x05, LEGACY_ADVERTISING = 0x0B, SCAN = 0x0E, SCAN_RESPONSE = 0x0F, EXTENDED_ADVERTISING = 0x37, PERIODIC_ADVERTISING = 0x40,
       BROADCAST_ISOCHRONOUS = 0x04 };
static const uint8_t nobody[6];

static bool has_had(const struct station *station, const uint8_t *address)
{
	for (unsigned n = 0; n < station->address_count && n < ADDRESSES; n++)
		if (!memcmp(station->addresses[n], address, 6)) return true;
	return false;
}

static void have_address(struct station *station, const uint8_t *address)
{
	if (!memcmp(address, nobody, 6) || has_had(station, address)) return;
	unsigned place = station->address_count++;
	memcpy(station->addresses[place < ADDRESSES ? place : 1 + place % (ADDRESSES - 1)], address, 6);
}

static struct station *owner(const uint8_t *address)
{
	for (int n = 0; n < STATIONS; n++)
		if (stations[n] && has_had(stations[n], address)) return stations[n];
	return NULL;
}

/* Whether a packet belongs to a link, whose ends repeat it until it has arrived. */
static bool is_of_link(int phy, const uint8_t *bytes, size_t length)
{
	if (phy != LOW_ENERGY || length < HEAD) return false;
	switch (bytes[TYPE]) {
	case LEGACY_ADVERTISING: case SCAN: case SCAN_RESPONSE: case EXTENDED_ADVERTISING: case PERIODIC_ADVERTISING: case BROADCAST_ISOCHRONOUS: return false;
	default: return true;
	}
}

static bool is_apart(const struct station *one, const struct station *other)
{
	return (one && one->away_since) || (other && other->away_since);
}

static bool is_lost(const struct station *one, const struct station *other)
{
	return (one && one->loss && rand() % 100 < one->loss) || (other && other->loss && rand() % 100 < other->loss);
}

static void insert(struct flying *packet)
{
	struct flying **place = first_flying && last_flying->arrival <= packet->arrival ? &last_flying->next : &first_flying;
	while (*place && (*place)->arrival <= packet->arrival) place = &(*place)->next;
	if (!(packet->next = *place)) last_flying = packet;
	*place = packet;
}

/* The longest supervision timeout of a station's links, in us */
static int64_t longest_timeout(const struct station *station)
{
	int longest = 0;
	for (int n = 0; n < station->link_count; n++)
		if (station->links[n].timeout > longest) longest = station->links[n].timeout;
	return longest * 10000LL;
}

static void fly(struct station *sender, int phy, const uint8_t *bytes, size_t length)
{
	enum { CONNECTION_TIMEOUT = 0x08 };
	struct flying *packet = malloc(sizeof *packet + length);
	*packet = (struct flying) { .sender = sender, .arrival = microseconds() + flight, .phy = phy, .length = length };
	memcpy(packet->bytes, bytes, length);
	if (is_of_link(phy, bytes, length)) {
		const struct station *receiver = owner(bytes + DESTINATION);
		/* A Disconnect has a reason only. Out of range, nobody hears it. */
		if (bytes[TYPE] == DISCONNECT && length == HEAD + 1 && (sender == loser || is_apart(sender, receiver))) {
			packet->bytes[HEAD] = CONNECTION_TIMEOUT;
			packet->tells_of_timeout = true;
			if (sender != loser) packet->arrival += longest_timeout(sender);
		} else {
			for (int repeats = 0; repeats < 100 && is_lost(sender, receiver); repeats++)
				packet->arrival += 1250 * (sender->link_count ? sender->links[0].interval : 24);
			if (packet->arrival < sender->latest) packet->arrival = sender->latest;
			sender->latest = packet->arrival;
		}
	}
	insert(packet);
}

static void from_antenna(const uint8_t *bytes, size_t length, int phy, int transmit_power)
{
	(void)transmit_power;
	if (phy == LOW_ENERGY && length >= HEAD) have_address(speaker, bytes + SOURCE);
	fly(speaker, phy, bytes, length);
}

/* Whether a controller may do something with a packet. In doubt, it may. */
static bool concerns(const struct station *station, const struct flying *packet, bool is_known)
{
	if (!station->controller || packet->phy != LOW_ENERGY || packet->length < HEAD) return true;
	if (memcmp(packet->bytes + DESTINATION, nobody, 6)) return !is_known || has_had(station, packet->bytes + DESTINATION);
	return station->scans || station->initiates || station->synchronizes;
}

static void hear(struct station *station, const struct flying *packet)
{
	uint32_t length = packet->length;
	if (station->controller) {
		speaker = station;
		int rssi = RSSI - station->weakness - (packet->sender ? packet->sender->weakness : 0);
		controller_receive_link(station->controller, packet->bytes, packet->length, packet->phy, rssi < -127 ? -127 : rssi);
		station->is_stirred = true;
	} else if (station->kind == LINK && station->phy == packet->phy) {
		send_parts(station, &length, sizeof length, packet->bytes, packet->length);
	}
}

/* Lets the controllers act that may have something to do. */
static void settle(void)
{
	for (int n = 0; n < STATIONS; n++)
		if (stations[n] && stations[n]->is_stirred) {
			stations[n]->is_stirred = false;
			speaker = stations[n];
			controller_tick(speaker->controller);
		}
}

/* Lets a packet arrive at a station, unless it is lost. Returns whether it waits for the station instead. */
static bool reach(struct station *station, const struct flying *packet)
{
	if (packet->tells_of_timeout) {
		hear(station, packet);
	} else if (is_of_link(packet->phy, packet->bytes, packet->length)) {
		if (is_apart(packet->sender, station)) return has_had(station, packet->bytes + DESTINATION);
		hear(station, packet);
	} else if (!is_apart(packet->sender, station) && !is_lost(packet->sender, station)) {
		hear(station, packet);
	}
	return false;
}

/* Lets the packets arrive whose time has come. */
static void arrive(void)
{
	for (struct flying *packet; (packet = first_flying) && packet->arrival <= microseconds(); ) {
		first_flying = packet->next;
		bool is_known = false, waits = false;
		for (int n = 0; n < STATIONS && packet->length >= HEAD; n++)
			is_known |= stations[n] && stations[n] != packet->sender && has_had(stations[n], packet->bytes + DESTINATION);
		for (int n = 0; n < STATIONS; n++)
			if (stations[n] && stations[n] != packet->sender && concerns(stations[n], packet, is_known))
				waits |= reach(stations[n], packet);
		if (waits) {
			struct flying **end = &first_waiting;
			while (*end) end = &(*end)->next;
			packet->next = NULL;
			*end = packet;
		} else {
			free(packet);
		}
		settle();
	}
}

/* Takes the packets that wait for a station, or that it has sent. */
static struct flying *take_waiting(const struct station *station)
{
	struct flying *taken = NULL, **end = &taken, **place = &first_waiting;
	while (*place) {
		struct flying *packet = *place;
		if (packet->sender == station || has_had(station, packet->bytes + DESTINATION)) {
			*place = packet->next;
			packet->next = NULL;
			*end = packet;
			end = &packet->next;
		} else {
			place = &packet->next;
		}
	}
	return taken;
}

/* Lets a station come back into range, with what has waited for it. */
static void come_back(struct station *station)
{
	if (!station->away_since) return;
	station->away_since = 0;
	for (struct flying *next, *packet = take_waiting(station); packet; packet = next) {
		next = packet->next;
		packet->arrival = microseconds() + flight;
		insert(packet);
	}
}

static void to_controller(struct station *station, const uint8_t *packet, size_t length)
{
	enum { COMMAND_STATUS = 0x0F, UNKNOWN_HCI_COMMAND = 0x01 };
	speaker = station;
	is_unknown = false;
	controller_receive_hci(station->controller, packet[0], packet + 1, length - 1);
	if (is_unknown) {
		const uint8_t status[] = { COMMAND_STATUS, 4, UNKNOWN_HCI_COMMAND, 1, packet[1], packet[2] };
		note("RootCanal does not have the command 0x%04X", number(packet + 1));
		from_controller(EVENT, status, sizeof status);
	}
	station->is_stirred = true;
}

static void lose(struct station *station, uint16_t handle)
{
	station->is_stirred = true;
	settle();
	loser = station;
	/* Disconnect, 3 bytes: handle, Remote Device Terminated due to Power Off */
	to_controller(station, (const uint8_t[]) { COMMAND, 0x06, 0x04, 3, handle & 0xFF, handle >> 8, 0x15 }, 7);
	settle();
	loser = NULL;
}

static void end_links(struct station *station)
{
	while (station->link_count > 0) {
		uint16_t handle = station->links[--station->link_count].handle;
		lose(station, handle);
	}
}

/* Ends the links of stations out of range whose supervision timeout is over. */
static void supervise(void)
{
	for (int n = 0; n < STATIONS; n++) {
		struct station *station = stations[n];
		if (!station || !station->away_since || !station->link_count) continue;
		for (int link = station->link_count - 1; link >= 0; link--)
			if (microseconds() >= station->away_since + station->links[link].timeout * 10000LL)
				lose(station, station->links[link].handle);
		if (station->link_count) continue;
		for (struct flying *next, *packet = take_waiting(station); packet; packet = next) {
			next = packet->next;
			free(packet);
		}
	}
}

static void move_back(struct station *station)
{
	station->weakness = station->loss = 0;
	come_back(station);
}

/* The command Move: RSSI, loss, whether it is out of range. Its answer is Command Complete. */
static void move(struct station *station, const uint8_t *packet, size_t length)
{
	enum { COMMAND_COMPLETE = 0x0E, INVALID_PARAMETERS = 0x12 };
	bool is_valid = length == 7 && packet[5] < 100 && packet[6] < 2;
	const uint8_t answer[] = { EVENT, COMMAND_COMPLETE, 4, 1, packet[1], packet[2], is_valid ? 0 : INVALID_PARAMETERS };
	if (is_valid) {
		int rssi = (int8_t)packet[4];
		station->weakness = rssi == AS_USUAL ? 0 : RSSI - rssi;
		station->loss = packet[5];
		if (!packet[6]) come_back(station);
		else if (!station->away_since) station->away_since = microseconds();
	}
	send_parts(station, answer, sizeof answer, NULL, 0);
}

/* Stations */

static struct station *add(enum kind kind, int file)
{
	for (int n = 0; n < STATIONS; n++)
		if (!stations[n]) {
			stations[n] = calloc(1, sizeof *stations[n]);
			*stations[n] = (struct station) { .kind = kind, .file = file };
			fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
			return stations[n];
		}
	return NULL;
}

static void removed(struct station *station)
{
	if (station->controller) {
		if (station->kind == HCI) note("a peer has left: DA:4C:10:DE:17:%02X", station->addresses[0][0]);
		station->has_failed = true;
		end_links(station);
		controller_delete(station->controller);
	}
	for (int n = 0; n < STATIONS; n++)
		if (stations[n] == station) stations[n] = NULL;
	for (struct flying *packet = first_flying; packet; packet = packet->next)
		if (packet->sender == station) packet->sender = NULL;
	for (struct flying *packet = first_waiting; packet; packet = packet->next)
		if (packet->sender == station) packet->sender = NULL;
	close(station->file);
	free(station->waiting);
	free(station);
}

static void give_controller(struct station *station, const uint8_t address[6])
{
	have_address(station, address);
	station->controller = controller_new(station->addresses[0], from_controller, from_antenna);
}

/* Makes a device hciN. Its number is the order of its making. */
static int virtual_device(void)
{
	int file = open("/dev/vhci", O_RDWR | O_CLOEXEC);
	if (file < 0 || write(file, (const uint8_t[]) { VENDOR, 0 }, 2) != 2) fail("/dev/vhci: %s", strerror(errno));
	return file;
}

/* The address says the number: hci12 has BE:E0:00:00:00:12. */
static uint8_t last_byte(int index)
{
	return index / 10 << 4 | index % 10;
}

static void add_adapter(int index)
{
	give_controller(add(KERNEL, virtual_device()), (const uint8_t[]) { last_byte(index), 0, 0, 0, 0xE0, 0xBE });
}

static struct station *adapter(int index)
{
	for (int n = 0; n < STATIONS; n++)
		if (stations[n] && stations[n]->kind == KERNEL && stations[n]->addresses[0][0] == last_byte(index)) return stations[n];
	return NULL;
}

static volatile sig_atomic_t plugs_have_changed;

static void change_plugs(int signal)
{
	(void)signal;
	plugs_have_changed = true;
}

static void plug(int adapters)
{
	bool is_out[STATIONS] = { false };
	FILE *file = fopen("/run/radio.unplugged", "re");
	for (int index; file && fscanf(file, "%d", &index) == 1;)
		if (index >= 0 && index < STATIONS) is_out[index] = true;
	if (file) fclose(file);
	for (int index = 0; index < adapters; index++) {
		if (is_out[index] && adapter(index)) removed(adapter(index));
		if (!is_out[index] && !adapter(index)) add_adapter(index);
	}
}

/* RootCanal's own addresses, DA:4C:10:DE:17:00 and so on: the first that is free */
static void join(struct station *station)
{
	uint8_t address[6] = { 0, 0x17, 0xDE, 0x10, 0x4C, 0xDA };
	for (int n = 0; n < STATIONS; n++)
		if (stations[n] && stations[n]->controller && !memcmp(stations[n]->addresses[0], address, 6)) {
			address[0]++;
			n = -1;
		}
	give_controller(station, address);
	note("a peer has joined as DA:4C:10:DE:17:%02X", address[0]);
}

/* The test channel */

static void answer(struct station *station, const char *text)
{
	uint32_t length = strlen(text);
	send_parts(station, &length, sizeof length, text, length);
}

static void list(struct station *station)
{
	static const char *const names[] = { [KERNEL] = "hci_device", [HCI] = "hci_device", [LINK] = "link_layer_socket_device" };
	char text[STATIONS * 64] = " Devices: \r\n";
	for (int n = 0; n < STATIONS; n++) {
		if (!stations[n] || stations[n]->kind == TEST) continue;
		const uint8_t *a = stations[n]->addresses[0];
		sprintf(text + strlen(text), "  %d:%s@%02x:%02x:%02x:%02x:%02x:%02x \r\n", n, names[stations[n]->kind],
		        a[5], a[4], a[3], a[2], a[1], a[0]);
	}
	answer(station, text);
}

static int dial(const char *host, const char *port)
{
	struct addrinfo *found, hints = { .ai_socktype = SOCK_STREAM, .ai_family = AF_UNSPEC };
	int file = -1;
	if (getaddrinfo(host, port, &hints, &found)) return -1;
	for (struct addrinfo *each = found; each && file < 0; each = each->ai_next) {
		file = socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, 0);
		if (connect(file, each->ai_addr, each->ai_addrlen)) { close(file); file = -1; }
	}
	freeaddrinfo(found);
	return file;
}

static void test(struct station *station, const uint8_t *packet)
{
	char words[5][256] = { "" };
	int count = packet[0] ? packet[1 + packet[0]] : 0;
	const uint8_t *at = packet;
	for (int n = 0; n <= count && n < 5; n++) {
		memcpy(words[n], at + 1, at[0]);
		at += 1 + at[0] + (n == 0);
	}
	if (!words[0][0] || !strcmp(words[0], "CLOSE_TEST_CHANNEL")) {
		station->has_failed = true;
	} else if (!strcmp(words[0], "list")) {
		list(station);
	} else if (!strcmp(words[0], "add_remote") && count == 3) {
		int file = dial(words[1], words[2]);
		if (file >= 0) add(LINK, file)->phy = strcmp(words[3], "LOW_ENERGY") ? BR_EDR : LOW_ENERGY;
		answer(station, file >= 0 ? words[1] : "TestCommandHandler bad arguments to 'add_remote'");
	} else {
		char text[300];
		snprintf(text, sizeof text, "Unhandled command: %s", words[0]);
		answer(station, text);
	}
}

/* Input */

/* A command before it reaches the controller */
static void before_command(struct station *station, uint8_t *packet)
{
	enum { RESET = 0x0C03, SET_RANDOM_ADDRESS = 0x2005, SET_SCAN_ENABLE = 0x200C, CREATE_CONNECTION = 0x200D,
	       SET_ADVERTISING_SET_RANDOM_ADDRESS = 0x2035, LE_SET_EXTENDED_SCAN_ENABLE = 0x2042, EXTENDED_CREATE_CONNECTION = 0x2043,
	       PERIODIC_ADVERTISING_CREATE_SYNC = 0x2044 };
	/* Real controllers forget what they have reported sooner or later. RootCanal's never do, and a scan would not notice a
	 * new name in a scan response. So duplicates count for a period of 1.28 s (7.8.65). */
	static const uint8_t filtered[] = { 1, 1, 0, 0, 0, 0 }, filtered_by_period[] = { 1, 2, 127, 0, 1, 0 };
	switch (number(packet + 1)) {
	case RESET:
		end_links(station);
		move_back(station);
		station->scans = station->initiates = station->synchronizes = false;
		break;
	case SET_RANDOM_ADDRESS: have_address(station, packet + 4); break;
	case SET_ADVERTISING_SET_RANDOM_ADDRESS: have_address(station, packet + 5); break;
	case SET_SCAN_ENABLE: station->scans = packet[4]; break;
	case CREATE_CONNECTION: case EXTENDED_CREATE_CONNECTION: station->initiates = true; break;
	case PERIODIC_ADVERTISING_CREATE_SYNC: station->synchronizes = true; break;
	case LE_SET_EXTENDED_SCAN_ENABLE:
		station->scans = packet[4];
		if (!memcmp(packet + 4, filtered, sizeof filtered)) memcpy(packet + 4, filtered_by_period, sizeof filtered);
		break;
	}
}

static void take(struct station *station, uint8_t *packet, size_t length)
{
	switch (station->kind) {
	case KERNEL: case HCI:
		if (packet[0] == VENDOR) return;  /* the number of the new device */
		if (packet[0] == COMMAND && number(packet + 1) == MOVE) return move(station, packet, length);
		if (packet[0] == COMMAND) before_command(station, packet);
		to_controller(station, packet, length);
		break;
	case LINK: fly(station, station->phy, packet + 4, length - 4); break;
	case TEST: test(station, packet); break;
	}
	settle();
}

static void read_kernel(struct station *station)
{
	ssize_t length;
	for (int n = 0; n < 32 && (length = read(station->file, station->bytes, PACKET)) > 0; n++)
		take(station, station->bytes, length);
	if (length < 0 && errno != EAGAIN && errno != EINTR) station->has_failed = true;
}

/* Reads what is there, and calls `take` with each whole packet. Returns false at the end of the stream. */
static bool read_stream(struct station *station, ssize_t (*packet_length)(const uint8_t *, size_t),
                        void (*take)(struct station *, uint8_t *, size_t))
{
	ssize_t length = read(station->file, station->bytes + station->count, BUFFER - station->count);
	if (length <= 0) return length < 0 && (errno == EAGAIN || errno == EINTR);
	station->count += length;
	size_t at = 0;
	while ((length = packet_length(station->bytes + at, station->count - at)) > 0 && !station->has_failed) {
		take(station, station->bytes + at, length);
		at += length;
	}
	if (length < 0) {
		note("a peer sends what is no packet: %02x", station->bytes[at]);
		return false;
	}
	station->count -= at;
	memmove(station->bytes, station->bytes + at, station->count);
	return true;
}

static void read_station(struct station *station)
{
	static ssize_t (*const lengths[])(const uint8_t *, size_t) = { [HCI] = h4_length, [LINK] = link_length, [TEST] = test_length };
	if (station->kind == KERNEL)
		read_kernel(station);
	else if (!read_stream(station, lengths[station->kind], take))
		station->has_failed = true;
}

static const struct { enum kind kind; int offset, phy; } doors[] = {
	{ TEST, -1, 0 }, { HCI, 0, 0 }, { LINK, 1, BR_EDR }, { LINK, 2, LOW_ENERGY },
};
enum { DOORS = sizeof doors / sizeof *doors };

static int listen_on(const char *host, int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
	if (!inet_pton(AF_INET, host, &address.sin_addr)) fail("'%s' is no IPv4 address", host);
	int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &(int) { 1 }, sizeof(int));
	if (bind(file, (struct sockaddr *)&address, sizeof address) || listen(file, 8)) {
		if (errno == EADDRINUSE) fail("port %d is taken; choose another (a radio has the ports from 1 below to 2 above)", port);
		fail("port %d: %s", port, strerror(errno));
	}
	return file;
}

static void let_in(int listener, int door)
{
	int file = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (file < 0) return;
	setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &(int) { 1 }, sizeof(int));
	struct station *station = add(doors[door].kind, file);
	if (!station) {
		note("no room for another peer");
		close(file);
		return;
	}
	station->phy = doors[door].phy;
	if (station->kind == HCI) join(station);
	if (station->kind == TEST) answer(station, "RegisterSendResponse called");
}

static void run(int adapters, const int *listeners, int listener_count)
{
	int64_t next_tick = microseconds();
	for (;;) {
		struct pollfd files[STATIONS + DOORS];
		struct station *sources[STATIONS];
		int count = 0;
		for (int n = 0; n < STATIONS; n++)
			if (stations[n]) {
				sources[count] = stations[n];
				files[count++] = (struct pollfd) { stations[n]->file, POLLIN | (stations[n]->waiting_count ? POLLOUT : 0), 0 };
			}
		for (int door = 0; door < listener_count; door++)
			files[count + door] = (struct pollfd) { listeners[door], POLLIN, 0 };
		int64_t next = first_flying && first_flying->arrival < next_tick ? first_flying->arrival : next_tick;
		int64_t wait = next - microseconds();
		ppoll(files, count + listener_count, count ? &(struct timespec) { .tv_nsec = wait > 0 ? wait * 1000 : 0 } : NULL, NULL);

		for (int n = 0; n < count; n++) {
			if (files[n].revents & POLLOUT) send_waiting(sources[n]);
			if (files[n].revents & ~POLLOUT) read_station(sources[n]);
		}
		for (int door = 0; door < listener_count; door++)
			if (files[count + door].revents) let_in(listeners[door], door);
		arrive();
		if (plugs_have_changed) {
			plugs_have_changed = false;
			plug(adapters);
		}
		if (microseconds() >= next_tick) {
			next_tick = microseconds() + TICK;
			for (int n = 0; n < STATIONS; n++)
				if (stations[n] && stations[n]->controller) stations[n]->is_stirred = true;
			settle();
			supervise();
		}
		for (int n = 0; n < STATIONS; n++)
			if (stations[n] && stations[n]->has_failed) {
				if (stations[n]->kind == KERNEL) fail("a virtual HCI device is gone");
				removed(stations[n]);
			}
	}
}

/* A controller elsewhere */

static int attached_device;

static void to_kernel(struct station *station, uint8_t *packet, size_t length)
{
	(void)station;
	if (write(attached_device, packet, length) != (ssize_t)length && errno != ENXIO) fail("the virtual HCI device does not take its packets: %s", strerror(errno));
}

static void send_all(int file, const uint8_t *bytes, size_t length)
{
	while (length > 0) {
		ssize_t sent = write(file, bytes, length);
		if (sent < 0 && errno == EAGAIN) poll(&(struct pollfd) { file, POLLOUT, 0 }, 1, -1);
		else if (sent < 0 && errno != EINTR) fail("the controller elsewhere is gone: %s", strerror(errno));
		if (sent > 0) bytes += sent, length -= sent;
	}
}

static void attach(const char *path)
{
	int file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0) fail("%s: %s", path, strerror(errno));
	struct station *peer = add(HCI, file);
	attached_device = virtual_device();
	for (;;) {
		struct pollfd files[] = { { file, POLLIN, 0 }, { attached_device, POLLIN, 0 } };
		uint8_t packet[PACKET];
		poll(files, 2, -1);
		if (files[1].revents) {
			ssize_t length = read(attached_device, packet, sizeof packet);
			if (length > 0 && packet[0] != VENDOR) send_all(file, packet, length);
		}
		if (files[0].revents && (!read_stream(peer, h4_length, to_kernel) || files[0].revents & POLLHUP))
			fail("the controller elsewhere is gone");
	}
}

int main(int count, char **words)
{
	int port = 0, listeners[DOORS];
	char host[16] = "0.0.0.0";
	const char *greeting = NULL;
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	if (count == 3 && !strcmp(words[1], "--attach")) attach(words[2]);
	for (; count > 1 && words[1][0] == '-'; count--, words++) {
		if (!strcmp(words[1], "--debug")) log_level = 0;
		else if (!strcmp(words[1], "--flight") && count > 2) flight = atoi(words[2]), count--, words++;
		else if (!strcmp(words[1], "--greeting") && count > 2) greeting = words[2], count--, words++;
		else if (!strcmp(words[1], "--listen") && count > 2) {
			if (sscanf(words[2], "%15[0-9.]:%d", host, &port) != 2) strcpy(host, "0.0.0.0"), port = atoi(words[2]);
			count--, words++;
		}
		else break;
	}
	if (count != 3) fail("usage: radio [--debug] [--flight US] [--listen [ADDRESS:]PORT [--greeting TEXT]] LIBRARY CONTROLLERS, or radio --attach FILE");
	load(words[1]);
	for (int door = 0; port && door < DOORS; door++)
		listeners[door] = listen_on(host, port + doors[door].offset);
	int adapters = atoi(words[2]);
	if (adapters == 0 && !port) return 0;
	for (int index = 0; index < adapters; index++)
		add_adapter(index);
	signal(SIGUSR1, change_plugs);
	if (greeting) note("%s", greeting);
	run(adapters, listeners, port ? DOORS : 0);
}
