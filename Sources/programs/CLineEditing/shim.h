// The functions of libedit's histedit.h (editline(3)) that take any number of arguments, as functions with fixed ones.
// Swift cannot call the former. The library is loaded at run time, so each gets the address of the function.
#pragma once

#include <signal.h>
#include <sys/select.h>

typedef struct blemu_line {
  const char *buffer;
  const char *cursor;
  const char *end;
} blemu_line;

typedef struct blemu_history_event {
  int number;
  const char *text;
} blemu_history_event;

typedef unsigned char (*blemu_command)(void *editor, int character);
typedef char *(*blemu_prompt)(void *editor);
/// Gives a wchar_t; returns 1, or 0 at the end.
typedef int (*blemu_reader)(void *editor, int *character);

/// Waits until the descriptor has input, at most so many milliseconds or, with -1, without a limit, with other signals
/// blocked for that time; 0: the time is up. FD_SET is a macro.
static inline int blemu_wait_for_input(int descriptor, int milliseconds, const sigset_t *blocked) {
  fd_set set;
  struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  FD_ZERO(&set);
  FD_SET(descriptor, &set);
  return pselect(descriptor + 1, &set, 0, 0, milliseconds < 0 ? 0 : &limit, blocked);
}

/// EL_PROMPT
static inline int blemu_set_prompt(void *el_set, void *editor, blemu_prompt prompt) {
  return ((int (*)(void *, int, ...))el_set)(editor, 0, prompt);
}

/// EL_EDITOR
static inline int blemu_set_keys(void *el_set, void *editor, const char *name) {
  return ((int (*)(void *, int, ...))el_set)(editor, 2, name);
}

/// EL_SIGNAL
static inline int blemu_handle_signals(void *el_set, void *editor, int handles) {
  return ((int (*)(void *, int, ...))el_set)(editor, 3, handles);
}

/// EL_BIND
static inline int blemu_bind(void *el_set, void *editor, const char *key, const char *name) {
  return ((int (*)(void *, int, ...))el_set)(editor, 4, key, name, (char *)0);
}

/// EL_ADDFN
static inline int blemu_add_command(
    void *el_set, void *editor, const char *name, const char *help, blemu_command command) {
  return ((int (*)(void *, int, ...))el_set)(editor, 9, name, help, command);
}

/// EL_HIST
static inline int blemu_set_history(void *el_set, void *editor, void *history_function, void *history) {
  return ((int (*)(void *, int, ...))el_set)(editor, 10, history_function, history);
}

/// EL_GETCFN
static inline int blemu_set_reader(void *el_set, void *editor, blemu_reader reader) {
  return ((int (*)(void *, int, ...))el_set)(editor, 13, reader);
}

/// H_SETSIZE
static inline int blemu_limit_history(void *history_function, void *history, int size) {
  blemu_history_event event;
  return ((int (*)(void *, blemu_history_event *, int, ...))history_function)(history, &event, 1, size);
}

/// H_ENTER
static inline int blemu_enter_history(void *history_function, void *history, const char *line) {
  blemu_history_event event;
  return ((int (*)(void *, blemu_history_event *, int, ...))history_function)(history, &event, 10, line);
}
