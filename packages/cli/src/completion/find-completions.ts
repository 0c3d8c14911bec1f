import type { Argument, Command, Option } from "commander";

/** Names that a service knows. */
export type NameKind = "knowledge base" | "agent" | "document" | "source";

/** Words that fit, or names of the service that do. */
export interface Completions {
	readonly words: readonly string[];
	readonly names?: NameKind;
	/** Values of the options so far, by their long flag: `--kb`. */
	readonly options: ReadonlyMap<string, string>;
}

/**
 * Finds what may be typed next.
 *
 * @param words - of the command line, without the program; the last one is being typed, and may be empty.
 */
export function findCompletions(program: Command, words: readonly string[]): Completions {
	const current = words.at(-1) ?? "";
	let command = program;
	let operands = 0;
	let waiting: Option | undefined;
	const options = new Map<string, string>();
	for (const word of words.slice(0, -1)) {
		if (waiting !== undefined) {
			options.set(waiting.long ?? "", word);
			waiting = undefined;
		} else if (word.startsWith("-")) waiting = findValueOption(command, word);
		else {
			const child = operands === 0 ? findCommand(command, word) : undefined;
			if (child === undefined) operands++;
			else command = child;
		}
	}
	if (waiting !== undefined) return { ...completeValue(waiting), options };
	if (current.startsWith("-")) return { words: listFlags(command), options };
	if (command.commands.length > 0 && operands === 0) return { words: listCommands(command), options };
	return { ...completeArgument(findArgument(command, operands)), options };
}

const findValueOption = (command: Command, flag: string): Option | undefined =>
	command.options.find(({ long, short, required }) => required && (long === flag || short === flag));

const findCommand = (command: Command, name: string): Command | undefined =>
	command.commands.find((child) => child.name() === name);

/** The last argument may stand for several. */
function findArgument({ registeredArguments }: Command, position: number): Argument | undefined {
	const last = registeredArguments.at(-1);
	return registeredArguments[position] ?? (last?.variadic ? last : undefined);
}

function completeValue({ long, argChoices }: Option): Pick<Completions, "words" | "names"> {
	if (argChoices !== undefined) return { words: argChoices };
	if (long === "--kb") return { words: [], names: "knowledge base" };
	return long === "--agent" ? { words: [], names: "agent" } : { words: [] };
}

function completeArgument(argument: Argument | undefined): Pick<Completions, "words" | "names"> {
	const kind = NAME_KINDS.find((name) => name === argument?.name());
	return kind === undefined ? { words: argument?.argChoices ?? [] } : { words: [], names: kind };
}

const NAME_KINDS: readonly NameKind[] = ["knowledge base", "agent", "document", "source"];

const listFlags = (command: Command): string[] =>
	command
		.createHelp()
		.visibleOptions(command)
		.flatMap(({ long }) => long ?? []);

const listCommands = (command: Command): string[] =>
	command
		.createHelp()
		.visibleCommands(command)
		.map((child) => child.name());
