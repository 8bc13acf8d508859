/* A host for measurements: HCI over TCP (H4, as tools/radio serves it), one link, and ATT on it. */
#include <stddef.h>
#include <stdint.h>

/* Connects to the port on this host and starts the controller. */
void hci_open(int port);

/* Advertises FFE0 until a central connects, every 100 ms. */
void hci_advertise(void);

/* Scans until it hears a device that takes connections. */
void hci_await_advertiser(void);

/* Connects to the last device that was heard. */
void hci_connect(void);

/* Sends a PDU of ATT, once the controller has room. Returns 0 if there is no link any more. */
int hci_send(const void *pdu, size_t size);

/* The next PDU of ATT; 0: none came in so many seconds (less than 0: it waits for ever), or there is no link. */
int hci_receive(uint8_t *pdu, size_t size, double seconds);

/* Whether there is a link. */
int hci_has_link(void);

/* Takes the controller's next packet. Returns 0 if none came in so many seconds (less than 0: it waits for ever). */
int hci_await(double seconds);
