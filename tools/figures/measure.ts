import { quantile } from "../durability/runtime/quantile.ts";
import { createCoinedNameFinder, readCoinedNames } from "../language/coined-names.ts";
import { opensEmpty } from "../language/language-rules.ts";
import { listAllNames } from "../language/list-names.ts";
import { listDocstrings } from "../sources/docstrings.ts";
import { packageOf, readSources, type SourceFile } from "../sources/source-file.ts";
import { countCasts } from "./count-casts.ts";
import { findCycles } from "./find-cycles.ts";
import { type Duplicate, findDuplicates } from "./find-duplicates.ts";
import { type MeasuredFolder, measureFolders } from "./measure-folders.ts";
import { type MeasuredFunction, measureFunctions } from "./measure-functions.ts";
import { readImports } from "./read-imports.ts";

/** Equal lines from which on a block that stands in two packages is a duplicate. */
const MIN_DUPLICATE_LINES = 7;

/** Files on one level of a folder beyond which a folder is listed. */
export const MAX_FILES_A_LEVEL = 20;

/** Docstrings of a package, and those of them that do not name their thing. */
export interface Openings {
	readonly package: string;
	readonly docstrings: number;
	readonly empty: number;
}

/** Figures of the sources of all packages, without tests; coined names are those of the whole repository. */
export interface Figures {
	readonly files: number;
	readonly lines: number;
	readonly linesAFile: { readonly median: number; readonly p90: number; readonly max: number };
	readonly functionsOver60: number;
	readonly functionsOver80: number;
	/** Each per 1,000 lines. */
	readonly casts: { readonly any: number; readonly nonNull: number; readonly as: number };
	/** Files on a cycle of imports; `withoutTypes` counts imports of values alone. */
	readonly filesOnCycles: { readonly withTypes: number; readonly withoutTypes: number };
	readonly cycles: { readonly withTypes: number; readonly withoutTypes: number };
	readonly filesALevel: number;
	readonly crowdedFolders: number;
	readonly coinedNames: number;
	readonly coinedUses: number;
	readonly emptyOpenings: number;
	readonly duplicates: number;
	readonly duplicateLines: number;
}

/** Figures with what they were counted from. */
export interface Measurement {
	readonly figures: Figures;
	readonly openings: readonly Openings[];
	readonly longFunctions: readonly MeasuredFunction[];
	readonly folders: readonly MeasuredFolder[];
	readonly cycles: readonly (readonly string[])[];
	readonly duplicates: readonly Duplicate[];
	readonly coinedNames: readonly { readonly name: string; readonly uses: number }[];
}

/** Measures the working tree. */
export function measure(): Measurement {
	const sources = readSources();
	const lines = sources.map(countLines);
	const total = sum(lines);
	const longFunctions = sources
		.flatMap(measureFunctions)
		.filter((each) => each.lines > 60)
		.sort((one, other) => other.lines - one.lines);
	const imports = readImports(sources);
	const cycles = findCycles(new Map([...imports].map(([path, { all }]) => [path, all])));
	const valueCycles = findCycles(new Map([...imports].map(([path, { values }]) => [path, values])));
	const folders = measureFolders(sources.map(({ path }) => path));
	const openings = measureOpenings(sources);
	const duplicates = findDuplicates(
		sources.map(({ path, text }) => ({ path, text })),
		packageOf,
		MIN_DUPLICATE_LINES,
	);
	const coinedNames = countCoinedNames();
	return {
		figures: {
			files: sources.length,
			lines: total,
			linesAFile: { median: quantile(lines, 0.5), p90: quantile(lines, 0.9), max: quantile(lines, 1) },
			functionsOver60: longFunctions.length,
			functionsOver80: longFunctions.filter((each) => each.lines > 80).length,
			casts: measureCasts(sources, total),
			filesOnCycles: { withTypes: cycles.flat().length, withoutTypes: valueCycles.flat().length },
			cycles: { withTypes: cycles.length, withoutTypes: valueCycles.length },
			filesALevel: folders[0]?.files ?? 0,
			crowdedFolders: folders.filter(({ files }) => files > MAX_FILES_A_LEVEL).length,
			coinedNames: coinedNames.length,
			coinedUses: sum(coinedNames.map(({ uses }) => uses)),
			emptyOpenings: toShare(
				sum(openings.map(({ empty }) => empty)),
				sum(openings.map(({ docstrings }) => docstrings)),
			),
			duplicates: duplicates.length,
			duplicateLines: sum(duplicates.map((duplicate) => duplicate.lines)),
		},
		openings,
		longFunctions,
		folders: folders.slice(0, 20),
		cycles,
		duplicates,
		coinedNames,
	};
}

const countLines = ({ text }: SourceFile): number => text.trimEnd().split("\n").length;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Percentage with one decimal place; 0 of nothing. */
export const toShare = (part: number, whole: number): number =>
	whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;

function measureCasts(sources: readonly SourceFile[], lines: number): Figures["casts"] {
	const casts = sources.map(countCasts);
	const perThousand = (count: number): number => Math.round((100_000 * count) / lines) / 100;
	return {
		any: perThousand(sum(casts.map((each) => each.any))),
		nonNull: perThousand(sum(casts.map((each) => each.nonNull))),
		as: perThousand(sum(casts.map((each) => each.as))),
	};
}

function measureOpenings(sources: readonly SourceFile[]): Openings[] {
	const names = [...new Set(sources.map(({ path }) => packageOf(path)))];
	return names.map((name) => {
		const docstrings = sources.filter(({ path }) => packageOf(path) === name).flatMap(listDocstrings);
		const empty = docstrings.filter(({ text }) => opensEmpty(text)).length;
		return { package: name, docstrings: docstrings.length, empty };
	});
}

/** Coined names that are still in use, the most used first. */
function countCoinedNames(): Measurement["coinedNames"] {
	const counts = new Map<string, number>();
	for (const { entry } of createCoinedNameFinder(readCoinedNames())(listAllNames()))
		counts.set(entry.old, (counts.get(entry.old) ?? 0) + 1);
	return [...counts]
		.map(([name, uses]) => ({ name, uses }))
		.sort((one, other) => other.uses - one.uses || one.name.localeCompare(other.name));
}
