/* Replaces the core's hooks.c. delay() calls yield() repeatedly while it waits. Simulating each call would cost time,
 * so yield() tells the runner (board.c), which lets up to 20 us pass at once. */
#include <stdint.h>

/* No register of the ATmega328P has this address. */
#define IDLE (*(volatile uint8_t *)0xFF)

static void idle(void) { IDLE = 0; }

/* Weak, as in the core: a sketch may have its own. */
void yield(void) __attribute__((weak, alias("idle")));
