import { type Command, Option } from "commander";
import {
	type ListSharesOptions,
	listShares,
	type ShareRunOptions,
	shareRun,
	unshareRun,
} from "../commands/agents/run-shares";
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
import { parseShareFields } from "./options/share-fields";

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
	addShares(add, terminal);
}

/** Adds the commands about links to runs. */
function addShares(add: AddCommand, terminal: Terminal): void {
	add("share", "print a link by which people see parts of it without signing in")
		.argument("<run>", "run_…, which has ended")
		.addOption(
			new Option("--show <parts>", "input, output, links, steps, tools, receipt: with commas between")
				.argParser(parseShareFields)
				.default(["input", "output"], "input,output"),
		)
		.addOption(
			new Option("--hours <number>", "how long it is valid (default: 168, 7 days)").argParser(
				parseWholeNumber(1, 720),
			),
		)
		.action((runId: string, options: ShareRunOptions) => shareRun(terminal, runId, options));
	add("shares", "list valid links")
		.option("--run <run>", "only those to this run")
		.addOption(
			new Option("--limit <number>", "maximum number of links")
				.argParser(parseWholeNumber(1, 10_000))
				.default(100),
		)
		.action((options: ListSharesOptions) => listShares(terminal, options));
	add("unshare", "revoke a link")
		.argument("<link>", "shr_…")
		.action((shareId: string, options: ServiceCommandOptions) => unshareRun(terminal, shareId, options));
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
A link made by "share" shows its parts to whoever has it: "links" are web addresses of sources, "tools" what tools were asked and
returned. It needs the scope agents:trace for steps and tools.

They need the scope agents:run, and runs:approve to approve or deny.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma runs list --status paused
  stemma runs show run_01jc0m…
  stemma runs approve run_01jc0m… apr_3
  stemma runs deny run_01jc0m… apr_3 --reason "Over the limit of 100."
  stemma runs share run_01jc0m… --show input,output --hours 24`;
