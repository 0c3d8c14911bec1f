import type { ParsedDocument, SourceRange, TextBlock, TextRun } from "./document-part";

/** Text whose lines all end in `\n`, with where its parts stood before. */
export interface NormalizedLines {
	readonly text: string;
	/** Moves the ranges of a document to where they are in the original text. */
	restore(parsed: ParsedDocument): ParsedDocument;
}

/** Makes all line ends `\n`, for parsers that know no others. */
export function normalizeLineEnds(source: string): NormalizedLines {
	const text = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
	if (text.length === source.length) return { text, restore: (parsed) => parsed };
	/** Offsets in the text after each line end that lost a character. */
	const shortened: number[] = [];
	for (const { index } of source.matchAll(/\r\n/g)) shortened.push(index + 1 - shortened.length);
	const move = <Range extends SourceRange>(range: Range): Range => ({
		...range,
		start: range.start + countUpTo(shortened, range.start),
		end: range.end + countUpTo(shortened, range.end),
	});
	const moveBlock = (block: TextBlock): TextBlock => ({
		...move(block),
		runs: block.runs.flatMap((run) => moveRun(run, shortened)),
	});
	return {
		text,
		restore: (parsed) => ({
			...parsed,
			parts: parsed.parts.map((part) => (part.kind === "block" ? moveBlock(part) : move(part))),
		}),
	};
}

/** Moves a run; one that stands in the text as it is, is split at the line ends in it that lost a character. */
function moveRun(run: TextRun, shortened: readonly number[]): TextRun[] {
	const { offset, length, start, end } = run;
	const first = countUpTo(shortened, start);
	const last = countUpTo(shortened, end);
	if (first === last || end - start !== length) return [{ ...run, start: start + first, end: end + last }];
	const moved: TextRun[] = [];
	let from = start;
	for (let lost = first; lost <= last; lost++) {
		const to = lost === last ? end : (shortened[lost] ?? end);
		moved.push({
			...run,
			offset: offset + from - start,
			length: to - from,
			start: from + lost,
			end: to + lost,
		});
		from = to;
	}
	return moved;
}

/** Number of sorted offsets up to a limit, the limit included. */
function countUpTo(offsets: readonly number[], limit: number): number {
	let low = 0;
	let high = offsets.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((offsets[middle] ?? 0) <= limit) low = middle + 1;
		else high = middle;
	}
	return low;
}
