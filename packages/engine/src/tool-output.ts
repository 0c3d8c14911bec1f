import { type AgentGraphIssue, ConfigurationError, formatPath, type Json } from "@stemma/core";
import { copyJson } from "@stemma/core/internal";

/** More is refused: it goes to a model, into events and into what keeps them. About 60,000 tokens. */
const MOST_CHARACTERS = 250_000;

/**
 * What a tool gave, as `JSON.stringify` would have it, and nothing as `null`. A frozen copy: what the tool changes later
 * changes no run.
 *
 * @throws ConfigurationError `tool_result_invalid` or `tool_result_too_large`. Both say that the tool was carried out, so
 * that nobody has it carried out twice to see what it gave.
 */
export function readToolOutput(output: unknown, tool: string): Json {
	if (output === undefined) return null;
	const text = writeJson(output, tool);
	if (text.length > MOST_CHARACTERS) throw tooLarge(tool, text.length);
	if (typeof output === "string") return output;
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(JSON.parse(text), issues);
	const [issue] = issues;
	if (copy !== undefined && issue === undefined) return copy;
	throw notShown(tool, issue === undefined ? "It is not JSON." : describeIssue(issue));
}

const describeIssue = ({ path, message }: AgentGraphIssue): string =>
	path.length === 0 ? message : `At ${formatPath(path)}: ${message}`;

function writeJson(output: unknown, tool: string): string {
	try {
		const text = typeof output === "string" ? output : JSON.stringify(output, refuseLoss);
		if (text !== undefined) return text;
	} catch (error) {
		throw notShown(tool, describeFailure(error));
	}
	throw notShown(tool, `What is of type ${typeof output} is not JSON.`);
}

class Unwritable extends Error {}

/** What would be lost without a word, such as the entries of a `Map`, or would fail without its place. */
function refuseLoss(key: string, value: unknown): unknown {
	const place = key === "" ? "It" : `Its "${key}"`;
	if (typeof value === "bigint") throw new Unwritable(`${place} is a BigInt, which JSON does not have.`);
	if (isForeign(value) && Object.keys(value).length === 0)
		throw new Unwritable(`${place} is an object of a class, and holds nothing that JSON could show.`);
	return value;
}

/** Of any realm: the prototype of plain objects has none itself. */
function isForeign(value: unknown): value is object {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/** The words of platforms differ, and those of getters may say anything. */
function describeFailure(error: unknown): string {
	if (error instanceof Unwritable) return error.message;
	if (error instanceof RangeError) return "It is nested too deep, or too large.";
	return "It contains itself, or reading it threw an error.";
}

function notShown(tool: string, reason: string): ConfigurationError {
	return new ConfigurationError(
		`The tool "${tool}" was carried out, but its result cannot be shown. ${reason}`,
		{
			code: "tool_result_invalid",
			hint: "Do not call it again to see the result. Its code has to give text, or plain data.",
		},
	);
}

function tooLarge(tool: string, length: number): ConfigurationError {
	const [most, had] = [MOST_CHARACTERS, length].map((count) => count.toLocaleString("en"));
	return new ConfigurationError(
		`The tool "${tool}" was carried out, but its result cannot be shown: as JSON it has ${had} characters, and at most ${most} are taken.`,
		{
			code: "tool_result_too_large",
			hint: "Do not repeat the same call. Its code has to give less: a part, a page or a summary.",
		},
	);
}
