import { isJsonObject, parseJson } from "@stemma/core/internal";
import { asObject } from "../../http/lenient-json";
import type { VendorFailure } from "../../http/to-provider-error";
import { readScores, type ScoreEntry } from "../read-scores";
import type { ReadBatch } from "../send-batch";
import { readError, UNEXPECTED_FORMAT } from "./map-error";

const NOT_ALL_SCORED: VendorFailure = {
	code: "bad_response",
	hint: "It must give one score for each text: check that {baseUrl} is a server of text-embeddings-inference.",
};

/** A bare list, best first. The body tells no usage. */
export function fromResponse(text: string, count: number): ReadBatch {
	const body = parseJson(text);
	if (isJsonObject(body) && body.error !== undefined) return { failure: readError({ status: 0, text }) };
	if (!Array.isArray(body)) return { failure: UNEXPECTED_FORMAT };
	const scores = readScores(body.map(toEntry), count);
	return scores === undefined ? { failure: NOT_ALL_SCORED } : { scores, usage: undefined };
}

function toEntry(value: unknown): ScoreEntry {
	const { index, score } = asObject(value);
	return { index, score };
}
