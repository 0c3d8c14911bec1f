/** Text of a file, by its path. */
export interface TextFile {
	readonly path: string;
	readonly text: string;
}

/** Lines that stand in files of two packages, with the place of both. */
export interface Duplicate {
	readonly lines: number;
	readonly places: readonly [string, string];
}

interface Line {
	readonly text: string;
	readonly at: number;
}

interface Start {
	readonly file: number;
	readonly index: number;
}

/**
 * Blocks of at least `minLines` equal lines in files of different packages, the longest first.
 *
 * A comparison of lines without their indentation: those that hold nothing but brackets, comments or imports are left out, so renamed
 * copies are not seen.
 */
export function findDuplicates(
	files: readonly TextFile[],
	toPackage: (path: string) => string,
	minLines: number,
): Duplicate[] {
	const lines = files.map(({ text }) => listLines(text));
	const starts = indexWindows(lines, minLines);
	const isEqual = (one: Start, other: Start): boolean => {
		const text = lines[one.file]?.[one.index]?.text;
		return text !== undefined && text === lines[other.file]?.[other.index]?.text;
	};
	const toPlace = ({ file, index }: Start): string => `${files[file]?.path}:${lines[file]?.[index]?.at}`;
	const areApart = (one: Start, other: Start): boolean =>
		toPackage(files[one.file]?.path ?? "") !== toPackage(files[other.file]?.path ?? "");

	return [...starts.values()]
		.flatMap((places) => listPairs(places))
		.filter(([one, other]) => areApart(one, other) && !isEqual(before(one), before(other)))
		.map(([one, other]): Duplicate => {
			let count = minLines;
			while (isEqual(after(one, count), after(other, count))) count += 1;
			return { lines: count, places: [toPlace(one), toPlace(other)] };
		})
		.sort((one, other) => other.lines - one.lines || one.places[0].localeCompare(other.places[0]));
}

const before = ({ file, index }: Start): Start => ({ file, index: index - 1 });
const after = ({ file, index }: Start, count: number): Start => ({ file, index: index + count });

/** Lines that say something: a word, and neither a comment nor a part of an import. */
function listLines(code: string): Line[] {
	const withoutImports = code.replaceAll(/^(import|export) [^;]*? from "[^"]+";$/gm, (block) =>
		block.replaceAll(/[^\n]/g, ""),
	);
	return withoutImports
		.split("\n")
		.map((text, index) => ({ text: text.trim(), at: index + 1 }))
		.filter(({ text }) => /\w/.test(text) && !/^(\/\/|\/\*|\*)/.test(text));
}

/** Every place of each run of `length` lines. */
function indexWindows(files: readonly (readonly Line[])[], length: number): Map<string, Start[]> {
	const starts = new Map<string, Start[]>();
	for (const [file, lines] of files.entries())
		for (let index = 0; index + length <= lines.length; index += 1) {
			const key = lines
				.slice(index, index + length)
				.map(({ text }) => text)
				.join("\n");
			const places = starts.get(key);
			if (places === undefined) starts.set(key, [{ file, index }]);
			else places.push({ file, index });
		}
	return starts;
}

const listPairs = <T>(items: readonly T[]): [T, T][] =>
	items.flatMap((one, at) => items.slice(at + 1).map((other): [T, T] => [one, other]));
