import type { Command } from "commander";
import { addConnectionOptions } from "./connection-options";

/** Adds a command to a group. */
export type AddCommand = (name: string, description: string) => Command;

/**
 * Adds a group of commands that talk to a service and can print JSON.
 *
 * @param notes - help text of the group and of each of its commands.
 * @returns what adds a command to the group.
 */
export function addServiceCommands(
	program: Command,
	{
		name,
		description,
		notes,
	}: { readonly name: string; readonly description: string; readonly notes: string },
): { readonly group: Command; readonly add: AddCommand } {
	const group = program.command(name).description(description).addHelpText("after", `\n${notes}`);
	const add: AddCommand = (commandName, text) =>
		addConnectionOptions(
			group.command(commandName).description(text).option("--json", "print JSON", false),
		).addHelpText("after", `\n${notes}`);
	return { group, add };
}
