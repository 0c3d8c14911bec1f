import { assert, asyncProperty, constantFrom, integer, record } from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openVectorDatabase, type VectorDatabase } from "../../../../knowledge/test-support/memory-knowledge";
import { insertVectors } from "./passage-vectors";
import { findAmongVectors, findByVector } from "./vector-hits";

let database: VectorDatabase;
beforeEach(() => {
	database = openVectorDatabase();
});
afterEach(() => database.close());

/** Mulberry32, as normal numbers: any seed gives the same on each machine. */
function createNoise(seed: number): () => number {
	let state = seed;
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
	};
	return () => Math.sqrt(-2 * Math.log(next() + 1e-9)) * Math.cos(2 * Math.PI * next());
}

function toCosine(one: Float32Array, other: Float32Array): number {
	let [dot, ones, others] = [0, 0, 0];
	for (let index = 0; index < one.length; index++) {
		const [left = 0, right = 0] = [one[index], other[index]];
		dot += left * right;
		ones += left * left;
		others += right * right;
	}
	return dot / Math.sqrt(ones * others);
}

const findExactly = (stored: ReadonlyMap<number, Float32Array>, query: Float32Array, count: number) =>
	[...stored]
		.map(([number, vector]) => ({ number, score: toCosine(vector, query) }))
		.sort((one, other) => other.score - one.score)
		.slice(0, count);

/** From passage `first` on. */
function store(knowledgeBase: number, vectors: readonly Float32Array[], first = 1) {
	insertVectors(database.file, knowledgeBase, first, vectors);
	return new Map(vectors.map((vector, index) => [first + index, vector]));
}

const find = (knowledgeBases: readonly number[], vector: Float32Array, limit: number) =>
	findByVector(database.searchFile, knowledgeBases, vector, { limit, documents: undefined });

it("finds what comparing all vectors finds, where there are no more than candidates", async () => {
	const cases = record({
		seed: integer(),
		dimensions: constantFrom(1, 3, 8, 63, 64, 65, 100, 384),
		count: integer({ min: 0, max: 120 }),
		limit: integer({ min: 1, max: 40 }),
	});
	await assert(
		asyncProperty(cases, async ({ seed, dimensions, count, limit }) => {
			database.file.database.exec("DELETE FROM passage_vectors; DELETE FROM passage_codes");
			const noise = createNoise(seed);
			const toVector = () => Float32Array.from({ length: dimensions }, noise);
			const mine = store(7, Array.from({ length: Math.min(count, 2 * limit) }, toVector));
			store(8, Array.from({ length: 20 }, toVector), 1_000);
			const query = toVector();
			const found = find([7], query, limit);
			const exact = findExactly(mine, query, limit);
			expect(found.length).toBe(exact.length);
			// Not by rounded figures: two that hardly differ may lie on either side of a step.
			exact.forEach(({ score }, rank) => {
				expect(found[rank]?.score).toBeCloseTo(score, 4);
			});
			for (const { number, score } of found)
				expect(score).toBeCloseTo(toCosine(mine.get(number) ?? query, query), 4);
		}),
		{ numRuns: 40 },
	);
});

it("finds nearly all of the best among many more vectors than candidates", () => {
	const dimensions = 256;
	const noise = createNoise(1);
	const topics = Array.from({ length: 12 }, () => Float32Array.from({ length: dimensions }, noise));
	// Some of a few topics, and much of its own: as texts of one knowledge base are.
	function toVector(): Float32Array {
		const vector = Float32Array.from({ length: dimensions }, () => 2 * noise());
		for (const topic of topics) {
			const share = noise();
			topic.forEach((value, index) => {
				vector[index] = (vector[index] ?? 0) + share * value;
			});
		}
		return vector;
	}
	const vectors = Array.from({ length: 2_000 }, toVector);
	const stored = new Map([...store(1, vectors.slice(0, 1_000)), ...store(2, vectors.slice(1_000), 1_001)]);
	const shares = Array.from({ length: 20 }, () => {
		const query = toVector();
		const found = new Set(find([1, 2], query, 16).map(({ number }) => number));
		return findExactly(stored, query, 8).filter(({ number }) => found.has(number)).length / 8;
	});
	const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
	expect(share).toBeGreaterThan(0.95);
});

it("scores passages that were named, of these knowledge bases and of this length, without those of zeros", () => {
	const noise = createNoise(1);
	const toVector = (length = 64) => Float32Array.from({ length }, noise);
	const query = toVector();
	const mine = store(7, [toVector(), toVector(), new Float32Array(64)]);
	store(8, [toVector()], 10);
	store(7, [toVector(65)], 20);
	const scores = findAmongVectors(database.searchFile, [7], query, [2, 3, 10, 20, 99]);
	expect(scores).toEqual([{ number: 2, score: expect.closeTo(toCosine(mine.get(2) ?? query, query), 4) }]);
	expect(findAmongVectors(database.searchFile, [7], query, [])).toEqual([]);
});
