import type { Command } from "commander";
import { type InitCommandOptions, init } from "../../commands/project/init";
import type { Terminal } from "../../terminal/terminal";

/** Adds the command `stemma init`, its options and its help. */
export function addInit(program: Command, terminal: Terminal): void {
	program
		.command("init")
		.description("make a project: an agent, documents, a tool, a chat page and tests")
		.argument("[folder]", "a folder that is empty or does not exist yet", ".")
		.option("--name <name>", "name of its package (default: the name of the folder)")
		.addHelpText("after", `\n${NOTES}`)
		.action((folder: string, options: InitCommandOptions) => init(terminal, folder, options));
}

const NOTES = `It installs nothing and needs no network. \`npm create stemma\` does the same.

Examples:
  stemma init my-desk
  cd my-desk && npm install && npm run dev`;
