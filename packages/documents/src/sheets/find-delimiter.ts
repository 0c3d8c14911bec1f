import Papa from "papaparse";
import { kindOfText } from "./cell-kind";

const DELIMITERS = [",", ";", "\t", "|"] as const;
const SAMPLE_RECORDS = 20;
/** Characters in which the records of the sample are looked for. */
const SAMPLE_CHARACTERS = 200_000;

/**
 * The delimiter that cuts the first records best: into fields of one number, which hold no other delimiter unless they are
 * numbers or prose.
 */
export function findDelimiter(text: string, expected: string): string {
	const sample = text.slice(0, SAMPLE_CHARACTERS);
	const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreDelimiter(sample, delimiter) }));
	const best = scored.reduce((one, other) => {
		if (other.score === one.score) return other.delimiter === expected ? other : one;
		return other.score > one.score ? other : one;
	});
	return best.score === 0 ? expected : best.delimiter;
}

function scoreDelimiter(sample: string, delimiter: string): number {
	const { data } = Papa.parse<string[]>(sample, { delimiter, preview: SAMPLE_RECORDS, skipEmptyLines: true });
	// The last record of a longer file may be cut off.
	const records = data.length > 2 ? data.slice(0, -1) : data;
	const counts = records.map(({ length }) => length).filter((count) => count > 1);
	const usual = Math.max(0, ...counts);
	if (usual === 0) return 0;
	const consistency = counts.filter((count) => count === usual).length / records.length;
	const fields = records.flat();
	const clean = fields.filter((field) => isClean(field, delimiter)).length / fields.length;
	return consistency * clean;
}

const isClean = (field: string, delimiter: string): boolean =>
	!DELIMITERS.some((other) => other !== delimiter && field.includes(other)) ||
	kindOfText(field) !== "text" ||
	/\S[,;] \S/u.test(field);
