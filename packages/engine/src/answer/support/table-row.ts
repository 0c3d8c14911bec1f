import { isSameWord } from "./same-word";
import { readSentence, type Sentence } from "./sentence";

/** Row of a table in Markdown, with the header of each cell. */
export interface TableRow {
	/** First cell, which names what it is about. */
	readonly label: Sentence;
	readonly cells: readonly TableCell[];
}

interface TableCell {
	readonly header: Sentence;
	readonly value: Sentence;
}

const splitCells = (line: string): string[] =>
	line
		.trim()
		.replace(/^\||\|$/g, "")
		.split("|");

/** @param header - the first row of the table. */
export function readTableRow(line: string, header: string): TableRow {
	const headers = splitCells(header);
	const cells = splitCells(line).map((value, index) => ({
		header: readSentence(headers[index] ?? ""),
		value: readSentence(value),
	}));
	return { label: readSentence(splitCells(line)[0] ?? ""), cells: cells.slice(1) };
}

/** Checks whether a claim names another row of the table, and not this one. */
export function namesOtherRow(
	{ words, numbers }: Sentence,
	row: TableRow,
	rows: readonly TableRow[],
): boolean {
	const isNamed = ({ label }: TableRow): boolean =>
		label.letters !== "" &&
		[...label.words].every((word) => words.has(word)) &&
		[...label.numbers].every((number) => numbers.has(number));
	return !isNamed(row) && rows.some(isNamed);
}

/** Checks whether a claim has all words of a cell in another row, in a column in which this row has other words. */
export function hasOtherValue(claim: Sentence, row: TableRow, rows: readonly TableRow[]): boolean {
	const known = new Set(
		[row.label, ...row.cells.flatMap(({ header, value }) => [header, value])].flatMap(({ words }) => [
			...words,
		]),
	);
	return rows.some(({ cells }) =>
		cells.some(
			({ value }) =>
				value.terms.length > 0 &&
				value.terms.every((term) => claim.words.has(term)) &&
				!value.terms.some((term) => known.has(term)),
		),
	);
}

/** Checks whether a number of a claim is in one column, and the claim names another one, of which it has no number. */
export function mixesColumns(claim: Sentence, { cells }: TableRow): boolean {
	const columns = cells.map(({ header, value }) => ({
		named: countSharedWords(header, claim) + countShared(header, claim),
		isUsed: value.numbers.size > 0 ? countShared(value, claim) > 0 : hasAllWords(value, claim),
	}));
	const used = columns.filter(({ isUsed }) => isUsed).map(({ named }) => named);
	const unused = columns.filter(({ isUsed }) => !isUsed).map(({ named }) => named);
	return used.length > 0 && Math.max(...unused, 0) > Math.max(...used);
}

const hasAllWords = (value: Sentence, claim: Sentence): boolean =>
	value.words.size > 0 && countSharedWords(value, claim) === value.words.size;

const countSharedWords = ({ words }: Sentence, claim: Sentence): number =>
	[...words].filter((word) => [...claim.words].some((other) => word === other || isSameWord(word, other)))
		.length;

const countShared = ({ numbers }: Sentence, claim: Sentence): number =>
	[...numbers].filter((number) => claim.numbers.has(number)).length;
