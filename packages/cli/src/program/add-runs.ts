import { type Command, Option } from "commander";
import {
	cancelRun,
	type DecideOptions,
	decideRun,
	type ListRunsOptions,
	listRuns,
	type RunsCommandOptions,
	type ShowRunOptions,
	showRun,
} from "../commands/runs";
import type { Terminal } from "../terminal/terminal";
import { addConnectionOptions, CONNECTION_NOTES } from "./options/connection-options";
import { parseWholeNumber } from "./options/option-values";

/** Adds the command `stemma runs`, its options and its help. */
export function addRuns(program: Command, terminal: Terminal): void {
	const runs = program
		.command("runs")
		.description("runs of a service: how they went, and what they wait for")
		.addHelpText("after", `\n${NOTES}`);
	addCommand(runs, "list", "list them, the newest first")
		.addOption(
			new Option("--limit <number>", "so many at the most")
				.argParser(parseWholeNumber(1, 10_000))
				.default(20),
		)
		.option("--agent <id or slug>", "of this agent alone")
		.addOption(new Option("--status <status>", "those that stand so alone").choices(STATUSES))
		.action((options: ListRunsOptions) => listRuns(terminal, options));
	addCommand(runs, "show", "print what it waits for, its output, sources and receipt")
		.argument("<run>", "run_…")
		.option("--full", "calls that wait, with all of their arguments, however long", false)
		.action((runId: string, options: ShowRunOptions) => showRun(terminal, runId, options));
	addDecision(runs, terminal, "approve", "let it make the call that it waits for");
	addDecision(runs, terminal, "deny", "let it go on without that call").option(
		"--reason <text>",
		"why: the model is told",
	);
	addCommand(runs, "cancel", "stop it")
		.argument("<run>", "run_…")
		.action((runId: string, options: RunsCommandOptions) => cancelRun(terminal, runId, options));
}

const STATUSES = ["running", "paused", "completed", "failed", "cancelled"];

function addDecision(
	runs: Command,
	terminal: Terminal,
	decision: "approve" | "deny",
	description: string,
): Command {
	return addCommand(runs, decision, description)
		.argument("<run>", "run_…")
		.argument("[approval]", APPROVAL[decision])
		.action((runId: string, approvalId: string | undefined, options: DecideOptions) =>
			decideRun(terminal, { decision, runId, approvalId }, options),
		);
}

const APPROVAL = {
	approve: "apr_…, of a call that you have read; left out, those that are open are told",
	deny: "apr_…; left out, the only one that is open",
};

const addCommand = (runs: Command, name: string, description: string): Command =>
	addConnectionOptions(
		runs.command(name).description(description).option("--json", "print JSON", false),
	).addHelpText("after", `\n${NOTES}`);

const NOTES = `"show" prints each call that waits with its exact arguments: these are what is approved. Long ones are cut in the
middle, where it says how much is left out; --full prints all. What cannot be seen is written so: \\u{200b}, \\{12 blanks}.

${CONNECTION_NOTES}
They need the scope agents:run, and runs:approve to approve or deny.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma runs list --status paused
  stemma runs show run_01jc0m…
  stemma runs approve run_01jc0m… apr_3
  stemma runs deny run_01jc0m… apr_3 --reason "Over the limit of 100."`;
