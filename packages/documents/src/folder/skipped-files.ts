import { extname } from "node:path";

/** Files and folders of one kind that were left out of a folder's documents. */
export interface SkippedFiles {
	/**
	 * `format`: files whose format is not read. `link`: symbolic links to what is read already, or to a folder around this
	 * one. `link_outside`: symbolic links out of the folder. `data_folder`: the data of a service, with its credentials.
	 * `generated_file`: lock files of package managers, and minified files.
	 */
	readonly kind: (typeof KINDS)[number];
	/**
	 * File extension for the kind `format`: with its dot and in lower case, empty for names without one. Empty for
	 * other kinds.
	 */
	readonly extension: string;
	readonly count: number;
}

/** Kinds in the order in which they are named. Formats come first, the most frequent of them before the others. */
const KINDS = [
	"format",
	"hidden_file",
	"hidden_folder",
	"node_modules",
	"generated_file",
	"data_folder",
	"link",
	"link_outside",
] as const;

/** Extension of a file name, with its dot and in lower case; empty without one. */
const extensionOf = (file: string): string => extname(file).toLowerCase();

/** Counts of files whose format is not read, by extension. */
export const countUnreadFormats = (files: readonly string[]): SkippedFiles[] =>
	sumSkipped(files.map((file) => ({ kind: "format", extension: extensionOf(file), count: 1 })));

/** Counts of several lists as one list, in a fixed order. */
export function sumSkipped(all: readonly SkippedFiles[]): SkippedFiles[] {
	const sums = new Map<string, SkippedFiles>();
	for (const one of all) {
		const key = `${one.kind} ${one.extension}`;
		sums.set(key, { ...one, count: (sums.get(key)?.count ?? 0) + one.count });
	}
	return [...sums.values()].sort(byKind);
}

function byKind(a: SkippedFiles, b: SkippedFiles): number {
	const order = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.count - a.count;
	// Equally frequent ones by name, those without one last.
	return order || ((a.extension || "~") < (b.extension || "~") ? -1 : 1);
}

const NAMES = {
	hidden_file: "hidden file",
	hidden_folder: "hidden folder",
	node_modules: "node_modules folder",
	generated_file: "lock or minified file",
	data_folder: "data folder of a service",
	link: "symbolic link",
	link_outside: "symbolic link out of the folder",
} as const;

const PLURALS = {
	hidden_file: "hidden files",
	hidden_folder: "hidden folders",
	node_modules: "node_modules folders",
	generated_file: "lock or minified files",
	data_folder: "data folders of services",
	link: "symbolic links",
	link_outside: "symbolic links out of the folder",
} as const;

/** Name of a kind, in the singular. */
export const skippedLabel = ({ kind, extension }: Pick<SkippedFiles, "kind" | "extension">): string =>
	kind === "format" ? extension || "without extension" : NAMES[kind];

/** Every kind with its count: `3 .pdf, 1 without extension, 2 hidden folders`. */
export const describeSkipped = (skipped: readonly SkippedFiles[]): string =>
	skipped
		.map((one) => {
			const name = one.kind === "format" || one.count === 1 ? skippedLabel(one) : PLURALS[one.kind];
			return `${one.count.toLocaleString("en-US")} ${name}`;
		})
		.join(", ");
