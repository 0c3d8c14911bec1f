import { type Style, style, type Terminal } from "./terminal";
import { formatJson } from "./text/format-json";
import { formatTable } from "./text/table";

/** Option of the commands that can print JSON for programs. */
export interface JsonOption {
	readonly json: boolean;
}

/** Prints what a command has found or done: a line of JSON where programs read it, else text that ends its last line. */
export function print(
	{ stdout }: Pick<Terminal, "stdout">,
	{ json }: JsonOption,
	value: unknown,
	toText: () => string,
): void {
	stdout.write(json ? `${formatJson(value)}\n` : toText());
}

export interface TableFormat<Item> {
	readonly header: readonly string[];
	readonly toCells: (item: Item) => readonly string[];
	/** Sentence in place of a table without rows. Default: the header alone. */
	readonly empty?: string;
}

/** Prints a list as {@link print} does, a row an item. */
export const printTable = <Item>(
	terminal: Pick<Terminal, "stdout">,
	options: JsonOption,
	items: readonly Item[],
	{ header, toCells, empty }: TableFormat<Item>,
): void =>
	print(terminal, options, items, () =>
		items.length === 0 && empty !== undefined ? `${empty}\n` : formatTable([header, ...items.map(toCells)]),
	);

/** Words before a line for a person; hints line up with errors. */
const LABELS = {
	note: ["yellow", "note: "],
	hint: ["dim", "hint:  "],
	failed: ["red", "failed: "],
	paused: ["yellow", "paused: "],
	skipped: ["yellow", "skipped: "],
	waiting: ["yellow", "waiting: "],
} as const satisfies Readonly<Record<string, readonly [Style, string]>>;

/** Writes a line to standard error, with a word before it that says what it is. */
export function report({ stderr }: Pick<Terminal, "stderr">, label: keyof typeof LABELS, text: string): void {
	const [format, word] = LABELS[label];
	stderr.write(`${style(stderr, format, word.trimEnd())}${word.slice(word.trimEnd().length)}${text}\n`);
}
