/* The UART at pins 0 and 1. */
#include "board.h"

#include <simavr/avr_uart.h>
#include <string.h>

/* The data addresses of its registers (ATmega328P data sheet, 36: register summary). */
enum { UCSR0A = 0xC0, UCSR0C = 0xC2, UBRR0L = 0xC4, UBRR0H = 0xC5 };

static avr_irq_t *irqs;
static avr_uart_t *uart;
static bool has_room;             /* the UART can take a byte */
static uint8_t in[64], out[4096]; /* bytes that the UART, and that the line, has not taken yet */
static size_t in_at, in_count, out_count;
static uint32_t known_baud;

/* A write to the line that takes more nanoseconds has waited. */
static const int64_t UNUSUAL = 1000000;

/* Gives the UART its next byte after it has taken the last: one at a time, so that none comes faster than the line
 * would carry it. simavr would queue faster bytes and deliver them in pairs. */
static void feed(void)
{
	if (!has_room || in_at == in_count) return;
	has_room = false;
	board.received++;
	avr_raise_irq(irqs + UART_IRQ_INPUT, in[in_at++]);
}

void feed_uart(void)
{
	if (in_at == in_count) {
		int count = line_read(board.line, in, sizeof in);
		if (count < 0) board.is_gone = true;
		in_at = 0;
		in_count = count > 0 ? count : 0;
	}
	feed();
}

void flush_uart(void)
{
	if (!out_count || board.is_gone) return;
	int64_t before = now();
	if (!line_write(board.line, out, out_count)) board.is_gone = true;
	out_count = 0;
	if (now() - before > UNUSUAL) pace_resume(&board.pace);
}

/* simavr (1.6 to 1.8) counts a parity bit even where there is none, and would be a tenth too slow. */
static void set_byte_time(void)
{
	const uint8_t *data = board.avr->data;
	uint32_t cycles_per_bit = ((data[UBRR0H] & 0x0F) << 8 | data[UBRR0L]) + 1;
	cycles_per_bit *= data[UCSR0A] & 0x02 ? 8 : 16;                 /* U2X0: double speed */
	int bits = 1 + 5 + (data[UCSR0C] >> 1 & 3)                      /* start, UCSZ0: 5 to 8 */
		+ (data[UCSR0C] & 0x20 ? 1 : 0) + (data[UCSR0C] & 0x08 ? 2 : 1); /* UPM0: parity, USBS0: stops */
	uart->cycles_per_byte = cycles_per_bit * bits;
	uint32_t baud = FREQUENCY / cycles_per_bit;
	if (baud == known_baud) return;
	known_baud = baud;
	say_event("the UART is open at %u baud", line_set_baud(board.line, baud));
}

static void uart_has_room(struct avr_irq_t *irq, uint32_t value, void *context)
{
	(void)irq, (void)context;
	if (!value) return;
	set_byte_time();
	has_room = true;
	feed();
}

static void uart_is_full(struct avr_irq_t *irq, uint32_t value, void *context)
{
	(void)irq, (void)context;
	if (value) has_room = false;
}

static void uart_sends(struct avr_irq_t *irq, uint32_t value, void *context)
{
	(void)irq, (void)context;
	if (board.is_gone) return;
	out[out_count++] = value;
	board.sent++;
	if (out_count == sizeof out) flush_uart();
}

void connect_uart(void)
{
	uint32_t flags = 0; /* simavr neither sleeps nor prints by itself */
	avr_ioctl(board.avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
	for (avr_io_t *io = board.avr->io_port; io; io = io->next)
		if (!strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == '0') uart = (avr_uart_t *)io;
	irqs = avr_io_getirq(board.avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
	avr_irq_register_notify(irqs + UART_IRQ_OUTPUT, uart_sends, NULL);
	avr_irq_register_notify(irqs + UART_IRQ_OUT_XON, uart_has_room, NULL);
	avr_irq_register_notify(irqs + UART_IRQ_OUT_XOFF, uart_is_full, NULL);
}

void reset_uart(void)
{
	has_room = false;
}
