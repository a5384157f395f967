"""Coroutines that need no event loop: each goes on in the moment in which what it awaits is there."""

from __future__ import annotations

from typing import Any, Callable, Coroutine, Generator, Generic, List, Optional, TypeVar

T = TypeVar("T")


class Cancelled(BaseException):
    """Thrown into a task that is cancelled."""


class Pending(Generic[T]):
    """A value that will be there, or an error; it can be awaited in a task. Settled once, what comes later is passed over."""

    __slots__ = ("done", "_value", "error", "_callbacks")

    def __init__(self) -> None:
        self.done = False
        self.error: Optional[BaseException] = None
        self._value: Any = None
        self._callbacks: Optional[List[Callable[["Pending[T]"], Any]]] = None

    def resolve(self, value: Any = None) -> None:
        if not self.done:
            self._value = value
            self._settle()

    def fail(self, error: BaseException) -> None:
        if not self.done:
            self.error = error
            self._settle()

    def _settle(self) -> None:
        self.done = True
        callbacks, self._callbacks = self._callbacks, None
        for callback in callbacks or ():
            callback(self)

    def on_done(self, callback: Callable[["Pending[T]"], Any]) -> None:
        """Calls back with this when it is settled; at once if it is."""
        if self.done:
            callback(self)
        elif self._callbacks is None:
            self._callbacks = [callback]
        else:
            self._callbacks.append(callback)

    def result(self) -> T:
        """The value; only once it is ``done``.

        :raises BaseException: the error
        """
        if self.error is not None:
            raise self.error
        return self._value

    def __await__(self) -> Generator[Any, None, T]:
        if not self.done:
            yield self
        return self.result()


def resolved(value: Any = None) -> "Pending[Any]":
    made: Pending[Any] = Pending()
    made.resolve(value)
    return made


class Task(Pending[T]):
    """A coroutine under way. It awaits nothing but :class:`Pending`."""

    __slots__ = ("_coroutine", "_waiting")

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        super().__init__()
        self._coroutine = coroutine
        self._waiting: Optional[Pending] = None
        self._go(coroutine.send, None)

    def _go(self, step: Callable[[Any], Any], argument: Any) -> None:
        try:
            waiting = step(argument)
        except StopIteration as end:
            self.resolve(end.value)
        except BaseException as error:  # whatever it is, it is the task's outcome
            self.fail(error)
        else:
            self._waiting = waiting
            waiting.on_done(self._woken)

    def _woken(self, by: Pending) -> None:
        if by is self._waiting:
            self._waiting = None
            self._go(self._coroutine.send, None)

    def cancel(self) -> None:
        """Throws :class:`Cancelled` into it, wherever it waits."""
        if not self.done and self._waiting is not None:
            self._waiting = None
            self._go(self._coroutine.throw, Cancelled())


def spawn(coroutine: Coroutine[Any, Any, T]) -> "Task[T]":
    """Begins a coroutine; it runs up to its first wait before this returns."""
    return Task(coroutine)


def abandon(pending: "Pending[Any]", undo: Optional[Callable[[Any], Any]] = None) -> None:
    """Nobody waits for it any more: a task is cancelled, and what came all the same is undone."""
    if isinstance(pending, Task):
        pending.cancel()
    if undo is not None and pending.done and pending.error is None and pending.result() is not None:
        undo(pending.result())
