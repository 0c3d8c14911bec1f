import { Command, CommanderError, Option } from "commander";
import { version } from "../package.json";
import { graph } from "./commands/graph";
import { run } from "./commands/run";
import { validate } from "./commands/validate";
import { type DocsOption, parseDocsOption } from "./folder/docs-option";
import { reportError } from "./terminal/report-error";
import type { Terminal } from "./terminal/terminal";

/** Runs one command line. Returns the exit code; nothing is thrown. */
export async function runCommandLine(terminal: Terminal, args: readonly string[]): Promise<number> {
	const outdated = findOutdatedNode(process.versions.node);
	if (outdated !== undefined) {
		terminal.stderr.write(`${outdated}\n`);
		return 1;
	}
	const outcome: Outcome = { exitCode: 0, file: undefined };
	const program = createProgram(terminal, outcome);
	try {
		await program.parseAsync(args, { from: "user" });
		return outcome.exitCode;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode;
		reportError(terminal, error, outcome.file);
		return 1;
	}
}

/** What a command leaves behind: its exit code, and the agent file that an error may be about. */
interface Outcome {
	exitCode: number;
	file: string | undefined;
}

/** Older versions start, and fail in odd places later. */
function findOutdatedNode(version: string): string | undefined {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	if (major > 22 || (major === 22 && minor >= 16)) return undefined;
	return `stemma needs Node 22.16 or later, and this is Node ${version}.`;
}

function createProgram(terminal: Terminal, outcome: Outcome): Command {
	const program = new Command("stemma")
		.description("Agent graphs that answer from your own documents, with citations and a receipt.")
		.version(version, "-v, --version", "print the version")
		.helpOption("-h, --help", "show this help")
		.helpCommand("help [command]", "show the help of a command")
		.configureOutput({
			writeOut: (text) => void terminal.stdout.write(text),
			writeErr: (text) => void terminal.stderr.write(text),
		})
		.showSuggestionAfterError()
		.exitOverride()
		.addHelpText("after", `\n${EXAMPLES}`);
	addRun(program, terminal, outcome);
	program
		.command("validate")
		.description("check agent files and list every violation")
		.argument("<file...>", "agent files (JSON)")
		.action(async (files: string[]) => {
			outcome.exitCode = await validate(terminal, files);
		});
	program
		.command("graph")
		.description("print the graph of an agent file as Mermaid")
		.argument("<file>", "agent file (JSON)")
		.action((file: string) => {
			outcome.file = file;
			return graph(terminal, file);
		});
	return program;
}

function addRun(program: Command, terminal: Terminal, outcome: Outcome): void {
	program
		.command("run")
		.description("run an agent file over a folder of documents: no key, no network, no server")
		.argument("<file>", "agent file (JSON)")
		.argument("[question]", "what to ask; left out, it is read from a pipe, or you are asked")
		.addOption(
			new Option(
				"-d, --docs <folder>",
				"documents for every knowledge base, or for one: <knowledge base>=<folder>",
			)
				.argParser((text: string, all: DocsOption[]) => [...all, parseDocsOption(text)])
				.default([], "none"),
		)
		.option("-c, --context <json>", "values for {{context.…}} in instructions, as a JSON object")
		.option("-i, --interactive", "go on asking after the first answer", false)
		.option("--json", "print the run's events as JSON, one a line", false)
		.option("--skip-unreadable", "go on without documents that cannot be read", false)
		.addHelpText("after", `\n${RUN_NOTES}`)
		.action(async (file: string, question: string | undefined, options) => {
			outcome.file = file;
			outcome.exitCode = await run(terminal, file, question, options);
		});
}

const EXAMPLES = `Examples:
  stemma run agent.json --docs ./handbook "How many days of paid time off are there?"
  stemma validate agents/*.json
  stemma graph agent.json > graph.mmd`;

const RUN_NOTES = `Documents are Markdown (.md), text (.txt) and HTML (.html) files; folders are read with all their subfolders.
Files may have 20 MB; .markdown, .mdx, .rst, .org, .htm and .xhtml are read too. The built-in model answers by quoting the best sentences.
The answer, its sources and the receipt go to standard output, progress and notes to standard error.

Exit codes: 0 answered, 1 failed or wrong input, 130 stopped with Ctrl-C while reading or answering.

Examples:
  stemma run agent.json --docs ./handbook "How do I claim expenses?"
  stemma run agent.json --docs hr=./handbook --docs api=./reference "Who approves a leave of absence?"
  echo "How do I claim expenses?" | stemma run agent.json --docs ./handbook --json`;
