import type { Command } from "commander";
import { runtime } from "../commands/runtime";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";

/** Adds the command `stemma runtime`, its options and its help. */
export function addRuntime(program: Command, terminal: Terminal, result: CommandResult): void {
	program
		.command("runtime")
		.description("serve a folder of agent files over HTTP, with the models and documents of a service")
		.argument("[arguments...]", "the folder, and the options of stemma-runtime: stemma runtime --help")
		.allowUnknownOption()
		.passThroughOptions()
		// The runtime tells of its own options.
		.helpOption(false)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (args: string[]) => {
			result.exitCode = await runtime(terminal, args);
		});
}

const NOTES = `Without STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET it uses the service that runs on ./stemma-data.

Examples:
  stemma runtime ./agents
  stemma runtime ./agents --service https://stemma.example --port 8080`;
