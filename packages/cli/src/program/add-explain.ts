import { type Command, InvalidArgumentError, Option } from "commander";
import { type ExplainCommandOptions, explain } from "../commands/agents/explain";
import { CONDITIONS, type Condition } from "../explain/find-failures";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";

/** Adds the command `stemma explain`, its options and its help. */
export function addExplain(program: Command, terminal: Terminal, result: CommandResult): void {
	program
		.command("explain")
		.description("describe what agent files may do, reach and cost, without running them")
		.argument(
			"<file...>",
			"agent files (JSON), folders of them without their subfolders, or - for standard input",
		)
		.option("--json", "print one JSON object per file, one per line", false)
		.addOption(
			new Option("--fail-on <condition>", "exit with 1 if a graph has this; repeat it for several conditions")
				.argParser(addCondition)
				.default([], "none"),
		)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (paths: string[], options: ExplainCommandOptions) => {
			result.exitCode = await explain(terminal, paths, options);
		});
}

function addCondition(text: string, all: readonly Condition[]): Condition[] {
	const condition = CONDITIONS.find((one) => one === text);
	if (condition === undefined) throw new InvalidArgumentError(`Give one of: ${CONDITIONS.join(", ")}.`);
	return [...all, condition];
}

const NOTES = `Conditions of --fail-on, for checks of changes:
  untrusted    text of knowledge bases, other agents or tools of servers can lead to an effect
  unbounded    only the limit of steps bounds the model calls: a cycle, or calls without maxCalls; calls that other
               agents make are bounded where they run, and not counted
  unreachable  a node that nothing leads to

An effect is a call of a tool without approval. Other agents that are run without asking are listed under Approvals, and
are not counted as effects.

Exit codes: 0 described, 1 a file is not valid, or fails a condition.

Examples:
  stemma explain agent.json
  stemma explain ./agents --fail-on untrusted --fail-on unbounded
  curl -s https://git.example/agent.json | stemma explain - --json`;
