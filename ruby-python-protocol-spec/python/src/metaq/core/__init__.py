"""The client without input, output, clock or threads: state machines that an engine drives.

An :class:`engine.Engine` opens connections, tells the time and calls back later; everything else is here, once, for the
synchronous client (:mod:`metaq.reactor`) and for asyncio (:mod:`metaq.aio.engine`). Calls into the core and calls from the
engine never overlap: the synchronous engine has one lock for that, asyncio one thread.
"""
