/* The floor that a server on bluetoothd can reach: the attributes that bench.d/central.c needs, on hci0, with libdbus and nothing
 * else. It sends back what begins with 'E', and answers 'S' and a number of 32 bits, least significant byte first, with so many
 * notifications of 20 bytes. Writes come as WriteValue, and notifications leave through the socket of AcquireNotify.
 */
#define _GNU_SOURCE
#include <dbus/dbus.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ROOT "/bench"
#define SERVICE ROOT "/service"
#define CHARACTERISTIC SERVICE "/characteristic"
#define ADVERTISEMENT ROOT "/advertisement"
enum { MTU = 23, VALUE = MTU - 3 };

static DBusConnection *bus;
static int values = -1;
/* The stream that was asked for, and how much of it has been sent. */
static uint32_t streamed, asked;

/* Values */

/* Whether the socket has taken the value, or is closed. */
static int notify(const void *value, size_t size)
{
	if (values < 0 || send(values, value, size, MSG_NOSIGNAL) >= 0) return 1;
	if (errno == EAGAIN) return 0;
	close(values);
	values = -1;
	streamed = asked = 0;
	return 1;
}

static void stream(void)
{
	uint8_t numbered[VALUE] = { 0 };
	for (; streamed < asked; streamed++) {
		memcpy(numbered, &streamed, sizeof streamed);
		if (!notify(numbered, sizeof numbered)) return;
	}
}

static void written(const uint8_t *value, int size)
{
	if (size == 5 && value[0] == 'S') {
		streamed = 0;
		asked = value[1] | value[2] << 8 | value[3] << 16 | (uint32_t)value[4] << 24;
	} else if (size && value[0] == 'E') {
		while (!notify(value, size)) {
			struct pollfd room = { values, POLLOUT, 0 };
			poll(&room, 1, 10000);
		}
	}
}

/* Properties */

static void open_entry(DBusMessageIter *dictionary, DBusMessageIter *entry, int type, const char *key)
{
	dbus_message_iter_open_container(dictionary, DBUS_TYPE_DICT_ENTRY, NULL, entry);
	dbus_message_iter_append_basic(entry, type, &key);
}

static void property(DBusMessageIter *dictionary, const char *name, const char *type, const void *value)
{
	DBusMessageIter entry, variant;
	open_entry(dictionary, &entry, DBUS_TYPE_STRING, name);
	dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant);
	dbus_message_iter_append_basic(&variant, type[0], value);
	dbus_message_iter_close_container(&entry, &variant);
	dbus_message_iter_close_container(dictionary, &entry);
}

static void strings(DBusMessageIter *dictionary, const char *name, const char **strings)
{
	DBusMessageIter entry, variant, array;
	open_entry(dictionary, &entry, DBUS_TYPE_STRING, name);
	dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
	dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &array);
	for (; *strings; strings++) dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, strings);
	dbus_message_iter_close_container(&variant, &array);
	dbus_message_iter_close_container(&entry, &variant);
	dbus_message_iter_close_container(dictionary, &entry);
}

static void properties(DBusMessageIter *parent, const char *path)
{
	static const char *service = "0000ffe0-0000-1000-8000-00805f9b34fb", *characteristic = "0000ffe1-0000-1000-8000-00805f9b34fb";
	static const char *flags[] = { "read", "write", "write-without-response", "notify", NULL };
	static const char *path_of_service = SERVICE, *type = "peripheral", *name = "bench";
	static const dbus_bool_t yes = 1, no = 0;
	DBusMessageIter dictionary;
	dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
	if (!strcmp(path, SERVICE)) {
		property(&dictionary, "UUID", "s", &service);
		property(&dictionary, "Primary", "b", &yes);
	} else if (!strcmp(path, CHARACTERISTIC)) {
		property(&dictionary, "UUID", "s", &characteristic);
		property(&dictionary, "Service", "o", &path_of_service);
		strings(&dictionary, "Flags", flags);
		property(&dictionary, "NotifyAcquired", "b", &no);
	} else {
		property(&dictionary, "Type", "s", &type);
		strings(&dictionary, "ServiceUUIDs", (const char *[]){ service, NULL });
		property(&dictionary, "LocalName", "s", &name);
	}
	dbus_message_iter_close_container(parent, &dictionary);
}

static void object(DBusMessageIter *objects, const char *path, const char *interface)
{
	DBusMessageIter object, interfaces, entry;
	open_entry(objects, &object, DBUS_TYPE_OBJECT_PATH, path);
	dbus_message_iter_open_container(&object, DBUS_TYPE_ARRAY, "{sa{sv}}", &interfaces);
	open_entry(&interfaces, &entry, DBUS_TYPE_STRING, interface);
	properties(&entry, path);
	dbus_message_iter_close_container(&interfaces, &entry);
	dbus_message_iter_close_container(&object, &interfaces);
	dbus_message_iter_close_container(objects, &object);
}

/* Calls */

static DBusHandlerResult answer(DBusConnection *connection, DBusMessage *call, void *data)
{
	(void)connection, (void)data;
	if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
	const char *member = dbus_message_get_member(call);
	DBusMessage *reply = dbus_message_new_method_return(call);
	DBusMessageIter arguments, array;
	dbus_message_iter_init_append(reply, &arguments);
	if (!strcmp(member, "WriteValue")) {
		const uint8_t *value;
		int size;
		dbus_message_iter_init(call, &arguments);
		dbus_message_iter_recurse(&arguments, &array);
		dbus_message_iter_get_fixed_array(&array, &value, &size);
		written(value, size);
	} else if (!strcmp(member, "ReadValue")) {
		dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "y", &array);
		dbus_message_iter_close_container(&arguments, &array);
	} else if (!strcmp(member, "AcquireNotify")) {
		int ends[2];
		uint16_t mtu = MTU;
		if (values >= 0) close(values);
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends)) exit(1);
		values = ends[0];
		dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UNIX_FD, &ends[1]);
		dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT16, &mtu);
		close(ends[1]);
	} else if (!strcmp(member, "GetManagedObjects")) {
		dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &array);
		object(&array, SERVICE, "org.bluez.GattService1");
		object(&array, CHARACTERISTIC, "org.bluez.GattCharacteristic1");
		dbus_message_iter_close_container(&arguments, &array);
	} else if (!strcmp(member, "GetAll")) {
		properties(&arguments, dbus_message_get_path(call));
	}
	if (!dbus_message_get_no_reply(call)) dbus_connection_send(bus, reply, NULL);
	dbus_message_unref(reply);
	return DBUS_HANDLER_RESULT_HANDLED;
}

static void register_object(const char *interface, const char *method, const char *path, DBusPendingCallNotifyFunction done)
{
	DBusMessage *call = dbus_message_new_method_call("org.bluez", "/org/bluez/hci0", interface, method);
	DBusMessageIter arguments, options;
	DBusPendingCall *pending;
	dbus_message_iter_init_append(call, &arguments);
	dbus_message_iter_append_basic(&arguments, DBUS_TYPE_OBJECT_PATH, &path);
	dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
	dbus_message_iter_close_container(&arguments, &options);
	dbus_connection_send_with_reply(bus, call, &pending, -1);
	dbus_pending_call_set_notify(pending, done, NULL, NULL);
	dbus_message_unref(call);
}

static void succeeded(DBusPendingCall *call, void *data)
{
	DBusMessage *reply = dbus_pending_call_steal_reply(call);
	(void)data;
	if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) {
		fprintf(stderr, "dbus: %s\n", dbus_message_get_error_name(reply));
		exit(1);
	}
	dbus_message_unref(reply);
	dbus_pending_call_unref(call);
}

static void has_services(DBusPendingCall *call, void *data)
{
	succeeded(call, data);
	register_object("org.bluez.LEAdvertisingManager1", "RegisterAdvertisement", ADVERTISEMENT, succeeded);
}

int main(void)
{
	int descriptor;
	bus = dbus_bus_get(DBUS_BUS_SYSTEM, NULL);
	if (!bus) return 1;
	dbus_connection_add_filter(bus, answer, NULL, NULL);
	dbus_connection_get_unix_fd(bus, &descriptor);
	register_object("org.bluez.GattManager1", "RegisterApplication", ROOT, has_services);
	/* A stream waits for room in the socket, and for calls meanwhile. */
	while (dbus_connection_read_write_dispatch(bus, streamed < asked ? 0 : -1)) {
		if (streamed == asked || dbus_connection_get_dispatch_status(bus) != DBUS_DISPATCH_COMPLETE) continue;
		struct pollfd ready[] = { { values, POLLOUT, 0 }, { descriptor, POLLIN, 0 } };
		poll(ready, 2, -1);
		stream();
	}
}
