import { isJsonObject, parseJson } from "@stemma/core/internal";
import { asObject } from "../../http/lenient-json";
import { readScores, type ScoreEntry } from "../read-scores";
import { MAX_SCORE } from "./to-request";

/**
 * The scores that a model wrote, from 0 to 1; undefined unless there is exactly one for each text, all on the scale that
 * was asked for. Models without structured output put JSON into fences or sentences, ids and scores into strings, and
 * leave out what is around the list, or the ids.
 */
export function fromResponse(text: string, count: number): readonly number[] | undefined {
	const scores = readScores(readEntries(parseReply(text)), count);
	if (scores === undefined || scores.some((score) => score < 0 || score > MAX_SCORE)) return undefined;
	// Of a scale of the model's own, from 0 to 1.
	if (scores.every((score) => score <= 1) && !scores.every(Number.isInteger)) return undefined;
	return scores.map((score) => score / MAX_SCORE);
}

/**
 * The JSON in what a model wrote: all of it, else what stands last. What stands before may be a passage, quoted, and a
 * passage may say scores.
 */
function parseReply(text: string): unknown {
	const replyText = text.slice(endOfReasoning(text));
	const [, ...pieces] = replyText.split("```");
	const fenced = pieces.at(-2)?.replace(/^json/i, "") ?? "";
	const afterFence = pieces.at(-1) ?? "";
	return (
		parseJson(replyText) ??
		parseJson(extractJson(afterFence, /\{/, "}")) ??
		parseJson(fenced) ??
		parseJson(extractJson(replyText, /[[{]/, "]}"))
	);
}

/** Extracts the text from the first opening bracket to the last closing one. */
function extractJson(text: string, opening: RegExp, closing: string): string {
	const last = Math.max(...[...closing].map((bracket) => text.lastIndexOf(bracket)));
	return text.slice(Math.max(0, text.search(opening)), last + 1);
}

/** Some servers pass on what a model thinks aloud, in front of its answer. */
function endOfReasoning(text: string): number {
	const mark = "</think>";
	const at = text.lastIndexOf(mark);
	return at === -1 ? 0 : at + mark.length;
}

function readEntries(parsed: unknown): readonly ScoreEntry[] {
	const value = asObject(parsed).scores ?? parsed;
	if (Array.isArray(value)) return value.map(toEntry);
	return Object.entries(asObject(value)).map(([id, score]) => ({
		index: toNumber(id) - 1,
		score: toNumber(score),
	}));
}

/** A number alone has the id of its place. */
function toEntry(value: unknown, position: number): ScoreEntry {
	if (!isJsonObject(value)) return { index: position, score: toNumber(value) };
	const { id, score } = value;
	return { index: toNumber(id) - 1, score: toNumber(score) };
}

/** Reads a number, also one written as text; `NaN` for anything else. */
function toNumber(value: unknown): number {
	if (typeof value === "number") return value;
	return typeof value === "string" && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : Number.NaN;
}
