import type { Command } from "commander";
import {
	diffAgentVersions,
	listAgentVersions,
	type RestoreAgentOptions,
	restoreAgent,
} from "../commands/agents/agent-versions";
import {
	type DeleteAgentOptions,
	deleteAgent,
	listAgents,
	type PushAgentOptions,
	pullAgent,
	pushAgent,
} from "../commands/agents/agents";
import { type RunStoredAgentOptions, runStoredAgent } from "../commands/agents/run-stored-agent";
import type { ServiceCommandOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";
import { CONNECTION_NOTES } from "./options/connection-options";
import { parseWholeNumber } from "./options/option-values";
import { type AddCommand, addServiceCommands } from "./options/service-command";

/** Adds the command `stemma agents`, its options and its help. */
export function addAgents(program: Command, terminal: Terminal, result: CommandResult): void {
	const { add } = addServiceCommands(program, {
		name: "agents",
		description: "agents that a service keeps: list, push, pull, run, delete, and their versions",
		notes: NOTES,
	});
	add("list", "list them").action((options: ServiceCommandOptions) => listAgents(terminal, options));
	add("push", "store an agent file, as a new agent or as the next version")
		.argument("<file>", "agent file (JSON)")
		.option("--slug <slug>", "the agent's slug (default: the file name without .json)")
		.option("--note <text>", "why: it is shown with the version")
		.action((file: string, options: PushAgentOptions) => {
			result.file = file;
			return pushAgent(terminal, file, options);
		});
	add("pull", "print the graph of an agent as an agent file")
		.argument("<agent>", "its slug or id (ag_…)")
		.action((agent: string, options: ServiceCommandOptions) => pullAgent(terminal, agent, options));
	add("run", "run it at the service, and print its answer with its sources and receipt")
		.argument("<agent>", "its slug or id (ag_…)")
		.argument("[question]", "the question; if omitted, it is read from a pipe")
		.option("-c, --context <json>", "values for {{context.…}} in instructions, as a JSON object")
		.action(async (agent: string, question: string | undefined, options: RunStoredAgentOptions) => {
			result.exitCode = await runStoredAgent(terminal, agent, question, options);
		});
	addVersionCommands(add, terminal);
	add("delete", "delete it, permanently")
		.argument("<agent>", "its slug or id (ag_…)")
		.option("--yes", "do not ask", false)
		.action((agent: string, options: DeleteAgentOptions) => deleteAgent(terminal, agent, options));
}

const parseVersion = parseWholeNumber(1, Number.MAX_SAFE_INTEGER);

function addVersionCommands(add: AddCommand, terminal: Terminal): void {
	add("versions", "list the versions of an agent, the newest first")
		.argument("<agent>", "its slug or id (ag_…)")
		.action((agent: string, options: ServiceCommandOptions) => listAgentVersions(terminal, agent, options));
	add("diff", "print what differs between two versions: nodes, edges and their fields")
		.argument("<agent>", "its slug or id (ag_…)")
		.argument("<version>", "number of the version before", parseVersion)
		.argument("[version]", "number of the version after (default: the newest)", parseVersion)
		.action((agent: string, from: number, to: number | undefined, options: ServiceCommandOptions) =>
			diffAgentVersions(terminal, agent, [from, to], options),
		);
	add("restore", "store the graph of an earlier version as the newest one")
		.argument("<agent>", "its slug or id (ag_…)")
		.argument("<version>", "number of the version", parseVersion)
		.option("--note <text>", "why: it is shown with the version")
		.action((agent: string, number: number, options: RestoreAgentOptions) =>
			restoreAgent(terminal, agent, number, options),
		);
}

const NOTES = `"push" checks the file as "stemma validate" does. The same graph again makes no new version. With --json, "pull" prints the agent with its
id and version, and "run" the events of the run, one per line. A knowledge base that does not exist is an error of "push".

${CONNECTION_NOTES}
They need the scope agents:write; agents:run is enough to list, pull and run.

Exit codes: 0 done, 1 failed or wrong input; of "run" also 3 paused for an approval, 130 stopped with Ctrl-C.

Examples:
  stemma agents list
  stemma agents push agents/support-desk.json
  stemma agents pull support-desk > agents/support-desk.json
  stemma agents run support-desk "How do refunds work?"
  stemma agents versions support-desk
  stemma agents diff support-desk 3
  stemma agents restore support-desk 3 --note "The shorter answers were wrong."
  stemma agents delete support-desk`;
