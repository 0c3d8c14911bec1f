import type { Hit } from "../../../../knowledge/search/hit";
import type { JobFile } from "../../../job-file";
import { normalize, toCodeBytes, toVectorBytes, toVectorCode } from "./vector-code";
import { readVectorSlot, toVectorTables, type VectorSlot, type VectorTables } from "./vector-slots";
import type { HitLimits } from "./word-hits";

/** Number of candidates for each requested hit: the best by code, whose vectors are then compared exactly. */
const CANDIDATES_PER_HIT = 2;
/** Numbers of all candidates' vectors together, at least: codes of short vectors tell less, and comparing these takes less time. */
const MIN_CANDIDATE_NUMBERS = 32_768;

/**
 * The passages whose vectors are most like this one, best first: by their codes, then the best of them exactly. Exact
 * altogether where there are no more passages than candidates.
 *
 * @param knowledgeBases - numbers; all of the vector's space.
 */
export function findByVector(
	file: JobFile,
	knowledgeBases: readonly number[],
	vector: Float32Array,
	limits: HitLimits,
): readonly Hit[] {
	const bySlot = Map.groupBy(knowledgeBases, (number) => readVectorSlot(file, number));
	const lists = [...bySlot].map(([slot, numbers]) => findInSlot(file, slot, numbers, vector, limits));
	if (lists.length === 1) return lists.flat();
	return lists
		.flat()
		.sort((a, b) => b.score - a.score || a.number - b.number)
		.slice(0, limits.limit);
}

/**
 * Returns how much the vectors of these passages are like this one, in any order. Those without a vector are left out.
 *
 * @param knowledgeBases - numbers; all of the vector's space. Passages of others are left out.
 */
export function findAmongVectors(
	file: JobFile,
	knowledgeBases: readonly number[],
	vector: Float32Array,
	passages: readonly number[],
): readonly Hit[] {
	const bytes = toVectorBytes(normalize(vector));
	const bySlot = Map.groupBy(knowledgeBases, (number) => readVectorSlot(file, number));
	return [...bySlot].flatMap(([slot, numbers]) =>
		file
			.prepare<ScoredRow>(AMONG_SQL[slot])
			.all(bytes, JSON.stringify(numbers), JSON.stringify(passages), bytes.byteLength)
			.filter(isHit),
	);
}

/** Returns the number of passages, the best by code, whose vectors are compared exactly. @param length - of a vector. */
export const toCandidateCount = (limit: number, length: number): number =>
	Math.max(limit * CANDIDATES_PER_HIT, Math.ceil(MIN_CANDIDATE_NUMBERS / length));

/** Row whose score is `null` where its vector is all zeros. */
type ScoredRow = Omit<Hit, "score"> & { readonly score: number | null };

/** Checks whether a row is a hit: a vector of zeros is like none. Told apart here, for SQLite would compare each of them twice. */
const isHit = (row: ScoredRow): row is Hit => row.score !== null;

function findInSlot(
	file: JobFile,
	slot: VectorSlot,
	knowledgeBases: readonly number[],
	vector: Float32Array,
	{ limit, documents }: HitLimits,
): readonly Hit[] {
	const bytes = toVectorBytes(normalize(vector));
	const documentFilter = documents === undefined ? [] : [JSON.stringify(documents)];
	const rows = file
		.prepare<ScoredRow>(NEAREST_SQL[slot][documents === undefined ? "all" : "inDocuments"])
		.all(
			bytes,
			...documentFilter,
			JSON.stringify(knowledgeBases),
			toCodeBytes(vector.length),
			toVectorCode(vector),
			toCandidateCount(limit, vector.length),
			bytes.byteLength,
			limit,
		);
	return rows.filter(isHit);
}

/**
 * Creates the SQL for the nearest vectors among these codes. A passage that is not swept away yet may have a vector of
 * a former space: then its length differs, or no document shows it.
 */
const toNearestSql = ({ vectors, codes }: VectorTables, from: string): string =>
	`SELECT number, 1 - vec_distance_cosine(vector, ?) AS score FROM ${vectors} WHERE number IN
	(SELECT ${codes}.number FROM ${from} AND length(code) = ?
	ORDER BY vec_distance_hamming(vec_bit(code), vec_bit(?)) LIMIT ?)
	AND length(vector) = ? ORDER BY score DESC LIMIT ?`;

const toSlotSql = (tables: VectorTables) => ({
	all: toNearestSql(tables, `${tables.codes} WHERE knowledge_base IN (SELECT value FROM json_each(?))`),
	/** `CROSS JOIN` keeps the order: each document's passages are looked up. */
	inDocuments: toNearestSql(
		tables,
		`json_each(?) AS wanted CROSS JOIN documents ON documents.number = wanted.value
	CROSS JOIN ${tables.codes} USING (knowledge_base)
	WHERE knowledge_base IN (SELECT value FROM json_each(?))
	AND ${tables.codes}.number BETWEEN first_passage AND first_passage + passage_count - 1`,
	),
});

const NEAREST_SQL = { 0: toSlotSql(toVectorTables(0)), 1: toSlotSql(toVectorTables(1)) };

const toAmongSql = ({ vectors, codes }: VectorTables): string =>
	`SELECT number, 1 - vec_distance_cosine(vector, ?) AS score FROM ${vectors} WHERE number IN
	(SELECT number FROM ${codes} WHERE knowledge_base IN (SELECT value FROM json_each(?))
	AND number IN (SELECT value FROM json_each(?))) AND length(vector) = ?`;

const AMONG_SQL = { 0: toAmongSql(toVectorTables(0)), 1: toAmongSql(toVectorTables(1)) };
