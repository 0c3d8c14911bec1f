import { type AgentGraphIssue, ConfigurationError, formatPath, type Json } from "@stemma/core";
import { copyJson, isJsonObject } from "@stemma/core/internal";

/**
 * The most characters that the result of a tool or a remote agent may have as text or JSON: it goes to a model, into
 * events and into what keeps them. About 60,000 tokens.
 */
export const MAX_OUTPUT_CHARACTERS = 250_000;

/** Source of an output, in the words that errors use. */
export interface OutputSource {
	/** The beginning of the codes `…_result_invalid` and `…_result_too_large`. */
	readonly code: "tool" | "remote";
	/** Description of what was done, such as `The tool "x" was carried out`. */
	readonly action: string;
	/** Hint for a result that is not JSON. */
	readonly formatHint: string;
	/** Hint for a result that is too large. */
	readonly sizeHint: string;
}

/**
 * Copies what a port returned, as `JSON.stringify` would write it; `undefined` becomes `null`. The copy is frozen, so
 * later changes by others do not affect the run.
 *
 * @throws ConfigurationError `…_result_invalid` or `…_result_too_large`. Both say that the call was carried out, so
 * that nobody repeats it to see the result.
 */
export function readOutput(output: unknown, source: OutputSource): Json {
	if (output === undefined) return null;
	const plain = copyPlain(output);
	if (plain !== undefined) {
		if (countMaxCharacters(plain) > MAX_OUTPUT_CHARACTERS)
			assertSize(typeof plain === "string" ? plain : JSON.stringify(plain), source);
		return plain;
	}
	const text = stringify(output, source);
	assertSize(text, source);
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(JSON.parse(text), issues);
	const [issue] = issues;
	if (copy !== undefined && issue === undefined) return copy;
	throw invalidResult(source, issue === undefined ? "It is not JSON." : describeIssue(issue));
}

/** Most results are JSON already; what is not is written as JSON first. */
function copyPlain(output: unknown): Json | undefined {
	if (typeof output === "string") return output;
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(output, issues);
	return issues.length === 0 ? copy : undefined;
}

/** Longest number as JSON, such as `-1.2345678901234567e-123`. */
const MAX_SCALAR_CHARACTERS = 24;

/**
 * Counts the characters that a value may have as JSON at the most: each of a text can become `\uXXXX`. Nearly all results
 * stay far below the limit, and are not written as JSON only to be measured.
 */
function countMaxCharacters(value: Json): number {
	if (typeof value === "string") return 6 * value.length + 2;
	if (Array.isArray(value))
		return value.reduce((count: number, element: Json) => count + countMaxCharacters(element) + 1, 2);
	if (!isJsonObject(value)) return MAX_SCALAR_CHARACTERS;
	return Object.keys(value).reduce(
		(count, key) => count + countMaxCharacters(key) + countMaxCharacters(value[key] ?? null) + 2,
		2,
	);
}

function assertSize({ length }: string, source: OutputSource): void {
	if (length > MAX_OUTPUT_CHARACTERS) throw tooLarge(source, length);
}

const describeIssue = ({ path, message }: AgentGraphIssue): string =>
	path.length === 0 ? message : `At ${formatPath(path)}: ${message}`;

function stringify(output: unknown, source: OutputSource): string {
	try {
		const text = JSON.stringify(output, rejectLossyValue);
		if (text !== undefined) return text;
	} catch (error) {
		throw invalidResult(source, describeFailure(error));
	}
	throw invalidResult(source, `A value of type ${typeof output} is not JSON.`);
}

class UnserializableError extends Error {}

/**
 * Rejects values that would be lost silently, such as the entries of a `Map`, or whose error would not name their
 * place.
 */
function rejectLossyValue(key: string, value: unknown): unknown {
	const subject = key === "" ? "It" : `Its "${key}"`;
	if (typeof value === "bigint")
		throw new UnserializableError(`${subject} is a BigInt, which JSON does not have.`);
	if (isClassInstance(value) && Object.keys(value).length === 0)
		throw new UnserializableError(
			`${subject} is an object of a class, and holds nothing that JSON could show.`,
		);
	return value;
}

/** Checks whether a value is an instance of a class, in any realm: the prototype of plain objects has none itself. */
function isClassInstance(value: unknown): value is object {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/** The words of platforms differ, and those of getters may say anything. */
function describeFailure(error: unknown): string {
	if (error instanceof UnserializableError) return error.message;
	if (error instanceof RangeError) return "It is nested too deep, or too large.";
	return "It contains itself, or reading it threw an error.";
}

const invalidResult = ({ code, action, formatHint }: OutputSource, reason: string): ConfigurationError =>
	new ConfigurationError(`${action}, but its result cannot be shown. ${reason}`, {
		code: `${code}_result_invalid`,
		hint: formatHint,
	});

function tooLarge({ code, action, sizeHint }: OutputSource, length: number): ConfigurationError {
	const [max, actual] = [MAX_OUTPUT_CHARACTERS, length].map((count) => count.toLocaleString("en"));
	return new ConfigurationError(
		`${action}, but its result cannot be shown: as JSON it has ${actual} characters; the maximum is ${max}.`,
		{ code: `${code}_result_too_large`, hint: sizeHint },
	);
}
