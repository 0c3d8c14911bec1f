import { type Command, Option } from "commander";
import { showUsage, type UsageCommandOptions } from "../commands/usage";
import type { Terminal } from "../terminal/terminal";
import { addConnectionOptions, CONNECTION_NOTES } from "./options/connection-options";
import { parseDay } from "./options/option-values";

/** Adds the command `stemma usage`, its options and its help. */
export function addUsage(program: Command, terminal: Terminal): void {
	const command = program
		.command("usage")
		.description("what was called, and who paid: receipts summed by day, payer, stage and model")
		.addOption(
			new Option("--from <day>", "the first day, UTC (default: 30 days before the last)").argParser(parseDay),
		)
		.addOption(new Option("--to <day>", "the last day, UTC (default: today)").argParser(parseDay))
		.addOption(
			new Option("--payer <payer>", "only this payer").choices([
				"workspace",
				"deployment",
				"none",
				"external",
			]),
		)
		.addOption(
			new Option("--stage <stage>", "only this stage").choices([
				"rewrite",
				"embed",
				"score",
				"answer",
				"index",
			]),
		)
		.option("--json", "print JSON", false);
	addConnectionOptions(command)
		.addHelpText("after", `\n${NOTES}`)
		.action((options: UsageCommandOptions) => showUsage(terminal, options));
}

const NOTES = `${CONNECTION_NOTES}
They need the scope settings:read.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma usage
  stemma usage --from 2026-01-01 --to 2026-01-31 --payer workspace
  stemma usage --stage index --json`;
