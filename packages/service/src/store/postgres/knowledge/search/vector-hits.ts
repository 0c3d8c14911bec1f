import { type RawBuilder, sql } from "kysely";
import type { Hit } from "../../../../knowledge/search/hit";
import { normalize } from "../../../sqlite/knowledge/search/vector-code";
import { toCandidateCount } from "../../../sqlite/knowledge/search/vector-hits";
import {
	toVectorTables,
	type VectorSlot,
	type VectorTables,
} from "../../../sqlite/knowledge/search/vector-slots";
import { toRealArray } from "../../connection/real-array";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Knowledge base whose vectors are compared. */
export interface ComparedBase {
	/** A number, not an id. */
	readonly number: number;
	/** Slot whose vectors searches use. */
	readonly slot: VectorSlot;
	/** Tells whether vectors have codes; see `vectorCodesSql`. */
	readonly hasCodes: boolean;
}

/** Options of finding passages by a vector. */
export interface VectorLimits {
	readonly limit: number;
	/** Numbers: only passages of these. */
	readonly documents: readonly number[] | undefined;
}

/**
 * Finds the passages whose vectors are most like this one, best first: by their codes, then the best of them exactly, as on
 * SQLite. Exact altogether where there are no more passages than candidates, and where there are no codes.
 *
 * @param bases - all of the vector's space.
 */
export async function findByVector(
	transaction: WorkspaceTransaction,
	bases: readonly ComparedBase[],
	vector: Float32Array,
	{ limit, documents }: VectorLimits,
): Promise<readonly Hit[]> {
	const toQuery = bases.every(({ hasCodes }) => hasCodes) ? toCodeQuery : toExactQuery;
	const hits = await findInSlots(transaction, bases, (slot, numbers) =>
		toQuery(toVectorTables(slot), numbers, vector, { limit, documents }),
	);
	return [...hits].sort((a, b) => b.score - a.score || a.number - b.number).slice(0, limit);
}

type NearestQuery = (
	tables: VectorTables,
	knowledgeBases: readonly number[],
	vector: Float32Array,
	limits: VectorLimits,
) => RawBuilder<Hit>;

/** Compares all vectors. */
const toExactQuery: NearestQuery = (tables, knowledgeBases, vector, { limit, documents }) => sql`
	select vectors.number, ${toSimilarity(vector)} as score
	from ${sql.table(tables.vectors)} vectors
	where ${ownRows("vectors")} and vectors.knowledge_base = any(${knowledgeBases}::bigint[])
		and vector_dims(vectors.vector) = ${vector.length}::integer and ${ofDocuments("vectors", documents)}
	order by score desc nulls last, vectors.number limit ${limit}`;

/**
 * Compares all codes of this length, then the vectors of the best, which are looked up by their numbers: a planner that
 * joins them in another way reads all.
 */
const toCodeQuery: NearestQuery = (tables, knowledgeBases, vector, { limit, documents }) => sql`
	select vectors.number, ${toSimilarity(vector)} as score
	from ${sql.table(tables.vectors)} vectors
	where ${ownRows("vectors")} and vectors.knowledge_base = any(${knowledgeBases}::bigint[])
		and vectors.number = any(array(
			select codes.number
			from ${sql.table(tables.codes)} codes
			where ${ownRows("codes")} and codes.knowledge_base = any(${knowledgeBases}::bigint[])
				and length(codes.code) = ${vector.length}::integer and ${ofDocuments("codes", documents)}
			order by codes.code <~> binary_quantize(${toRealArray([vector])}::real[]::vector), codes.number
			limit ${toCandidateCount(limit, vector.length)}
		))
	order by score desc nulls last, vectors.number limit ${limit}`;

/**
 * Returns how much the vectors of these passages are like this one, in any order. Those without a vector are left out.
 *
 * @param bases - all of the vector's space. Passages of others are left out.
 */
export const findAmongVectors = (
	transaction: WorkspaceTransaction,
	bases: readonly ComparedBase[],
	vector: Float32Array,
	passages: readonly number[],
): Promise<readonly Hit[]> =>
	findInSlots(
		transaction,
		bases,
		(slot, numbers) => sql<Hit>`
			select vectors.number, ${toSimilarity(vector)} as score
			from ${sql.table(toVectorTables(slot).vectors)} vectors
			where ${ownRows("vectors")} and vectors.knowledge_base = any(${numbers}::bigint[])
				and vectors.number = any(${passages}::bigint[])
				and vector_dims(vectors.vector) = ${vector.length}::integer`,
	);

/** Similarity of vectors of length 1: the cosine. It is null for a vector of zeros, which is like none. */
const toSimilarity = (vector: Float32Array): RawBuilder<number> =>
	sql`nullif(1 - (vectors.vector <=> ${toRealArray([normalize(vector)])}::real[]::vector), 'NaN')`;

const ofDocuments = (table: string, documents: readonly number[] | undefined): RawBuilder<boolean> =>
	documents === undefined
		? sql`true`
		: sql`exists (select from documents where ${ownRows("documents")} and documents.number = any(${documents}::bigint[])
			and documents.knowledge_base = ${sql.ref(`${table}.knowledge_base`)}
			and ${sql.ref(`${table}.number`)} between documents.first_passage and documents.first_passage + documents.passage_count - 1)`;

async function findInSlots(
	transaction: WorkspaceTransaction,
	bases: readonly ComparedBase[],
	toQuery: (slot: VectorSlot, numbers: readonly number[]) => RawBuilder<Hit>,
): Promise<readonly Hit[]> {
	const hits: Hit[] = [];
	for (const [slot, group] of Map.groupBy(bases, (base) => base.slot)) {
		const numbers = group.map(({ number }) => number);
		const { rows } = await toQuery(slot, numbers).execute(transaction);
		hits.push(...rows.filter(({ score }) => score !== null));
	}
	return hits;
}
