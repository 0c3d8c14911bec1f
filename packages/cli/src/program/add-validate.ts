import type { Command } from "commander";
import { validate } from "../commands/agents/validate";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";

/** Adds the command `stemma validate`. */
export function addValidate(program: Command, terminal: Terminal, result: CommandResult): void {
	program
		.command("validate")
		.description("check agent files and list every violation")
		.argument(
			"<file...>",
			"agent files (JSON), folders of them without their subfolders, or - for standard input",
		)
		.action(async (files: string[]) => {
			result.exitCode = await validate(terminal, files);
		});
}
