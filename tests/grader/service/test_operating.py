"""What an operator does: settings, migrations, backups, a look at the health."""

import errno
import json
import logging
import os
import socket
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from click.testing import CliRunner
from service_servers import free_port
from service_world import World
from sqlalchemy import event, inspect, text

from grader import cli
from grader import settings as settings_module
from grader.db import history
from grader.db.clock import seconds
from grader.db.database import Database
from grader.db.tables import Base, Job, User, Worker
from grader.jobs.engines import engine_of
from grader.services import health
from grader.settings import Settings, SettingsError

on_sqlite = pytest.mark.parametrize("database_url", [""], ids=["sqlite"])


def command(world, *arguments, **environment):
    """A command of the operator's, in this process: quick. What it logs is put back afterwards."""
    kept, level = logging.getLogger().handlers[:], logging.getLogger().level
    environment = {"GRADER_DATA": str(world.settings.data), **environment}
    try:
        return CliRunner().invoke(cli.main, [*map(str, arguments)], env=environment)
    finally:
        logging.getLogger().handlers[:], logging.getLogger().level = kept, level


# ---- Settings ----


def test_the_environment_wins_over_the_file_and_the_file_over_the_defaults(tmp_path):
    file = tmp_path / "grader.toml"
    file.write_text('port = 9000\nzone = "Asia/Shanghai"\n')
    found = settings_module.load({"GRADER_CONFIG": str(file), "GRADER_PORT": "9001"})
    assert (found.port, found.zone, found.host) == (9001, "Asia/Shanghai", "127.0.0.1")


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"GRADER_PORT": "many"}, "GRADER_PORT: 'many'; expected int"),
        ({"GRADER_WORKERS": "-1"}, "GRADER_WORKERS: '-1'; expected 0 or more"),
        ({"GRADER_LEASE_SECONDS": "nan"}, "GRADER_LEASE_SECONDS"),
        ({"GRADER_CONFIG": "/nowhere.toml"}, "cannot be read"),
        ({"GRADER_PORTT": "1"}, "GRADER_PORTT: no such setting; expected GRADER_PORT."),
        (
            {"GRADER_SESSION_HOUR": "1"},
            "GRADER_SESSION_HOUR: no such setting; expected GRADER_SESSION_HOURS.",
        ),
        ({"GRADER_PORT": "99999"}, "GRADER_PORT: '99999'; expected 1 to 65535"),
        ({"GRADER_LOG_LEVEL": "LOUD"}, "GRADER_LOG_LEVEL: 'LOUD'; expected DEBUG, INFO"),
        ({"GRADER_ZONE": "Mars"}, "GRADER_ZONE: 'Mars'; expected a time zone"),
        ({"GRADER_LANGUAGE": "fr"}, "GRADER_LANGUAGE: 'fr'; expected en or zh"),
        ({"GRADER_PUBLIC_URL": "grader"}, "GRADER_PUBLIC_URL: 'grader'; expected an address"),
        (
            {"GRADER_DATABASE_URL": "foo://u:secret@x"},
            "GRADER_DATABASE_URL: 'foo://u:***@x'; expected sqlite",
        ),
        ({"GRADER_BROKER_URL": "foo://x"}, "GRADER_BROKER_URL: 'foo://x'; expected redis"),
        ({"GRADER_LIMITER_STORAGE": "foo://x"}, "GRADER_LIMITER_STORAGE: 'foo://x'; expected memory"),
    ],
)
def test_what_is_wrong_with_a_setting_is_said(environment, words):
    with pytest.raises(SettingsError) as error:
        settings_module.load(environment)
    assert words in str(error.value)


@pytest.mark.parametrize("arguments", [("serve",), ("users", "list"), ("backup", "copy"), ("demo", "--once")])
@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("GRADER_DATA", "/etc/passwd", "File exists"),
        ("GRADER_DATA", "/proc/x", "No such file"),
        ("GRADER_DATA", "/proc", "No such file"),
        ("GRADER_DATABASE_URL", "sqlite:////proc/x/y", "No such file"),
        ("GRADER_DATABASE_URL", "sqlite:////etc/passwd", "file is not a database"),
        ("GRADER_DATABASE_URL", "sqlite:////tmp", "unable to open"),
        ("GRADER_DATABASE_URL", "postgresql://u@localhost:x/y", "invalid literal"),
    ],
)
def test_a_data_folder_or_database_that_cannot_be_used_is_told_by_every_command(
    world, arguments, name, value, why, tmp_path, monkeypatch
):
    """It was a traceback."""
    monkeypatch.chdir(tmp_path)
    answer = command(world, *arguments, **{name: value})
    assert answer.exit_code == 1 and len(answer.output.splitlines()) == 1
    if arguments[0] != "backup" or name == "GRADER_DATA":  # that speaks of the file itself
        assert f"{name}: {value!r} ({why}" in answer.output.replace("[Errno 2] ", "")


def test_variables_that_others_set_are_not_ours():
    """A service of Kubernetes that is called grader."""
    given = {
        "GRADER_SERVICE_HOST": "10.0.0.1",
        "GRADER_PORT_8000_TCP": "tcp://10.0.0.1:8000",
        "GRADER_SERVICE_PORT": "1",
    }
    assert settings_module.load(given) == settings_module.load({})


def test_an_unknown_setting_is_refused(tmp_path):
    (tmp_path / "grader.toml").write_text("prot = 9000\n")
    with pytest.raises(SettingsError, match="'prot' is no setting"):
        settings_module.load({"GRADER_CONFIG": str(tmp_path / "grader.toml")})


@pytest.mark.parametrize("line", ["port = 9000.5", "port = true", "lease_seconds = [30]", "data = 3"])
def test_a_value_of_another_kind_in_the_file_is_refused(tmp_path, line):
    (tmp_path / "grader.toml").write_text(line)
    with pytest.raises(SettingsError, match=f"GRADER_{line.split()[0].upper()}: "):
        settings_module.load({"GRADER_CONFIG": str(tmp_path / "grader.toml")})


def test_a_full_disk_is_no_wrong_setting(tmp_path, monkeypatch):
    """Processes must be able to start again on one."""
    Settings(data=tmp_path).secret_key  # noqa: B018

    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(settings_module.tempfile, "TemporaryFile", full)
    assert len(Settings(data=tmp_path).secret_key) == 64


def test_the_secret_is_made_once_and_for_us_only(tmp_path):
    found = Settings(data=tmp_path / "data")
    key = found.secret_key
    assert len(key) == 64 and found.secret_key == key
    assert stat.S_IMODE((tmp_path / "data" / "secret-key").stat().st_mode) == 0o600
    (tmp_path / "data" / "secret-key").chmod(0o644)
    with pytest.raises(SettingsError, match="0600"):
        found.secret_key  # noqa: B018


def test_processes_that_start_at_once_have_the_same_secret(tmp_path, monkeypatch):
    """The second one comes while the first one makes it."""
    make, found = settings_module.secrets.token_hex, []

    def interrupted(length):
        monkeypatch.setattr(settings_module.secrets, "token_hex", make)
        found.append(Settings(data=tmp_path).secret_key)
        return make(length)

    monkeypatch.setattr(settings_module.secrets, "token_hex", interrupted)
    assert [Settings(data=tmp_path).secret_key] == found
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


# ---- The database ----


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_migrations_lead_to_the_tables_and_back_to_nothing(request, tmp_path, kind):
    sqlite = f"sqlite:///{tmp_path}/x.sqlite3"
    database = Database(sqlite if kind == "sqlite" else request.getfixturevalue("postgres").empty())
    history.upgrade(database)
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    history.downgrade(database, "base")
    assert history.revision_of(database) is None
    with database.engine.connect() as connection:
        assert set(inspect(connection).get_table_names()) <= {"alembic_version"}
    history.upgrade(database)
    assert history.revision_of(database) == history.head()
    database.close()


@pytest.mark.parametrize("before", [None, 0o644])
def test_nobody_else_reads_the_database(tmp_path, before):
    """It has everybody's work, and SQLite goes by the umask."""
    folder, file = tmp_path / "data", tmp_path / "data" / "grader.sqlite3"
    folder.mkdir(mode=0o755)
    if before is not None:
        file.touch()
        file.chmod(before)
    database = Database(f"sqlite:///{file}")
    with database.writing() as session:
        session.execute(text("CREATE TABLE one (x)"))
        found = {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()}
    database.close()
    assert found.pop("grader.sqlite3") == 0o600 and set(found.values()) <= {0o600}, found


def test_what_is_called_the_database_and_is_none_stays_as_it_is(tmp_path):
    """/tmp and /etc/passwd, say, by a slip."""
    tmp_path.chmod(0o755)
    other = tmp_path / "other"
    other.write_text("something else")
    other.chmod(0o644)
    for path in (tmp_path, other):
        Database(f"sqlite:///{path}").close()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path, other)] == [0o755, 0o644]


@on_sqlite
def test_a_backup_of_a_database_in_use_is_restored(world, tmp_path):
    world.course(li="student")
    world.submit("li")
    with world.database.writing() as session:
        session.add(User(login="half", name="in a transaction"))
        session.flush()
        answer = command(world, "backup", tmp_path / "kept.sqlite3")
        assert answer.exit_code == 0, answer.output
        session.rollback()
    assert stat.S_IMODE((tmp_path / "kept.sqlite3").stat().st_mode) == 0o600
    assert command(world, "backup", tmp_path / "kept.sqlite3").exit_code == 1, "never over another one"
    world.person("later")
    world.database.close()
    answer = command(world, "restore", tmp_path / "kept.sqlite3")
    assert answer.exit_code == 0, answer.output
    with world.database.reading() as session:
        assert {user.login for user in session.query(User)} == {"li"}
        assert session.query(Job).count() == 1


def test_nothing_is_restored_from_what_is_no_backup(world, tmp_path):
    (tmp_path / "text").write_text("no database")
    sqlite3.connect(tmp_path / "other.sqlite3").execute("CREATE TABLE t (x)").connection.close()
    world.person("li")
    for name in ("text", "other.sqlite3"):
        answer = command(world, "restore", tmp_path / name)
        assert answer.exit_code == 1 and "Nothing was changed" in answer.output
    with world.database.reading() as session:
        assert session.query(User).count() == 1


@on_sqlite
@pytest.mark.parametrize(
    "arguments", [["restore", "newer.sqlite3"], ["migrate"], ["users", "list"], ["serve"]]
)
def test_tables_of_a_later_version_are_left_alone(world, tmp_path, arguments, monkeypatch):
    monkeypatch.chdir(tmp_path)
    world.person("li")
    command(world, "backup", "newer.sqlite3")
    newer = {"restore": tmp_path / "newer.sqlite3"}.get(arguments[0], world.settings.data / "grader.sqlite3")
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    answer = command(world, *arguments)
    assert answer.exit_code == 1 and "revision 9999" in answer.output and len(answer.output.splitlines()) == 1
    with world.database.reading() as session:
        assert session.query(User).count() == 1


@on_sqlite
def test_a_full_disk_is_said_and_loses_nothing(world):
    world.course(li="student")
    browser = world.browser("li")
    pages = world.app.extensions["grader-database"]
    with pages.engine.connect() as connection:
        size = connection.exec_driver_sql("PRAGMA page_count").scalar()

    def full(connection, record):
        connection.execute(f"PRAGMA max_page_count={size}")

    event.listen(pages.engine, "connect", full)
    pages.close()
    answer = browser.upload("/c/nlp/a/softmax/submissions", "a.py", b"#" * 500_000 + b"\nx = 1\n")
    assert answer.status_code == 503 and "Nothing was changed" in answer.text
    event.remove(pages.engine, "connect", full)
    pages.close()
    assert browser.upload("/c/nlp/a/softmax/submissions", "a.py", b"x = 1\n").status_code == 302
    with world.database.reading() as session:
        assert session.query(Job).count() == 1


def test_without_a_database_a_page_says_so(world):
    world.course(li="student")
    browser = world.browser("li")
    history.downgrade(world.database, "base")
    answer = browser.get("/c/nlp/")
    assert answer.status_code == 503 and "The database does not answer" in answer.text


# ---- Commands ----


def test_accounts_and_courses_from_the_command_line(world, tmp_path):
    assert "/link/" in command(world, "users", "add", "Boss", "The Boss", "--admin").output
    code = command(world, "course", "add", "nlp", "Attention", "--zone", "Asia/Shanghai").output.strip()
    assert code in command(world, "course", "list").output
    (tmp_path / "class.csv").write_text("login,name,number\nli,李雷,7\n", encoding="utf-8")
    imported = command(world, "course", "import", "nlp", tmp_path / "class.csv", "--tokens").output
    login, name, link, token = imported.strip().split("\t")

    assert (login, name) == ("li", "李雷") and "/link/" in link and len(token) > 30
    assert command(world, "course", "enrol", "nlp", "boss", "--role", "teacher").exit_code == 0
    assert "李雷" in command(world, "course", "export", "nlp").output
    assert command(world, "users", "close", "li").exit_code == 0
    assert "closed" in command(world, "users", "list").output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("users", "link", "nobody"), "no account 'nobody'"),
        (("course", "export", "nowhere"), "no course 'nowhere'"),
        (("course", "add", "nlp", "T", "--zone", "Mars/Olympus"), "no time zone"),
        (("users", "add", "a b", "Name"), "cannot be a login"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(world, arguments, words):
    answer = command(world, *arguments)
    assert answer.exit_code == 1 and words in answer.output and len(answer.output.splitlines()) == 1


@on_sqlite
def test_the_last_teacher_of_a_course_stays_at_the_command_line_too(world):
    world.course(boss="teacher")
    answer = command(world, "course", "enrol", "nlp", "ＢＯＳＳ", "--role", "student")
    assert answer.exit_code == 1 and "boss is the only teacher" in answer.output


@on_sqlite
def test_a_list_imported_again_says_what_it_changed(world, tmp_path):
    world.course(li="student")
    (tmp_path / "class.csv").write_text("login;name;number\nli;Li;7\n", encoding="utf-8")
    imported = command(world, "course", "import", "nlp", tmp_path / "class.csv").output
    assert imported == "li\tLi\thas an account; has the number 7 now\n"


def test_a_port_that_another_program_has_is_told_before_anything_starts(world):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        answer = command(world, "serve", "--port", port)
    assert answer.exit_code == 1 and len(answer.output.splitlines()) == 1
    assert f"127.0.0.1:{port} is in use by another program" in answer.output and "--port" in answer.output


def test_a_host_that_is_not_ours_is_told_before_anything_starts(world):
    answer = command(world, "serve", "--host", "192.0.2.1", "--port", free_port())  # RFC 5737: nobody's
    assert answer.exit_code == 1 and "cannot listen at 192.0.2.1:" in answer.output


def test_grading_on_the_command_line_needs_none_of_the_service():
    program = """
import sys
for name in ("flask", "sqlalchemy", "alembic", "structlog", "gunicorn"):
    sys.modules[name] = None
from grader.cli import main
main(["assignments"], standalone_mode=False)
main(["serve"])
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=os.environ, check=False
    )
    assert "softmax" in ran.stdout
    assert ran.returncode == 1 and "pip install 'pyattn[grader,service]'" in ran.stderr


# ---- Health ----


def test_the_health_says_what_is_wrong(world):
    found = health.look(world.database, engine_of(world.settings), world.settings)
    assert found.faults == ["workers: none that has a safe sandbox"]
    with world.database.writing() as session:
        session.add(Worker(name="w", level="full", timed=True, seen=0.0))
        session.flush()
        session.query(Worker).update({"seen": seconds()})
    assert health.look(world.database, engine_of(world.settings), world.settings).ok
    browser = world.browser()
    assert browser.get("/healthz").status_code == 200
    history.downgrade(world.database, "base")
    assert browser.get("/healthz").status_code == 503


def test_metrics_are_for_this_machine_or_for_who_has_the_token(tmp_path):
    world = World(tmp_path, metrics_token="secret")
    browser = world.browser()
    assert browser.get("/metrics").status_code == 403
    text = browser.get("/metrics", Authorization="Bearer secret").text
    assert 'grader_jobs{state="queued"} 0.0' in text and "grader_request_seconds_count" in text
    world.close()


def test_a_request_has_an_id_in_the_log_and_a_link_s_token_is_not_there(world, caplog):
    with caplog.at_level("INFO", logger="grader.web.requests_log"):
        answer = world.browser().get("/link/very-secret")
    assert "/link/<token>" in caplog.text and "very-secret" not in caplog.text
    assert len(answer.headers["X-Request-Id"]) == 16


def test_the_web_server_logs_as_the_file_of_settings_says(tmp_path):
    (tmp_path / "grader.toml").write_text('log_level = "ERROR"\n')
    program = "import logging; from grader.web import server; server.post_fork(None, None); logging.warning('too much')"
    environment = {**os.environ, "GRADER_CONFIG": str(tmp_path / "grader.toml")}
    environment.pop("GRADER_LOG_LEVEL", None)
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    )
    assert ran.stderr == ""


def test_logs_are_one_object_a_line(tmp_path):
    program = (
        "import logging; from grader import logs; logs.set_up(pretty=False); logging.warning('听 %d', 3)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=os.environ, check=True
    )
    assert json.loads(ran.stderr)["event"] == "听 3"
