import { type Command, Option } from "commander";
import {
	type ExportCommandOptions,
	exportCommand,
	type ImportCommandOptions,
	importCommand,
} from "../../commands/data/export";
import type { Terminal } from "../../terminal/terminal";
import type { CommandResult } from "../command-result";
import { addDataOptions } from "./data-options";

/** Adds the commands `stemma export` and `stemma import`, their options and their help. */
export function addExport(program: Command, terminal: Terminal, result: CommandResult): void {
	addTransferOptions(
		program
			.command("export")
			.description("write a workspace as an archive, also while the service runs")
			.argument("<file>", "the archive, such as handbook.tar.gz")
			.requiredOption("--workspace <id>", "the workspace: its id or name"),
	)
		.option("--without-vectors", "leave vectors out; they are computed again after the import", false)
		.option("--force", "replace a file of that name", false)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (file: string, options: ExportCommandOptions) => {
			result.exitCode = await exportCommand(terminal, file, options);
		});
	addTransferOptions(
		program
			.command("import")
			.description("import an exported workspace into the data folder of a stopped service")
			.argument("<file>", "a file that stemma export wrote"),
	)
		.option("--name <name>", "its name here (default: that of the archive)")
		.addHelpText("after", `\n${NOTES}`)
		.action(async (file: string, options: ImportCommandOptions) => {
			result.exitCode = await importCommand(terminal, file, options);
		});
}

const addTransferOptions = (command: Command): Command =>
	addDataOptions(command)
		.addOption(
			new Option(
				"--transfer-key <file>",
				"key that credentials are encrypted with in the archive; an export writes a new one there",
			).conflicts("withoutSecrets"),
		)
		.option("--without-secrets", "leave credentials out", false);

const NOTES = `Ids are kept, so a workspace can be in a deployment once. Its credentials are encrypted with the transfer key in the
archive, and with the first encryption key of the other deployment after the import. Documents, questions and answers are
in the archive in the clear. People who are members move with it; sessions, sign-in links, passkeys and access tokens do not.

Exit codes: 0 done, 1 errors or wrong input, 130 stopped with Ctrl-C.

Examples:
  stemma export handbook.tar.gz --workspace handbook --transfer-key transfer.key
  stemma import handbook.tar.gz --transfer-key transfer.key --data /var/lib/stemma`;
