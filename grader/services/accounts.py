"""People's accounts: who they are, how they come in, and the keys of their programs."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session

from grader.db.clock import now
from grader.db.tables import ApiToken, Course, EndedSession, Enrolment, Link, Role, User
from grader.services import audit, logins, secrets
from grader.services.access import may
from grader.services.refusals import Refused, require_within

SCOPES = ("read", "submit", "teach")
MOST_TOKENS = 20
MOST_TOKEN_DAYS = 3650
_NOTED = timedelta(minutes=10)  # between two notes of a token's use


def clean_name(name: str) -> str:
    """A name as it is shown: spaces at its ends go, control characters are refused."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= 100 or not name.isprintable():
        raise Refused("bad-name")
    return name


def find(session: Session, login: str) -> User | None:
    """Someone's account, by the login; as it was written first, for those that were made when width still mattered."""
    asked = select(User).where(User.login.in_({written := login.strip().casefold(), logins.plain(login)}))
    return min(session.scalars(asked), key=lambda user: user.login != written, default=None)


def search(session: Session, part: str, most: int = 100) -> list[User]:
    """Accounts that have a text in login or name."""
    part = part.strip()
    has_it = (
        column.contains(text, autoescape=True)
        for column, text in ((User.login, part), (User.login, logins.plain(part)), (User.name, part))
    )
    return list(session.scalars(select(User).where(or_(*has_it)).order_by(User.login).limit(most)))


def create(
    session: Session, login: str, name: str, password: str | None = None, *, admin: bool = False
) -> User:
    """Make an account."""
    login, name = logins.clean(login), clean_name(name)
    if find(session, login):
        raise Refused("login-taken", login=login)
    user = User(login=login, name=name, admin=admin)
    user.password = None if password is None else secrets.hashed(password)
    session.add(user)
    session.flush()
    return user


def check_login(session: Session, login: str, password: str) -> User:
    """Whose login and password this is."""
    user = find(session, login)
    right = secrets.matches(password, user.password if user else None)
    if user is None or not right or not user.active:
        raise Refused("wrong-login")
    return user


def set_password(session: Session, user: User, password: str) -> None:
    """Change a password; whoever is logged in as this person elsewhere is logged out."""
    user.password = secrets.hashed(password)
    end_sessions(session, user)


def end_sessions(session: Session, user: User) -> None:
    """Log someone out everywhere, and make the links that are still open worth nothing."""
    user.sessions += 1
    session.execute(update(Link).where(Link.user_id == user.id, Link.used_at.is_(None)).values(used_at=now()))


def session_user(session: Session, user_id: int, sessions: int, session_id: str) -> User | None:
    """Who is behind a session; nobody when it was ended: by logging out, with all others, or with the account."""
    asked = (
        select(User).outerjoin(EndedSession, EndedSession.id == session_id)
        .where(User.id == user_id, User.active, User.sessions == sessions, EndedSession.id.is_(None))
    )  # fmt: skip
    return session.scalar(asked)


def end_session(session: Session, session_id: str, ends_at: datetime) -> None:
    """Log out of one session: copies of its cookie are worth nothing from now on."""
    session.merge(EndedSession(id=session_id, ends_at=ends_at))
    session.execute(delete(EndedSession).where(EndedSession.ends_at < now()))


# ---- One-time links ----


def make_link(session: Session, user: User | None, hours: float) -> str:
    """A token that lets someone in once; without a user it makes the first administrator."""
    token, digest = secrets.new_token()
    session.add(Link(user_id=user and user.id, digest=digest, expires_at=now() + timedelta(hours=hours)))
    return token


def first_link(session: Session, hours: float) -> str | None:
    """A token that makes the administrator, as long as there is none. Earlier ones end."""
    if session.scalar(select(func.count(User.id)).where(User.admin)):
        return None
    session.execute(update(Link).where(Link.user_id.is_(None), Link.used_at.is_(None)).values(used_at=now()))
    return make_link(session, None, hours)


def open_link(session: Session, token: str, *, lock: bool = False) -> Link:
    """The link of a token, if it is still good; locked for whoever is about to use it up."""
    query = select(Link).where(Link.digest == secrets.digest(token))
    link = session.scalar(query.with_for_update() if lock else query)
    if link is None or link.used_at is not None or link.expires_at < now():
        raise Refused("link-used-up")
    if link.user is not None and not link.user.active:
        raise Refused("link-used-up")
    return link


def use_link(session: Session, token: str, password: str, login: str = "", name: str = "") -> User:
    """Set the password that a link is for; the first administrator says his login and name too."""
    link = open_link(session, token, lock=True)
    if link.user is None:
        user = create(session, login, name, password, admin=True)
        audit.note(session, user, "first administrator", user.login)
    else:
        user = link.user
        set_password(session, user, password)
    link.used_at = now()
    return user


def reset_link(session: Session, actor: User, user: User, hours: float, course: Course | None = None) -> str:
    """A link for someone who forgot his password.

    A teacher can make one for those who are students of his own courses and nothing else anywhere: whoever has the
    link has the account.
    """
    if not actor.admin and not _only_a_student_of(session, actor, user):
        raise Refused("reset-not-yours", name=user.name)
    audit.note(session, actor, "reset link", user.login, course)
    return make_link(session, user, hours)


def _only_a_student_of(session: Session, actor: User, user: User) -> bool:
    if user.admin:
        return False
    places = list(session.scalars(select(Enrolment).where(Enrolment.user_id == user.id)))
    return bool(places) and all(
        place.role is Role.STUDENT and may(session, actor, "manage-people", place.course) for place in places
    )


# ---- Administrators ----


def set_admin(session: Session, actor: User | None, user: User, admin: bool) -> None:
    """Make someone an administrator, or no longer."""
    if user.admin and not admin:
        _keep_one_admin(session, user)
    user.admin = admin
    audit.note(session, actor, "administrator" if admin else "no administrator", user.login)


def set_active(session: Session, actor: User | None, user: User, active: bool) -> None:
    """Close an account, or open it again. What it handed in stays."""
    if user.admin and not active:
        _keep_one_admin(session, user)
    user.active = active
    end_sessions(session, user)
    audit.note(session, actor, "account opened" if active else "account closed", user.login)


def _keep_one_admin(session: Session, user: User) -> None:
    others = select(func.count(User.id)).where(User.admin, User.active, User.id != user.id)
    if not session.scalar(others):
        raise Refused("last-admin", login=user.login)


# ---- Tokens of programs ----


def make_token(
    session: Session, user: User, name: str, scopes: list[str] | tuple[str, ...], days: int | None = None
) -> tuple[ApiToken, str]:
    """A key for a program. Its text is here and nowhere else."""
    for scope in scopes:
        if scope not in SCOPES:
            raise Refused("bad-scope", got=scope, known=", ".join(SCOPES))
    if len(tokens_of(session, user)) >= MOST_TOKENS:
        raise Refused("too-many-tokens", most=MOST_TOKENS)
    if days is not None:
        require_within("days", days, 1, MOST_TOKEN_DAYS)
    text, digest = secrets.new_token()
    expires = None if days is None else now() + timedelta(days=days)
    token = ApiToken(
        user_id=user.id, name=clean_name(name), digest=digest, scopes=list(scopes), expires_at=expires
    )
    session.add(token)
    session.flush()
    return token, text


def tokens_of(session: Session, user: User) -> list[ApiToken]:
    """The keys that are not revoked."""
    own = select(ApiToken).where(ApiToken.user_id == user.id, ApiToken.revoked_at.is_(None))
    return list(session.scalars(own.order_by(ApiToken.id)))


def revoke_token(session: Session, user: User, token_id: int) -> None:
    """End one of one's own keys."""
    token = session.get(ApiToken, token_id)
    if token is None or token.user_id != user.id:
        raise Refused("not-found")
    token.revoked_at = token.revoked_at or now()


def token_of(session: Session, text: str, scope: str | None = None) -> ApiToken:
    """The key of a text, if it is still good, and good for a scope."""
    token = session.scalar(select(ApiToken).where(ApiToken.digest == secrets.digest(text)))
    if token is None or token.revoked_at or not token.user.active:
        raise Refused("bad-token")
    if token.expires_at is not None and token.expires_at < now():
        raise Refused("bad-token")
    if scope is not None and scope not in token.scopes:
        raise Refused("no-scope", scope=scope)
    return token


def is_long_unused(token: ApiToken) -> bool:
    """Whether a use is worth a note: not every question of a program that asks again and again is."""
    return token.used_at is None or token.used_at < now() - _NOTED


def note_use(session: Session, token: ApiToken) -> None:
    """Remember when a key was used last: whoever has it sees which ones to revoke."""
    session.execute(update(ApiToken).where(ApiToken.id == token.id).values(used_at=now()))
