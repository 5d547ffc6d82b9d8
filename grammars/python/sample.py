"""Keeps sessions of users."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import lru_cache

DEFAULT_TTL = 3600

type SessionId = str


# Raised for a session that has ended.
class SessionExpired(Exception):
    pass


@dataclass(frozen=True)
class Session:
    """One user's session."""

    id: SessionId
    user: str
    expires: float
    tags: list[str] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        return self.expires > asyncio.get_running_loop().time()

    class Meta:
        ordering = ["expires"]


class SessionStore:
    def __init__(self, ttl: int = DEFAULT_TTL) -> None:
        self._sessions: dict[SessionId, Session] = {}
        self._ttl = ttl

    # Looks it up and
    # refuses what has ended.
    async def get_session(
        self,
        session_id: SessionId,
        *,
        refresh: bool = False,
    ) -> Session:
        """Return an open session."""

        def refuse(reason: str) -> SessionExpired:
            return SessionExpired(f"{session_id}: {reason}")

        session = self._sessions.get(session_id)
        if session is None:
            raise refuse("unknown")
        if not session.is_open:
            del self._sessions[session_id]
            raise refuse("expired")
        return session


@lru_cache(
    maxsize=128,
)
def normalize(name: str) -> str:
    return name.strip().lower()


shorten = lambda text: text[:8]
