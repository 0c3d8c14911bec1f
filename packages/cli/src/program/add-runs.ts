import { type Command, Option } from "commander";
import {
	cancelRun,
	type DecideOptions,
	decideRun,
	type ListRunsOptions,
	listRuns,
	type ShowRunOptions,
	showRun,
} from "../commands/agents/runs";
import type { ServiceCommandOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import { CONNECTION_NOTES } from "./options/connection-options";
import { parseWholeNumber } from "./options/option-values";
import { type AddCommand, addServiceCommands } from "./options/service-command";

/** Adds the command `stemma runs`, its options and its help. */
export function addRuns(program: Command, terminal: Terminal): void {
	const { add } = addServiceCommands(program, {
		name: "runs",
		description: "runs of a service: their results, and what they wait for",
		notes: NOTES,
	});
	add("list", "list them, the newest first")
		.addOption(
			new Option("--limit <number>", "maximum number of runs")
				.argParser(parseWholeNumber(1, 10_000))
				.default(20),
		)
		.option("--agent <id or slug>", "only runs of this agent")
		.addOption(new Option("--status <status>", "only runs with this status").choices(STATUSES))
		.action((options: ListRunsOptions) => listRuns(terminal, options));
	add("show", "print what it waits for, its output, sources and receipt")
		.argument("<run>", "run_…")
		.option("--full", "print waiting calls with their complete arguments", false)
		.action((runId: string, options: ShowRunOptions) => showRun(terminal, runId, options));
	addDecision(add, terminal, "approve", "let it make the call that it waits for");
	addDecision(add, terminal, "deny", "let it continue without that call").option(
		"--reason <text>",
		"why; the model gets this reason",
	);
	add("cancel", "stop it")
		.argument("<run>", "run_…")
		.action((runId: string, options: ServiceCommandOptions) => cancelRun(terminal, runId, options));
}

const STATUSES = ["running", "paused", "completed", "failed", "cancelled"];

function addDecision(
	add: AddCommand,
	terminal: Terminal,
	decision: "approve" | "deny",
	description: string,
): Command {
	return add(decision, description)
		.argument("<run>", "run_…")
		.argument("[approval]", APPROVAL[decision])
		.action((runId: string, approvalId: string | undefined, options: DecideOptions) =>
			decideRun(terminal, { decision, runId, approvalId }, options),
		);
}

const APPROVAL = {
	approve: "apr_…, of a call that you have read; if omitted, the open ones are listed",
	deny: "apr_…; if omitted, the only open one",
};

const NOTES = `"show" prints each waiting call with its exact arguments: these are what you approve. Long ones are shortened in the middle,
with a note of how much is left out; --full prints all. Invisible characters are written as \\u{200b}, \\{12 blanks}.

${CONNECTION_NOTES}
They need the scope agents:run, and runs:approve to approve or deny.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma runs list --status paused
  stemma runs show run_01jc0m…
  stemma runs approve run_01jc0m… apr_3
  stemma runs deny run_01jc0m… apr_3 --reason "Over the limit of 100."`;
