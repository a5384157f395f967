"""What can be awaited, or entered at once."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, Generator, Generic, Optional, TypeVar

T = TypeVar("T")


class Opening(Generic[T]):
    """``thing = await opening``, or ``async with opening as thing``. Begins with that, not before."""

    def __init__(self, begin: Callable[[], Awaitable[T]]) -> None:
        self._begin = begin
        self._opened: Optional[Any] = None

    def __await__(self) -> Generator[Any, None, T]:
        return self._begin().__await__()

    async def __aenter__(self) -> T:
        self._opened = opened = await self._begin()
        return await opened.__aenter__()  # type: ignore[attr-defined]

    async def __aexit__(self, *outcome: Any) -> Any:
        assert self._opened is not None
        return await self._opened.__aexit__(*outcome)
