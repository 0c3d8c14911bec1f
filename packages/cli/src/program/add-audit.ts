import { type Command, Option } from "commander";
import { type AuditCommandOptions, showAudit } from "../commands/audit";
import type { Terminal } from "../terminal/terminal";
import { addConnectionOptions, CONNECTION_NOTES } from "./options/connection-options";
import { parseWholeNumber } from "./options/option-values";

/** Adds the command `stemma audit`, its options and its help. */
export function addAudit(program: Command, terminal: Terminal): void {
	const command = program
		.command("audit")
		.description("who changed what in this workspace, the newest first")
		.addOption(
			new Option("--limit <number>", "maximum number of records")
				.argParser(parseWholeNumber(1, 10_000))
				.default(20),
		)
		.option("--action <action>", "only this kind: llm_settings.set, secret.deleted, …")
		.option("--json", "print JSON", false);
	addConnectionOptions(command)
		.addHelpText("after", `\n${NOTES}`)
		.action((options: AuditCommandOptions) => showAudit(terminal, options));
}

const NOTES = `${CONNECTION_NOTES}
They need the scope settings:read.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma audit
  stemma audit --action llm_settings.set --limit 100 --json`;
