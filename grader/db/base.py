"""What all tables share."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any, ClassVar, TypeVar

from sqlalchemy import JSON, Double, MetaData, String
from sqlalchemy import Enum as EnumType
from sqlalchemy.orm import DeclarativeBase

from grader.db.clock import Instant

_Words = TypeVar("_Words", bound=Enum)


class Base(DeclarativeBase):
    """Gives constraints names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar = {
        datetime: Instant,
        float: Double,
        dict[str, Any]: JSON,
        list[str]: JSON,
        str: String,
    }


def words(kind: type[_Words]) -> EnumType:
    """A column of an enum's values, kept as text that can be read and extended."""
    return EnumType(
        kind, native_enum=False, length=20, values_callable=lambda kind: [word.value for word in kind]
    )
