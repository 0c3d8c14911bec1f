import { type Command, Option } from "commander";
import { type UpgradeCommandOptions, upgrade } from "../../commands/data/upgrade";
import type { Terminal } from "../../terminal/terminal";
import type { CommandResult } from "../command-result";
import { addDataOptions } from "./data-options";

/** Adds the command `stemma upgrade`, its options and its help. */
export function addUpgrade(program: Command, terminal: Terminal, result: CommandResult): void {
	addDataOptions(
		program
			.command("upgrade")
			.description("bring the data folder of a stopped service to this version, or back"),
	)
		.addOption(
			new Option("--check", "try it on copies and change nothing, also while the service runs")
				.default(false)
				.conflicts("undo"),
		)
		.option("--undo", "put the snapshot of the last upgrade back", false)
		.option("--yes", "do not ask before --undo", false)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (options: UpgradeCommandOptions) => {
			result.exitCode = await upgrade(terminal, options);
		});
}

const NOTES = `It tries all migrations on copies, writes a snapshot into the data folder, migrates and checks every file. If anything
fails, the snapshot is put back. A service that starts on an older folder migrates it as well, without a snapshot.

Exit codes: 0 done, or nothing to do, 1 errors, or an upgrade that is not possible, 130 stopped with Ctrl-C.

Examples:
  stemma upgrade --check --data /var/lib/stemma
  stemma upgrade --data /var/lib/stemma
  stemma upgrade --undo --data /var/lib/stemma`;
