import { createRandom } from "./random.mjs";

const POOL = 1 << 23;
const SUBJECT_WEIGHT = 0.8;

/**
 * Answers requests for embeddings. The same text has the same vector, and texts about the same subject, which is a number
 * behind `topic` or `subject`, have similar ones; all others have nothing in common.
 */
export function createEmbedder() {
	const random = createRandom(1);
	// Sums of evenly spread numbers are spread almost as a normal distribution is: directions are even then.
	const pool = Float32Array.from({ length: POOL }, () => random() + random() + random() + random() - 2);

	function toVector(text, dimensions) {
		const own = toPlace(text, dimensions);
		const [, subject = text] = /(?:topic|subject)(\d+)/.exec(text) ?? [];
		const shared = toPlace(`subject ${subject}`, dimensions);
		const rest = Math.sqrt(1 - SUBJECT_WEIGHT ** 2);
		const vector = new Float32Array(dimensions);
		for (let index = 0; index < dimensions; index++)
			vector[index] = SUBJECT_WEIGHT * pool[shared + index] + rest * pool[own + index];
		return vector;
	}

	return ({ input, model, dimensions, encoding_format }) => ({
		object: "list",
		model,
		data: [input].flat().map((text, index) => ({
			object: "embedding",
			index,
			embedding: toEmbedding(toVector(text, dimensions), encoding_format),
		})),
		usage: { prompt_tokens: 8, total_tokens: 8 },
	});
}

const toEmbedding = (vector, format) =>
	format === "base64" ? Buffer.from(vector.buffer).toString("base64") : [...vector];

/** FNV-1a. */
function toPlace(text, dimensions) {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++)
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	return (hash >>> 0) % (POOL - dimensions);
}
