#include <glib.h>
#include <glib-unix.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
