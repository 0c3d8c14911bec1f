import type { AgentGraph } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import { takeDistinct } from "@stemma/documents";
import type { ModelPort, Retriever } from "@stemma/engine";
import type { LocalPorts } from "@stemma/local";
import { type Refusal, resolveModel } from "@stemma/routing";
import { createExtractiveModel } from "@stemma/routing/extractive";
import type { WordIndex } from "../search/word-index";

/** The ports of a run without key, network and server: words in memory, and the built-in model that quotes. */
export function createFolderPorts(indexes: ReadonlyMap<string, WordIndex>): LocalPorts {
	return { models: extractiveModel(), retriever: wordIndexRetriever(indexes) };
}

export function listKnowledgeBases({ nodes }: AgentGraph): string[] {
	return [...new Set(nodes.flatMap((node) => (node.kind === "knowledge" ? node.knowledgeBases : [])))];
}

/** @throws ConfigurationError for nodes with `minScore`: a ranking by words has no scale to hold it against. */
export function assertNoMinScore({ nodes }: AgentGraph): void {
	const scored = nodes.filter((node) => node.kind === "knowledge" && node.minScore !== undefined);
	if (scored.length === 0) return;
	throw new ConfigurationError(
		`"minScore" of ${scored.map(({ id }) => `"${id}"`).join(", ")} needs a scoring stage.`,
		{
			code: "min_score_unavailable",
			hint: 'Here passages are ranked by words, which gives no relevance between 0 and 1. Leave "minScore" out, or use "topK".',
		},
	);
}

/** @throws ConfigurationError for nodes with a `filter`: files of a folder have no metadata. */
export function assertNoFilter({ nodes }: AgentGraph): void {
	const filtered = nodes.filter((node) => node.kind === "knowledge" && node.filter !== undefined);
	if (filtered.length === 0) return;
	throw new ConfigurationError(
		`"filter" of ${filtered.map(({ id }) => `"${id}"`).join(", ")} needs documents with metadata.`,
		{
			code: "filter_unavailable",
			hint: 'Files of a folder have no metadata. Leave "filter" out, or run the agent over a service whose documents have metadata.',
		},
	);
}

/** Decides as every deployment does; this one has no provider. */
function extractiveModel(): ModelPort {
	const model = createExtractiveModel();
	return {
		resolve({ choice }) {
			const resolution = resolveModel({ choice, deployment: { providers: {} } });
			if ("refusal" in resolution) throw toUnavailableError(resolution.refusal);
			const { payer, reason } = resolution.resolved;
			return { model, payer, reason };
		},
	};
}

const toUnavailableError = ({ code, reason }: Refusal): ConfigurationError =>
	new ConfigurationError(reason, {
		code,
		hint: 'This command answers with the built-in model, which needs no key. Leave "model" out of the node.',
	});

/** Best first, each content once. Scores of different folders cannot be compared, so their passages take turns by rank. */
function wordIndexRetriever(indexes: ReadonlyMap<string, WordIndex>): Retriever {
	return {
		async retrieve({ query, knowledgeBases, topK }) {
			const distinct = new Set(knowledgeBases.flatMap((id) => indexes.get(id) ?? []));
			const ranked = [...distinct].flatMap((index) =>
				index.search(query, { topK }).map(({ passage }, rank) => ({ passage, rank })),
			);
			const byRank = ranked.sort((a, b) => a.rank - b.rank);
			return {
				passages: takeDistinct(
					byRank.map(({ passage }) => ({ ...passage, source: passage.path })),
					topK,
				).passages,
			};
		},
	};
}
