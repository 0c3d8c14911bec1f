import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import { addAgents } from "./program/add-agents";
import { addAudit } from "./program/add-audit";
import { addChat } from "./program/add-chat";
import { addClients } from "./program/add-clients";
import { addCompletion } from "./program/add-completion";
import { addDoctor } from "./program/add-doctor";
import { addExplain } from "./program/add-explain";
import { addGraph } from "./program/add-graph";
import { addKeys } from "./program/add-keys";
import { addMcp } from "./program/add-mcp";
import { addRun } from "./program/add-run";
import { addRuns } from "./program/add-runs";
import { addRuntime } from "./program/add-runtime";
import { addSecrets } from "./program/add-secrets";
import { addServe } from "./program/add-serve";
import { addSettings } from "./program/add-settings";
import { addUsage } from "./program/add-usage";
import { addValidate } from "./program/add-validate";
import { addWorkspaces } from "./program/add-workspaces";
import type { CommandResult } from "./program/command-result";
import { addBackup } from "./program/data/add-backup";
import { addExport } from "./program/data/add-export";
import { addUpgrade } from "./program/data/add-upgrade";
import { addAsk } from "./program/knowledge/add-ask";
import { addDocs } from "./program/knowledge/add-docs";
import { addFeedback } from "./program/knowledge/add-feedback";
import { addIngest } from "./program/knowledge/add-ingest";
import { addKb } from "./program/knowledge/add-kb";
import { addSearch } from "./program/knowledge/add-search";
import { addSources } from "./program/knowledge/add-sources";
import { addLoginLink } from "./program/people/add-login-link";
import { addMembers } from "./program/people/add-members";
import { addDev } from "./program/project/add-dev";
import { addInit } from "./program/project/add-init";
import { reportError } from "./terminal/report-error";
import type { Terminal } from "./terminal/terminal";

/** Runs one command line. Returns the exit code; nothing is thrown. */
export async function runCommandLine(terminal: Terminal, args: readonly string[]): Promise<number> {
	const result: CommandResult = { exitCode: 0, file: undefined };
	const program = createProgram(terminal, result);
	try {
		await program.parseAsync(args, { from: "user" });
		return result.exitCode;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode;
		reportError(terminal, error, result.file);
		return 1;
	}
}

function createProgram(terminal: Terminal, result: CommandResult): Command {
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
		// "runtime" takes what follows as it is.
		.enablePositionalOptions()
		.exitOverride()
		.addHelpText("after", `\n${EXAMPLES}`);
	addInit(program, terminal);
	addDev(program, terminal);
	addRun(program, terminal, result);
	addValidate(program, terminal, result);
	addExplain(program, terminal, result);
	addGraph(program, terminal, result);
	addServe(program, terminal);
	addDoctor(program, terminal, result);
	addBackup(program, terminal, result);
	addExport(program, terminal, result);
	addUpgrade(program, terminal, result);
	addRuntime(program, terminal, result);
	addIngest(program, terminal, result);
	addAsk(program, terminal, result);
	addChat(program, terminal, result);
	addSearch(program, terminal);
	addKb(program, terminal, result);
	addDocs(program, terminal, result);
	addSources(program, terminal, result);
	addAgents(program, terminal, result);
	addRuns(program, terminal);
	addFeedback(program, terminal);
	addWorkspaces(program, terminal);
	addMembers(program, terminal);
	addLoginLink(program, terminal);
	addClients(program, terminal);
	addKeys(program, terminal, result);
	addSettings(program, terminal, result);
	addSecrets(program, terminal);
	addMcp(program, terminal, result);
	addUsage(program, terminal);
	addAudit(program, terminal);
	addCompletion(program, terminal);
	return program;
}

const EXAMPLES = `Examples:
  stemma init my-desk
  stemma dev my-desk
  stemma run agent.json --docs ./handbook "How many days of paid time off are there?"
  stemma validate ./agents
  stemma explain agent.json
  stemma graph agent.json > graph.mmd
  stemma serve
  stemma ingest ./handbook --kb handbook --create
  stemma ask "Who approves a leave of absence?"`;
