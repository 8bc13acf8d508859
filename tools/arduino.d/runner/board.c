/* An Arduino Uno: an ATmega328P at 16 MHz. */
#include "runner.h"

#include <simavr/avr_ioport.h>
#include <simavr/avr_timer.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FREQUENCY = 16000000,
	TICK = FREQUENCY / 1000, /* cycles between two looks at the world outside: a millisecond */
	PINS = 20,               /* 0 to 13, A0 to A5 */
	IDLE = 0xFF,             /* where yield() writes (idle.c) */
	IDLE_CYCLES = FREQUENCY / 50000,
	/* The UART's registers, as addresses of data (ATmega328P data sheet, 36: register summary) */
	UCSR0A = 0xC0, UCSR0C = 0xC2, UBRR0L = 0xC4, UBRR0H = 0xC5,
};

static struct {
	avr_t *avr;
	avr_irq_t *uart;
	struct line *line;
	struct pace pace;
	avr_cycle_count_t last;       /* the cycle of the last tick */
	bool is_gone, was_reset;
	bool has_room;                /* the UART takes a byte */
	uint8_t in[64], out[4096];    /* what the UART has not taken yet; what the line has not */
	size_t in_at, in_count, out_count;
	uint64_t received, sent;
	uint32_t baud;
	bool is_high[PINS];
	void (*reset)(avr_t *);
} board;

/* MARK: UART */

/* Gives the UART its next byte when it has taken the last: one at a time, so that none comes faster than the line
 * would carry it. simavr queues what comes faster and hands it over in pairs. */
static void feed(void)
{
	if (!board.has_room || board.in_at == board.in_count) return;
	board.has_room = false;
	board.received++;
	avr_raise_irq(board.uart + UART_IRQ_INPUT, board.in[board.in_at++]);
}

static void flush(void)
{
	int64_t before = now();
	if (!line_write(board.line, board.out, board.out_count)) board.is_gone = true;
	board.out_count = 0;
	if (now() - before > 1000000) pace_resume(&board.pace);
}

/* The UART of the AVR as simavr keeps it. */
static avr_uart_t *uart(void)
{
	for (avr_io_t *io = board.avr->io_port; io; io = io->next)
		if (!strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == '0') return (avr_uart_t *)io;
	return NULL;
}

/* simavr (1.6 to 1.8) counts a parity bit also where there is none, and would be a tenth too slow. */
static void set_byte_time(void)
{
	const uint8_t *data = board.avr->data;
	uint32_t cycles_per_bit = ((data[UBRR0H] & 0x0F) << 8 | data[UBRR0L]) + 1;
	cycles_per_bit *= data[UCSR0A] & 0x02 ? 8 : 16;                 /* U2X0: double speed */
	int bits = 1 + 5 + (data[UCSR0C] >> 1 & 3)                      /* start, UCSZ0: 5 to 8 */
		+ (data[UCSR0C] & 0x20 ? 1 : 0) + (data[UCSR0C] & 0x08 ? 2 : 1); /* UPM0: parity, USBS0: stops */
	uart()->cycles_per_byte = cycles_per_bit * bits;
	uint32_t baud = FREQUENCY / cycles_per_bit;
	if (baud == board.baud) return;
	board.baud = baud;
	say_event("the UART is open at %u baud", line_set_baud(board.line, baud));
}

static void uart_has_room(struct avr_irq_t *irq, uint32_t value, void *context)
{
	(void)irq, (void)context;
	if (!value) return;
	set_byte_time();
	board.has_room = true;
	feed();
}

static void uart_is_full(struct avr_irq_t *irq, uint32_t value, void *context)
{
	(void)irq, (void)context;
	if (value) board.has_room = false;
}

static void uart_sends(struct avr_irq_t *irq, uint32_t value, void *context)
{
	(void)irq, (void)context;
	if (board.is_gone) return;
	board.out[board.out_count++] = value;
	board.sent++;
	if (board.out_count == sizeof board.out) flush();
}

static void connect_uart(void)
{
	uint32_t flags = 0; /* neither its own sleeping nor its own printing */
	avr_ioctl(board.avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
	board.uart = avr_io_getirq(board.avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
	avr_irq_register_notify(board.uart + UART_IRQ_OUTPUT, uart_sends, NULL);
	avr_irq_register_notify(board.uart + UART_IRQ_OUT_XON, uart_has_room, NULL);
	avr_irq_register_notify(board.uart + UART_IRQ_OUT_XOFF, uart_is_full, NULL);
}

/* MARK: Pins */

/* As the Uno's board counts them: port D, six of port B, six of port C. */
static const struct { char port; int first, count; } ports[] = { { 'D', 0, 8 }, { 'B', 8, 6 }, { 'C', 14, 6 } };

static void pin_changed(struct avr_irq_t *irq, uint32_t value, void *context)
{
	(void)irq;
	int pin = (intptr_t)context;
	size_t port = pin < 8 ? 0 : pin < 14 ? 1 : 2;
	avr_ioport_state_t state;
	avr_ioctl(board.avr, AVR_IOCTL_IOPORT_GETSTATE(ports[port].port), &state);
	bool is_output = state.ddr >> (pin - ports[port].first) & 1;
	if (!is_output || board.is_high[pin] == (value & 1)) return;
	board.is_high[pin] = value & 1;
	say_event(pin < 14 ? "pin %d is %s" : "pin A%d is %s", pin < 14 ? pin : pin - 14, value & 1 ? "HIGH" : "LOW");
}

static void connect_pins(void)
{
	for (size_t port = 0; port < sizeof ports / sizeof *ports; port++)
		for (int i = 0; i < ports[port].count; i++) {
			avr_irq_t *pin = avr_io_getirq(board.avr, AVR_IOCTL_IOPORT_GETIRQ(ports[port].port), IOPORT_IRQ_PIN0 + i);
			avr_irq_register_notify(pin, pin_changed, (void *)(intptr_t)(ports[port].first + i));
		}
}

/* MARK: Time */

/* A timer of simavr's, so that a sleeping AVR does not sleep past it. */
static avr_cycle_count_t tick(struct avr_t *avr, avr_cycle_count_t when, void *context)
{
	(void)context;
	if (board.out_count) flush();
	if (board.in_at == board.in_count) {
		int count = line_read(board.line, board.in, sizeof board.in);
		if (count < 0) board.is_gone = true;
		board.in_at = 0;
		board.in_count = count > 0 ? count : 0;
	}
	feed();
	pace_advance(&board.pace, avr_cycles_to_nsec(avr, avr->cycle - board.last));
	board.last = avr->cycle;
	return when + TICK;
}

/* simavr would sleep for the time that the AVR sleeps; here tick() does. */
static void sleep_without_waiting(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr, (void)cycles;
}

/* Nothing happens in the sketch for now: skips simulating that, but not the next timer. */
static void idle(avr_t *avr, avr_io_addr_t address, uint8_t value, void *context)
{
	(void)address, (void)value, (void)context;
	if (avr->run_cycle_count <= IDLE_CYCLES) return;
	avr->cycle += IDLE_CYCLES;
	avr->run_cycle_count -= IDLE_CYCLES;
}

/* The core puts the timers 1 and 2 into the mode of 8-bit phase-correct PWM. simavr (1.6 to 1.8) does not know that
 * of the ATmega328P's and lets them overflow at each count, which takes most of its time. */
static void teach_timers(void)
{
	for (avr_io_t *io = board.avr->io_port; io; io = io->next) {
		if (strcmp(io->kind, "timer")) continue;
		avr_timer_t *timer = (avr_timer_t *)io;
		if (timer->name != '0') timer->wgm_op[1] = (avr_timer_wgm_t)AVR_TIMER_WGM_FCPWM8();
	}
}

/* A reset forgets all of simavr's timers, ours too; in simavr 1.8, it also starts counting cycles anew. */
static void reset(avr_t *avr)
{
	if (board.reset) board.reset(avr);
	board.was_reset = true;
}

static void after_reset(void)
{
	board.was_reset = false;
	board.has_room = false;
	board.last = board.avr->cycle;
	avr_cycle_timer_register(board.avr, TICK, tick, NULL);
	board.avr->run_cycle_limit = TICK; /* look for due timers when one is due, not after each instruction */
}

/* MARK: From start to end */

static void log_of_simavr(avr_t *avr, const int level, const char *format, va_list arguments)
{
	char text[256];
	(void)avr;
	if (level > LOG_ERROR) return;
	vsnprintf(text, sizeof text, format, arguments);
	text[strcspn(text, "\n")] = 0;
	say("simavr: %s", text);
}

static bool load(const char *program)
{
	elf_firmware_t firmware = { 0 };
	avr_global_logger_set(log_of_simavr);
	if (elf_read_firmware(program, &firmware)) {
		say("cannot read the program %s", program);
		return false;
	}
	board.avr = avr_make_mcu_by_name("atmega328p");
	if (!board.avr || avr_init(board.avr)) return false;
	avr_load_firmware(board.avr, &firmware);
	board.avr->frequency = FREQUENCY;
	board.avr->vcc = board.avr->avcc = board.avr->aref = 5000; /* millivolts */
	board.avr->sleep = sleep_without_waiting;
	board.reset = board.avr->reset;
	board.avr->reset = reset;
	return true;
}

static int say_the_end(int state)
{
	const struct pace *pace = &board.pace;
	double real = (now() - pace->started) / 1e9, simulated = pace->simulated / 1e9;
	if (state == cpu_Crashed)
		say("the sketch crashed: at address %04X there is no instruction that an ATmega328P has", board.avr->pc);
	else if (state == cpu_Done)
		say("the sketch has switched the processor off: it sleeps with interrupts disabled");
	else if (!stopped)
		say("the other side of %s is gone", board.line->path ? board.line->path : "standard output");
	say("the sketch ran for %.1f s: %llu bytes in, %llu out", simulated, (unsigned long long)board.received,
		(unsigned long long)board.sent);
	if (simulated < real * 0.95 && real > 1)
		say("this machine is too slow: the sketch ran at %.0f %% of an Uno's speed", 100 * simulated / real);
	return state == cpu_Crashed ? EXIT_CRASHED : 0;
}

int board_run(const struct options *options, struct line *line)
{
	if (!load(options->program)) return EXIT_NO_PROGRAM;
	board.line = line;
	teach_timers();
	connect_uart();
	avr_register_io_write(board.avr, IDLE, idle, NULL);
	if (options->shows_pins) connect_pins();
	after_reset();
	pace_begin(&board.pace);
	int state = cpu_Running;
	while (!stopped && !board.is_gone && state != cpu_Done && state != cpu_Crashed) {
		state = avr_run(board.avr);
		if (board.was_reset) after_reset();
	}
	if (!board.is_gone && board.out_count) flush();
	return say_the_end(state);
}
