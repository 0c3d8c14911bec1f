import type { TokenUsage } from "@stemma/core";
import { isJsonObject, parseJson } from "@stemma/core/internal";
import { asObject, type Fields, isTokenCount } from "../../http/lenient-json";
import type { VendorFailure } from "../../http/to-provider-error";
import { readScores, type ScoreEntry } from "../read-scores";
import type { ReadBatch } from "../send-batch";
import { readFailure, UNEXPECTED_FORMAT } from "./map-error";

const NOT_ALL_SCORED: VendorFailure = {
	code: "bad_response",
	hint: "It must give one score for each text: check `model`, and `vendor` if a gateway answers.",
};

/** Scores stand in `results` (Cohere, Jina, Together, llama.cpp) or `data` (Voyage), best first. */
export function fromResponse(text: string, count: number): ReadBatch {
	const body = parseJson(text);
	if (!isJsonObject(body)) return { failure: UNEXPECTED_FORMAT };
	const list = [body.results, body.data].find((value) => Array.isArray(value));
	if (list === undefined) return { failure: readFailure(body) ?? UNEXPECTED_FORMAT };
	const scores = readScores(list.map(toEntry), count);
	return scores === undefined ? { failure: NOT_ALL_SCORED } : { scores, usage: readUsage(body) };
}

function toEntry(value: unknown): ScoreEntry {
	const { index, relevance_score: score } = asObject(value);
	return { index, score };
}

/**
 * Undefined where no tokens are reported, or none at all: Cohere tells `search_units`, which are none. A reranker writes
 * nothing, so that there is no output unless it is reported.
 */
export function readUsage(body: Fields): TokenUsage | undefined {
	const usage = asObject(body.usage);
	const meta = asObject(body.meta);
	const tokens = asObject(meta.tokens);
	const billed = asObject(meta.billed_units);
	const inputTokens = firstCount(
		usage.prompt_tokens,
		usage.input_tokens,
		usage.total_tokens,
		tokens.input_tokens,
		billed.input_tokens,
		billed.total_tokens,
	);
	if (inputTokens === undefined) return undefined;
	return { inputTokens, outputTokens: firstCount(usage.completion_tokens, tokens.output_tokens) ?? 0 };
}

const firstCount = (...values: readonly unknown[]): number | undefined =>
	values.filter(isTokenCount).find((count) => count > 0);
