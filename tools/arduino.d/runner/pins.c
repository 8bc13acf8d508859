/* The outputs, with the Uno's pin numbers. */
#include "board.h"

#include <simavr/avr_ioport.h>

static bool is_high[20]; /* 0 to 13, A0 to A5 */

/* Port D, six pins of port B, six of port C. */
static const struct { char port; int first, count; } ports[] = { { 'D', 0, 8 }, { 'B', 8, 6 }, { 'C', 14, 6 } };

static void pin_changed(struct avr_irq_t *irq, uint32_t value, void *context)
{
	(void)irq;
	int pin = (intptr_t)context;
	size_t port = pin < 8 ? 0 : pin < 14 ? 1 : 2;
	avr_ioport_state_t state;
	avr_ioctl(board.avr, AVR_IOCTL_IOPORT_GETSTATE(ports[port].port), &state);
	bool is_output = state.ddr >> (pin - ports[port].first) & 1;
	if (!is_output || is_high[pin] == (value & 1)) return;
	is_high[pin] = value & 1;
	say_event(pin < 14 ? "pin %d is %s" : "pin A%d is %s", pin < 14 ? pin : pin - 14, value & 1 ? "HIGH" : "LOW");
}

void connect_pins(void)
{
	for (size_t port = 0; port < sizeof ports / sizeof *ports; port++)
		for (int i = 0; i < ports[port].count; i++) {
			avr_irq_t *pin = avr_io_getirq(board.avr, AVR_IOCTL_IOPORT_GETIRQ(ports[port].port), IOPORT_IRQ_PIN0 + i);
			avr_irq_register_notify(pin, pin_changed, (void *)(intptr_t)(ports[port].first + i));
		}
}
