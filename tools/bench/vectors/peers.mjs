import { connect } from "@lancedb/lancedb";
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";

/**
 * What else one would search vectors with in Node, each over the same passages (`{text, vector}`), in this process. Each
 * gives a search for the nearest of a vector.
 */
export const PEERS = {
	"LanceDB, on disk": openLance,
	"LangChain MemoryVectorStore": openLangChain,
	"a loop over Float32Array": openLoop,
};

/** Exact: it makes no index for so few by itself. */
async function openLance(passages, folder) {
	const database = await connect(folder);
	const rows = passages.map(({ text, vector }) => ({ text, vector: Array.from(vector) }));
	const table = await database.createTable("passages", rows);
	return async (vector, limit) => {
		const found = await table.vectorSearch(vector).distanceType("cosine").limit(limit).toArray();
		return found.map(({ text }) => text);
	};
}

async function openLangChain(passages) {
	const store = new MemoryVectorStore({});
	const vectors = passages.map(({ vector }) => Array.from(vector));
	await store.addVectors(
		vectors,
		passages.map(({ text }) => ({ pageContent: text, metadata: {} })),
	);
	return async (vector, limit) => {
		const found = await store.similaritySearchVectorWithScore(Array.from(vector), limit);
		return found.map(([{ pageContent }]) => pageContent);
	};
}

/** The least that an exact search takes in JavaScript. */
async function openLoop(passages) {
	const vectors = passages.map(({ vector }) => normalize(vector));
	return async (vector, limit) => {
		const wanted = normalize(vector);
		return vectors
			.map((other, index) => ({ index, score: dot(wanted, other) }))
			.sort((one, other) => other.score - one.score)
			.slice(0, limit)
			.map(({ index }) => passages[index].text);
	};
}

function normalize(vector) {
	const length = Math.hypot(...vector);
	return vector.map((value) => value / length);
}

function dot(one, other) {
	let sum = 0;
	for (let index = 0; index < one.length; index++) sum += one[index] * other[index];
	return sum;
}
