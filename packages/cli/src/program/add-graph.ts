import type { Command } from "commander";
import { graph } from "../commands/agents/graph";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";

/** Adds the command `stemma graph`. */
export function addGraph(program: Command, terminal: Terminal, result: CommandResult): void {
	program
		.command("graph")
		.description("print the graph of an agent file as Mermaid")
		.argument("<file>", "agent file (JSON)")
		.action((file: string) => {
			result.file = file;
			return graph(terminal, file);
		});
}
