/* Shared by the parts of the simulated Uno: an ATmega328P at 16 MHz. */
#ifndef BOARD_H
#define BOARD_H

#include "runner.h"

#include <simavr/sim_avr.h>

enum {
	FREQUENCY = 16000000,
	TICK = FREQUENCY / 1000, /* cycles between two checks of the line: a millisecond */
};

extern struct board {
	avr_t *avr;
	struct line *line;
	struct pace pace;
	avr_cycle_count_t last;  /* the cycle of the last tick */
	bool is_gone, was_reset; /* the line; the AVR */
	uint64_t received, sent; /* bytes, by the UART */
} board;

/* uart.c: between the UART and the line. */
void connect_uart(void);
void reset_uart(void);
/* At each tick: passes on the bytes that the UART has sent, and takes the bytes that have come for it. */
void flush_uart(void);
void feed_uart(void);

/* pins.c: reports when an output changes. */
void connect_pins(void);

#endif
