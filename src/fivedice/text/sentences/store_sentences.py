"""Texts about the database and its backups."""

from __future__ import annotations

from fivedice.text.marks import N_, Table

SENTENCES: Table = {
    "store.disk-full": N_("The game can’t be saved: the disk is full. Nothing was changed."),
    "store.read-only": N_("The game can’t be saved: the disk or its database is read-only. Nothing was changed."),
    "store.disk-broken": N_("The game can’t be saved: the disk reports an error. Nothing was changed."),
    "store.locked": N_("The game can’t be saved: another program blocks the database. Nothing was changed."),
    "store.away": N_("The database can’t be reached right now. Look at the game before you try again."),
    "store.replaced": N_(
        "The game can’t be saved: the database file was deleted or replaced. "
        "Put back the file that the server’s log names, or restart it."
    ),
    "store.pages-damaged": N_("The game can’t be read or saved: the database is damaged. Nothing was changed."),
    "store.broken-file": N_(
        "The database {database} is damaged: {reason}. Restore a backup: fivedice restore FILE --replace."
    ),
    "store.unusable": N_("The database {database} can’t be used: {reason}."),
    "store.newer": N_("The database {database} was written by a newer Fivedice. Update this one."),
    "store.not-a-url": N_(
        "{url} is not a database URL. Use one such as sqlite:////var/lib/fivedice/tables.db "
        "or postgresql://user@host/name."
    ),
    "store.unknown-database": N_(
        "The database {kind} is not supported. Use one such as sqlite:////var/lib/fivedice/tables.db "
        "or postgresql://user@host/name."
    ),
    "store.package-missing": N_("PostgreSQL needs the package {package}. Run: pip install 'fivedice[postgresql]'"),
    "store.no-folder": N_(
        "Games can’t be kept in {folder}: {reason}. Use FIVEDICE_DATA or --database to name another place."
    ),
    "store.file-exists": N_("{file} exists already. Choose another name, or overwrite it with --replace."),
    "store.unreadable": N_("The database {database} can’t be read: {reason}."),
    "store.unwritable": N_("The database {database} can’t be written and is unchanged: {reason}."),
    "store.not-empty": N_("{database} has games already. Overwrite them with --replace."),
    "store.file-unwritable": N_("{file} can’t be written: {reason}."),
    "store.file-unreadable": N_("{file} can’t be read: {reason}."),
    "store.not-a-backup": N_("{file} is not a backup of Fivedice."),
    "store.dump-tool": N_(
        "{file} is a dump of PostgreSQL. Install pg_restore, or take the backup again with --portable."
    ),
    "store.no-tables": N_("The database has no games of Fivedice yet."),
    "store.written-damaged": N_("{file} was written, but its contents are damaged. {problem}"),
    "store.damaged": N_("{file} is damaged. {problem}"),
    "store.stray-events": N_("There are events of game {table}, which is missing."),
    "store.log-missing": N_("The log of game {table} is missing."),
    "store.log-gaps": N_("The log of game {table} has gaps, or ends before version {version}."),
    "store.log-broken": N_("The log of game {table} can’t be replayed: {reason}"),
}
