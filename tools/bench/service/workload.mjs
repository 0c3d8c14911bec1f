import { DOCUMENT_FORMATS } from "./corpus.mjs";
import { search } from "./knowledge.mjs";
import { median, quantile, timeEach } from "./quantile.mjs";

export const PASSAGES_A_DOCUMENT = 20;

/** Documents of one format, spread over knowledge bases. */
export function toFiles(passages, knowledgeBases, format) {
	const count = Math.ceil(passages.length / PASSAGES_A_DOCUMENT);
	return Array.from({ length: count }, (_, index) => ({
		knowledgeBase: knowledgeBases[Math.floor((index * knowledgeBases.length) / count)],
		name: `${index}.${format}`,
		text: DOCUMENT_FORMATS[format](
			passages.slice(index * PASSAGES_A_DOCUMENT, (index + 1) * PASSAGES_A_DOCUMENT),
		),
	}));
}

/** Queries about passages of the i-th knowledge base. */
export function makeQueries(corpus, passages, knowledgeBases, count) {
	const each = passages.length / knowledgeBases.length;
	return Array.from({ length: count }, (_, index) => {
		const base = index % knowledgeBases.length;
		const passage = passages[Math.floor((base + corpus.random()) * each)];
		return { query: corpus.question(passage), knowledgeBase: knowledgeBases[base] };
	});
}

/** p50 and p95 in milliseconds: the median of several rounds. */
export async function timeSearches(service, queries, rounds) {
	const halves = [];
	const tailLatencies = [];
	for (let round = 0; round < rounds; round++) {
		const times = await timeEach(queries, ({ query, knowledgeBase }) =>
			search(service, query, [knowledgeBase]),
		);
		halves.push(quantile(times, 0.5));
		tailLatencies.push(quantile(times, 0.95));
	}
	return { half: median(halves), tail: median(tailLatencies) };
}
