import type { Hit } from "../../../../knowledge/search/hit";
import type { JobFile } from "../../../job-file";
import { normalize, toCodeBytes, toVectorBytes, toVectorCode } from "./vector-code";
import type { HitLimits } from "./word-hits";

/** Minimum number of candidates for each requested hit: the best by code, whose vectors are then compared exactly. */
const MIN_CANDIDATES_PER_HIT = 3;
/** Codes of short vectors tell less, and comparing these takes less time. */
const CANDIDATE_DIMENSIONS = 4096;

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
	{ limit, documents }: HitLimits,
): readonly Hit[] {
	const bytes = toVectorBytes(normalize(vector));
	const documentFilter = documents === undefined ? [] : [JSON.stringify(documents)];
	const rows = file
		.prepare<Omit<Hit, "score"> & { readonly score: number | null }>(
			documents === undefined ? NEAREST_SQL : NEAREST_IN_DOCUMENTS_SQL,
		)
		.all(
			bytes,
			...documentFilter,
			JSON.stringify(knowledgeBases),
			toCodeBytes(vector.length),
			toVectorCode(vector),
			limit * Math.max(MIN_CANDIDATES_PER_HIT, Math.ceil(CANDIDATE_DIMENSIONS / vector.length)),
			bytes.byteLength,
			limit,
		);
	// A vector of zeros is like none. Told apart here, for SQLite would compare each of them twice.
	return rows.filter((row): row is Hit => row.score !== null);
}

/**
 * Creates the SQL for the nearest vectors among these codes. A passage that is not swept away yet may have a vector of
 * a former space: then its length differs, or no document shows it.
 */
const toNearestSql = (codes: string): string =>
	`SELECT number, 1 - vec_distance_cosine(vector, ?) AS score FROM passage_vectors WHERE number IN
	(SELECT passage_codes.number FROM ${codes} AND length(code) = ?
	ORDER BY vec_distance_hamming(vec_bit(code), vec_bit(?)) LIMIT ?)
	AND length(vector) = ? ORDER BY score DESC LIMIT ?`;

const NEAREST_SQL = toNearestSql("passage_codes WHERE knowledge_base IN (SELECT value FROM json_each(?))");
/** `CROSS JOIN` keeps the order: each document's passages are looked up. */
const NEAREST_IN_DOCUMENTS_SQL = toNearestSql(
	`json_each(?) AS wanted CROSS JOIN documents ON documents.number = wanted.value
	CROSS JOIN passage_codes USING (knowledge_base)
	WHERE knowledge_base IN (SELECT value FROM json_each(?))
	AND passage_codes.number BETWEEN first_passage AND first_passage + passage_count - 1`,
);
