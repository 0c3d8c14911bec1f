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
			.description("back up the data folder of a service, also while the service runs")
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
		.description("restore a backup into an empty folder")
		.argument("<file>", "a file that stemma backup wrote")
		.requiredOption("--into <folder>", "the new data folder: empty, or not there yet")
		.option("--json", "print JSON", false)
		.addHelpText("after", `\n${RESTORE_NOTES}`)
		.action(async (file: string, options: RestoreCommandOptions) => {
			result.exitCode = await restore(terminal, file, options);
		});
}

const BACKUP_NOTES = `Everything that the service acknowledged before the backup began is in it. Encryption keys and the credentials of the
first start are not: keep them with your secrets. Documents, questions and answers are in it in the clear: encrypt it
where others can read it. Ctrl-C removes what was written.

Exit codes: 0 done, 1 errors, wrong input or a workspace left out, 130 stopped with Ctrl-C.

Examples:
  stemma backup /backups/stemma.tar --data /var/lib/stemma
  stemma backup /backups/stemma.tar --force --json`;

const RESTORE_NOTES = `It checks the hash of every file, every database and all counts before the folder gets anything. A backup brings back
clients, keys and workspaces that were removed since.

Exit codes: 0 done, 1 errors or wrong input, 130 stopped with Ctrl-C.

Examples:
  stemma restore /backups/stemma.tar --into /var/lib/stemma`;
