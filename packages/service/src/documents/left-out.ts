import { extname } from "node:path";

/** Files and folders of one kind that were left out of a folder's documents. */
export interface LeftOut {
	/** `format`: files whose format is not read. `link`: symbolic links to what is read already, or to a folder around this one. */
	readonly kind: "format" | "hidden_file" | "hidden_folder" | "node_modules" | "link";
	/** Of the kind `format`: with its dot and in lower case, empty for names without one. Else empty. */
	readonly extension: string;
	readonly count: number;
}

/** In the order in which they are named; formats come first, the most frequent of them before the others. */
const KINDS = ["format", "hidden_file", "hidden_folder", "node_modules", "link"] as const;

/** Extension of a file name, with its dot and in lower case; empty without one. */
export const extensionOf = (file: string): string => extname(file).toLowerCase();

/** Counts of files whose format is not read, by extension. */
export const countFormats = (files: readonly string[]): LeftOut[] =>
	sumLeftOut(files.map((file) => ({ kind: "format", extension: extensionOf(file), count: 1 })));

/** Counts of several lists as one list, in a fixed order. */
export function sumLeftOut(all: readonly LeftOut[]): LeftOut[] {
	const sums = new Map<string, LeftOut>();
	for (const one of all) {
		const key = `${one.kind} ${one.extension}`;
		sums.set(key, { ...one, count: (sums.get(key)?.count ?? 0) + one.count });
	}
	return [...sums.values()].sort(byKind);
}

function byKind(a: LeftOut, b: LeftOut): number {
	const order = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.count - a.count;
	// Equally frequent ones by name, those without one last.
	return order || ((a.extension || "~") < (b.extension || "~") ? -1 : 1);
}

/** Name of a kind, in the singular. */
export function nameLeftOut({ kind, extension }: Pick<LeftOut, "kind" | "extension">): string {
	if (kind === "format") return extension || "without extension";
	const names = {
		hidden_file: "hidden file",
		hidden_folder: "hidden folder",
		node_modules: "node_modules folder",
		link: "symbolic link",
	} as const;
	return names[kind];
}

/** Every kind with its count: `3 .pdf, 1 without extension, 2 hidden folders`. */
export const describeLeftOut = (leftOut: readonly LeftOut[]): string =>
	leftOut
		.map((one) => {
			const plural = one.kind !== "format" && one.count > 1 ? "s" : "";
			return `${one.count.toLocaleString("en-US")} ${nameLeftOut(one)}${plural}`;
		})
		.join(", ");
