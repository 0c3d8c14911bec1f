import type { Figures, Measurement } from "./measure.ts";
import { toShare } from "./measure.ts";

/** Row of the table: what is counted, how it is written, and what it is held to. */
interface Row {
	readonly name: string;
	readonly value: (figures: Figures) => string;
	readonly bound?: string;
}

const count = (number: number): string => number.toLocaleString("en-US");

const ROWS: readonly Row[] = [
	{ name: "source files (without tests)", value: ({ files }) => count(files) },
	{ name: "lines", value: ({ lines }) => count(lines) },
	{
		name: "lines a file: median / p90 / max",
		value: ({ linesAFile: { median, p90, max } }) => `${median} / ${p90} / ${max}`,
		bound: "40-100 / ≤ 200 / ≤ 400",
	},
	{ name: "functions over 60 lines", value: ({ functionsOver60 }) => count(functionsOver60), bound: "≤ 10" },
	{ name: "functions over 80 lines", value: ({ functionsOver80 }) => count(functionsOver80), bound: "0" },
	{ name: "`any` per 1,000 lines", value: ({ casts }) => count(casts.any), bound: "0" },
	{ name: "`!` per 1,000 lines", value: ({ casts }) => count(casts.nonNull), bound: "0" },
	{
		name: "`as` per 1,000 lines (without `as const`)",
		value: ({ casts }) => count(casts.as),
		bound: "≤ 2.5",
	},
	{
		name: "import cycles, types included (files on them)",
		value: ({ cycles, filesOnCycles }) => `${cycles.withTypes} (${filesOnCycles.withTypes})`,
		bound: "0",
	},
	{
		name: "import cycles of values (files on them)",
		value: ({ cycles, filesOnCycles }) => `${cycles.withoutTypes} (${filesOnCycles.withoutTypes})`,
		bound: "0",
	},
	{
		name: "most files on one level of a folder",
		value: ({ filesALevel }) => count(filesALevel),
		bound: "about 20",
	},
	{ name: "folders with more than 20 files", value: ({ crowdedFolders }) => count(crowdedFolders) },
	{
		name: "coined names in use (uses)",
		value: ({ coinedNames, coinedUses }) => `${count(coinedNames)} (${count(coinedUses)})`,
		bound: "0",
	},
	{
		name: "docstrings that do not name their thing",
		value: ({ emptyOpenings }) => `${emptyOpenings} %`,
		bound: "≤ 2 %",
	},
	{
		name: "duplicates across packages (lines)",
		value: ({ duplicates, duplicateLines }) => `${duplicates} (${duplicateLines})`,
	},
];

/** Lines of a table in Markdown. */
const toTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
	[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Table for a terminal, and the longest lists behind it. */
export function formatFigures({ figures, openings, ...details }: Measurement): string {
	const width = Math.max(...ROWS.map(({ name }) => name.length));
	const rows = ROWS.map(
		({ name, value, bound }) =>
			`${name.padEnd(width)}  ${value(figures).padStart(14)}${bound === undefined ? "" : `   (${bound})`}`,
	);
	const lists: readonly (readonly [string, readonly string[]])[] = [
		["Fullest folders", details.folders.slice(0, 8).map(({ folder, files }) => `${files} ${folder}`)],
		["Longest functions", details.longFunctions.slice(0, 8).map(({ lines, place }) => `${lines} ${place}`)],
		["Cycles", details.cycles.map((files) => `${files.length} files, as ${files.slice(0, 2).join(", ")}`)],
		[
			"Docstrings that do not name their thing",
			openings.map(({ package: name, docstrings, empty }) => `${name} ${empty} of ${docstrings}`),
		],
		["Coined names", details.coinedNames.slice(0, 15).map(({ name, uses }) => `${name} ${uses}`)],
		[
			"Duplicates",
			details.duplicates.slice(0, 8).map(({ lines, places }) => `${lines} ${places.join(" and ")}`),
		],
	];
	const blocks = lists
		.filter(([, items]) => items.length > 0)
		.map(([title, items]) => [`${title}:`, ...items.map((item) => `  ${item}`)].join("\n"));
	return [rows.join("\n"), ...blocks].join("\n\n");
}

/** Page `docs/figures.md`: the figures before the change of the language, and now. */
export function formatPage(before: Before, now: Measurement): string {
	const openings = now.openings.map(({ package: name, docstrings, empty }) => {
		const then = before.openings.find((each) => each.package === name);
		const shareThen = then === undefined ? "" : `${toShare(then.empty, then.docstrings)} %`;
		return [`\`${name}\``, shareThen, `${toShare(empty, docstrings)} %`];
	});
	const folders = now.folders.slice(0, 10).map(({ folder, files }) => [`\`${folder}\``, count(files)]);
	return `# Figures

Counted over the sources of \`packages/*/src\` without tests; coined names over the whole repository. \`npm run figures\` prints them, \`npm run figures -- --write\`
writes this page. "Before" is commit ${before.commit}, before the code was put into one language.

${toTable(
	["figure", "before", "now", "bound"],
	ROWS.map(({ name, value, bound = "" }) => [name, value(before.figures), value(now.figures), bound]),
)}

A function counts from its first token to its last, with the functions inside it. A duplicate is a block of at least 7 equal lines in two packages; lines without a
word, comments and imports are left out.

## Docstrings that do not name their thing

${toTable(["package", "before", "now"], openings)}

## Fullest folders

${toTable(["folder", "source files"], folders)}
`;
}

/** Figures of an earlier commit, `before.json`. */
export interface Before {
	readonly commit: string;
	readonly figures: Figures;
	readonly openings: Measurement["openings"];
}
