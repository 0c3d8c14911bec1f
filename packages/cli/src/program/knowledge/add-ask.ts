import { type Command, Option } from "commander";
import { type AskCommandOptions, ask } from "../../commands/knowledge/ask";
import type { Terminal } from "../../terminal/terminal";
import type { CommandResult } from "../command-result";
import { addConnectionOptions, CONNECTION_NOTES } from "../options/connection-options";
import { collect } from "../options/option-values";

/** Adds the command `stemma ask`, its options and its help. */
export function addAsk(program: Command, terminal: Terminal, result: CommandResult): void {
	const command = program
		.command("ask")
		.description("ask a service, and get an answer with its sources and receipt")
		.argument("[question]", "the question; if omitted, it is read from a pipe")
		.addOption(
			new Option("--kb <slug or id>", "where to search; repeat it for several, omit it for all")
				.argParser(collect)
				.default([], "all"),
		)
		.option(
			"--json",
			"print events as JSON, one per line; with --no-stream the complete answer as one object",
			false,
		)
		.option("--no-stream", "print the answer only when it is complete");
	addConnectionOptions(command)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (question: string | undefined, options: AskCommandOptions) => {
			result.exitCode = await ask(terminal, question, options);
		});
}

const NOTES = `${CONNECTION_NOTES}

Exit codes: 0 answered (also "the documents hold no answer"), 1 failed or wrong input, 130 stopped with Ctrl-C.

Examples:
  stemma ask "How do I claim expenses?"
  stemma ask --kb handbook --kb api "Who approves a leave of absence?"
  echo "How do I claim expenses?" | stemma ask --kb handbook --json --no-stream`;
