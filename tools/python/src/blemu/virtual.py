"""Virtual time for asyncio: an event loop whose clock is that of the devices.

    blemu.virtual.run(main())

When nothing is ready, the loop does not wait: it lets the time pass until the next timer, of its own or of a device.
"""
from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import math
import selectors
import threading
import warnings
from typing import Any, Callable, Coroutine, Iterator, List, Optional, Tuple, TypeVar

from .clock import CLOCK
from .errors import is_hidden as __tracebackhide__  # noqa: F401

__all__ = ["Loop", "loops", "run", "standing_still"]

T = TypeVar("T")


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock is that of all devices of this program that run with `hold_clock`. It begins at 0."""

    def __init__(self) -> None:
        self._begun = CLOCK.now
        #: How much goes on outside of the loop. Until it is over, the time stands.
        self._work = 0
        super().__init__(_Selector(self))
        self.set_default_executor(concurrent.futures.ThreadPoolExecutor(thread_name_prefix="asyncio"))

    def time(self) -> float:
        return (CLOCK.now - self._begun) / 1000

    def run_forever(self) -> None:
        CLOCK.loop_thread = threading.get_ident()
        try:
            super().run_forever()
        finally:
            CLOCK.loop_thread = None

    def set_default_executor(self, executor: concurrent.futures.ThreadPoolExecutor) -> None:
        super().set_default_executor(executor)
        self._executor = executor

    def run_in_executor(
        self, executor: Optional[concurrent.futures.Executor], func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """The time stands until the function has returned, also if nobody waits for it any more."""
        call = (executor or self._executor).submit(func, *args)
        future = asyncio.wrap_future(call, loop=self)
        self._work += 1
        # The first is called once the result is here.
        future.add_done_callback(lambda _: call.add_done_callback(self._end_of_call))
        return future

    async def shutdown_default_executor(self, *arguments: Any) -> None:
        with self.standing_still():
            await super().shutdown_default_executor(*arguments)

    def _end_of_call(self, call: concurrent.futures.Future[Any]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self.call_soon_threadsafe(self._end_of_work)

    def _end_of_work(self) -> None:
        self._work -= 1

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[None]:
        """Lets the loop wait for what is outside of it in real time, and its own time stand."""
        self._work += 1
        try:
            yield
        finally:
            self._work -= 1


class _Selector(selectors.DefaultSelector):
    """Lets time pass in place of waiting."""

    def __init__(self, loop: Loop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: Optional[float] = None) -> List[Tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if self._loop._work:
            return super().select()
        # The sum of several floating-point numbers is not exact.
        left = math.inf if timeout is None else max(1, math.ceil(timeout * 1000 - 0.001))
        following = CLOCK.advance(0)
        while not (ready := super().select(0)) and left > 0:
            step = left if following is None else min(following, left)
            if step == math.inf:
                return super().select()
            following = CLOCK.advance(int(step))
            left -= step
        return ready


def standing_still() -> contextlib.AbstractContextManager[None]:
    """Lets the running loop wait for what is outside of it in real time: `with blemu.virtual.standing_still(): await server.reply()`.

    The time of the loop stands meanwhile. In other loops, this does nothing.
    """
    loop = asyncio.get_running_loop()
    return loop.standing_still() if isinstance(loop, Loop) else contextlib.nullcontext()


@contextlib.contextmanager
def loops() -> Iterator[List[Loop]]:
    """Gives each new event loop virtual time, also those of `asyncio.run` and of plugins of pytest. Returns those that there are."""
    made: List[Loop] = []

    def make() -> Loop:
        made.append(Loop())
        return made[-1]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.14
        policy = asyncio.get_event_loop_policy()
    before = policy.new_event_loop
    setattr(policy, "new_event_loop", make)
    try:
        yield made
    finally:
        setattr(policy, "new_event_loop", before)


def run(main: Coroutine[Any, Any, T], *, debug: Optional[bool] = None) -> T:
    """Runs a coroutine as `asyncio.run` does, in virtual time. The devices that it starts in memory have the same time."""
    with loops():
        return asyncio.run(main, debug=debug)
