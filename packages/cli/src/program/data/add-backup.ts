import type { Command } from "commander";
import { type BackupCommandOptions, backup } from "../../commands/data/backup";
import { type RestoreCommandOptions, restore } from "../../commands/data/restore";
import type { Terminal } from "../../terminal/terminal";
import type { CommandResult } from "../command-result";
import { addDataOptions } from "./data-options";

/** Adds the commands `stemma backup` and `stemma restore`, their options and their help. */
export function addBackup(program: Command, terminal: Terminal, result: CommandResult): void {
	addDataOptions(
		program
			.command("backup")
			.description("back up the data folder or database of a service, also while the service runs")
			.argument("<file>", "the backup, such as stemma-2026-01-31.tar"),
	)
		.option("--force", "replace a file of that name", false)
		.option("--skip-damaged", "leave out workspaces whose file is damaged, and exit with 1", false)
		.addHelpText("after", `\n${BACKUP_NOTES}`)
		.action(async (file: string, options: BackupCommandOptions) => {
			result.exitCode = await backup(terminal, file, options);
		});
	program
		.command("restore")
		.description("restore a backup into an empty folder or database")
		.argument("<file>", "a file that stemma backup wrote")
		.option(
			"--into <folder>",
			"the new data folder: empty, or not there yet (default: the database of the settings)",
		)
		.option("--config <file>", "settings (default: ./stemma.config.json, if it exists)")
		.option("--allow-missing-keys", "restore a database without the keys of its credentials", false)
		.option("--json", "print JSON", false)
		.addHelpText("after", `\n${RESTORE_NOTES}`)
		.action(async (file: string, options: RestoreCommandOptions) => {
			result.exitCode = await restore(terminal, file, options);
		});
}

const BACKUP_NOTES = `Everything that the service acknowledged before the backup began is in it. Encryption keys and the credentials of the
first start are not: keep them with your secrets. Documents, questions and answers are in it in the clear: encrypt it
where others can read it. Ctrl-C removes what was written.

Of a database (database.url) it writes a dump by the program pg_dump, which is on the PATH or in the folder POSTGRES_BIN and
must not be older than the server. database.backup_url (STEMMA_DATABASE_BACKUP_URL) names a role that reads all rows.

Exit codes: 0 done, 1 errors, wrong input or a workspace left out, 130 stopped with Ctrl-C.

Examples:
  stemma backup /backups/stemma.tar --data /var/lib/stemma
  stemma backup /backups/stemma.tar --force --json
  STEMMA_DATABASE_BACKUP_URL=postgres://stemma_backup@db.example/stemma stemma backup /backups/stemma.tar`;

const RESTORE_NOTES = `It checks the hash of every file, every database and all counts before the folder gets anything. A backup brings back
clients, keys and workspaces that were removed since.

Without --into it restores a database: the settings name an empty one (database.url, and database.owner_url for the role that
gets the tables) and have the encryption keys. The program pg_restore does it in one transaction, then versions, counts and
credentials are checked. If anything fails, the database is empty again.

Exit codes: 0 done, 1 errors or wrong input, 130 stopped with Ctrl-C.

Examples:
  stemma restore /backups/stemma.tar --into /var/lib/stemma
  STEMMA_DATABASE_URL=postgres://… STEMMA_DATABASE_OWNER_URL=postgres://… stemma restore /backups/stemma.tar`;
