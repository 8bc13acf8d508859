/* Takes the place of the core's hooks.c: delay() calls yield() over and over while it waits. On real silicon that
 * burns cycles; here each would be simulated. So tell the runner (board.c), which lets up to 20 us pass at once. */
#include <stdint.h>

/* No register of the ATmega328P has this address. */
#define IDLE (*(volatile uint8_t *)0xFF)

static void idle(void) { IDLE = 0; }

/* Weak, as in the core: a sketch may have its own. */
void yield(void) __attribute__((weak, alias("idle")));
