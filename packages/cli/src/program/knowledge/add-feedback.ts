import { type Command, Option } from "commander";
import {
	exportFeedback,
	type FeedbackFilterOptions,
	type ListFeedbackOptions,
	listFeedback,
} from "../../commands/knowledge/feedback";
import type { ConnectionOptions } from "../../connection/with-service";
import type { Terminal } from "../../terminal/terminal";
import { addConnectionOptions, CONNECTION_NOTES } from "../options/connection-options";
import { parseWholeNumber } from "../options/option-values";
import { addServiceCommands } from "../options/service-command";

/** Adds the command `stemma feedback`, its options and its help. */
export function addFeedback(program: Command, terminal: Terminal): void {
	const { group, add } = addServiceCommands(program, {
		name: "feedback",
		description: "ratings of answers, with comments and tags",
		notes: NOTES,
	});
	addFilters(add("list", "list it, the newest first"))
		.addOption(
			new Option("--limit <number>", "maximum number of ratings")
				.argParser(parseWholeNumber(1, 10_000))
				.default(20),
		)
		.action((options: ListFeedbackOptions) => listFeedback(terminal, options));
	const command = group
		.command("export")
		.description("write it with question, answer, citations and passages, one JSON object a line");
	addFilters(addConnectionOptions(command))
		.addHelpText("after", `\n${NOTES}`)
		.action((options: FeedbackFilterOptions & ConnectionOptions) => exportFeedback(terminal, options));
}

const addFilters = (command: Command): Command =>
	command
		.addOption(new Option("--rating <rating>", "only this rating").choices(["up", "down"]))
		.option("--agent <id or slug>", "only answers of this agent")
		.option("--tag <tag>", "only feedback with this tag")
		.option("--since <time>", "only feedback from this day or time on: 2026-01-31, 2026-01-31T12:00:00Z")
		.option("--until <time>", "only feedback before it");

const NOTES = `${CONNECTION_NOTES}
They need the scope agents:trace.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma feedback list --rating down
  stemma feedback export --agent support-desk --since 2026-01-01 > feedback.jsonl`;
