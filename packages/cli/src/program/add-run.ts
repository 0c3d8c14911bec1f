import { READABLE_FORMATS } from "@stemma/documents";
import { type Command, Option } from "commander";
import { run } from "../commands/agents/run";
import { type DocsOption, parseDocsOption } from "../folder/docs-option";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";

/** Adds the command `stemma run`, its options and its help. */
export function addRun(program: Command, terminal: Terminal, result: CommandResult): void {
	program
		.command("run")
		.description("run an agent file over a folder of documents: no key, no network, no server")
		.argument("<file>", "agent file (JSON)")
		.argument("[question]", "the question; if omitted, it is read from a pipe or asked for")
		.addOption(
			new Option(
				"-d, --docs <folder>",
				"documents for every knowledge base, or for one: <knowledge base>=<folder>",
			)
				.argParser((text: string, all: DocsOption[]) => [...all, parseDocsOption(text)])
				.default([], "none"),
		)
		.option("-c, --context <json>", "values for {{context.…}} in instructions, as a JSON object")
		.option("-i, --interactive", "ask further questions after the first answer", false)
		.addOption(
			new Option("--approve <which>", "approve all calls that need it, or none, without asking you").choices([
				"all",
				"none",
			]),
		)
		.option("--json", "print the run's events as JSON, one per line", false)
		.option("--skip-unreadable", "continue without documents that cannot be read", false)
		.option("--follow-links", "follow symbolic links that lead out of the folder", false)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (file: string, question: string | undefined, options) => {
			result.file = file;
			result.exitCode = await run(terminal, file, question, options);
		});
}

const NOTES = `Documents are ${READABLE_FORMATS}; folders are read with all their subfolders.
Files may have 20 MB. The built-in model answers by quoting the best sentences.
A document without text is a note; one that cannot be read ends the command, or is named and skipped with --skip-unreadable.
The answer, its sources and the receipt go to standard output, progress and notes to standard error.

You are asked before each call of a node with "approval", with its exact arguments; without a terminal, the run pauses.

Exit codes: 0 answered, 1 failed or wrong input, 3 paused for an approval, 130 stopped with Ctrl-C while reading or answering.

Examples:
  stemma run agent.json --docs ./handbook "How do I claim expenses?"
  stemma run agent.json --docs hr=./handbook --docs api=./reference "Who approves a leave of absence?"
  echo "How do I claim expenses?" | stemma run agent.json --docs ./handbook --json`;
