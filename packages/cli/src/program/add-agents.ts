import type { Command } from "commander";
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
import { addServiceCommands } from "./options/service-command";

/** Adds the command `stemma agents`, its options and its help. */
export function addAgents(program: Command, terminal: Terminal, result: CommandResult): void {
	const { add } = addServiceCommands(program, {
		name: "agents",
		description: "agents that a service keeps: list, push, pull, run, delete",
		notes: NOTES,
	});
	add("list", "list them").action((options: ServiceCommandOptions) => listAgents(terminal, options));
	add("push", "store an agent file, as a new agent or as the next version")
		.argument("<file>", "agent file (JSON)")
		.option("--slug <slug>", "the agent's slug (default: the file name without .json)")
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
	add("delete", "delete it, permanently")
		.argument("<agent>", "its slug or id (ag_…)")
		.option("--yes", "do not ask", false)
		.action((agent: string, options: DeleteAgentOptions) => deleteAgent(terminal, agent, options));
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
  stemma agents delete support-desk`;
