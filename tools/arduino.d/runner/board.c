/* An Arduino Uno, from its start to its end. */
#include "board.h"

#include <simavr/avr_extint.h>
#include <simavr/avr_timer.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_time.h>
#include <stdio.h>
#include <string.h>

enum {
	IDLE = 0xFF, /* the address that yield() writes (idle.c) */
	IDLE_CYCLES = FREQUENCY / 50000,
};

struct board board;
static void (*reset_of_simavr)(avr_t *);

/* MARK: Time */

/* A simavr timer, so that a sleeping AVR does not sleep past it. */
static avr_cycle_count_t tick(struct avr_t *avr, avr_cycle_count_t when, void *context)
{
	(void)context;
	flush_uart();
	feed_uart();
	pace_advance(&board.pace, avr_cycles_to_nsec(avr, avr->cycle - board.last));
	board.last = avr->cycle;
	return when + TICK;
}

/* simavr would sleep for the time that the AVR sleeps; here tick() does. */
static void sleep_without_waiting(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr, (void)cycles;
}

/* The sketch only waits: skips the simulation of that time, but not the next timer. */
static void idle(avr_t *avr, avr_io_addr_t address, uint8_t value, void *context)
{
	(void)address, (void)value, (void)context;
	if (avr->run_cycle_count <= IDLE_CYCLES) return;
	avr->cycle += IDLE_CYCLES;
	avr->run_cycle_count -= IDLE_CYCLES;
}

/* The core sets timers 1 and 2 to 8-bit phase-correct PWM. simavr (1.6 to 1.8) does not know this mode of the
 * ATmega328P and lets the timers overflow at each count, which takes most of its time. */
static void teach_timers(void)
{
	for (avr_io_t *io = board.avr->io_port; io; io = io->next) {
		if (strcmp(io->kind, "timer")) continue;
		avr_timer_t *timer = (avr_timer_t *)io;
		if (timer->name != '0') timer->wgm_op[1] = (avr_timer_wgm_t)AVR_TIMER_WGM_FCPWM8();
	}
}

/* A reset removes all simavr timers, including ours; in simavr 1.8, it also restarts the cycle count. */
static void reset(avr_t *avr)
{
	if (reset_of_simavr) reset_of_simavr(avr);
	board.was_reset = true;
}

static void after_reset(void)
{
	board.was_reset = false;
	reset_uart();
	board.last = board.avr->cycle;
	/* Otherwise simavr checks pins 2 and 3 in each cycle in which they are low, for a level interrupt. */
	avr_extint_set_strict_lvl_trig(board.avr, 0, 0);
	avr_extint_set_strict_lvl_trig(board.avr, 1, 0);
	avr_cycle_timer_register(board.avr, TICK, tick, NULL);
	board.avr->run_cycle_limit = TICK; /* check timers when one is due, not after each instruction */
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
	reset_of_simavr = board.avr->reset;
	board.avr->reset = reset;
	return true;
}

static int say_the_end(int state)
{
	const struct pace *pace = &board.pace;
	double real = (now() - pace->started) / 1e9, simulated = pace->simulated / 1e9;
	if (state == cpu_Crashed)
		say("the sketch crashed: address %04X has no valid ATmega328P instruction", board.avr->pc);
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
	flush_uart();
	return say_the_end(state);
}
