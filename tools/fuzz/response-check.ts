import type { OpenApi, ResponseObject } from "../openapi/breaking-changes";
import { createValidator } from "../openapi/validator";
import type { FuzzOperation } from "./fuzz-request";

/** Response as it came. */
export interface FuzzResponse {
	readonly status: number;
	readonly mediaType: string;
	readonly text: string;
}

/** Finds what of a response the document does not describe. `undefined` where it describes all. */
export type CheckResponse = (operation: FuzzOperation, response: FuzzResponse) => string | undefined;

export function createResponseCheck(document: OpenApi): CheckResponse {
	const { validateAt } = createValidator(document);

	return ({ method, template, operation }, { status, mediaType, text }) => {
		const described = operation.responses?.[status];
		if (described === undefined) return `Status ${status} is not described.`;
		const name = described.$ref?.split("/").at(-1);
		const place =
			name === undefined
				? ["paths", template, method, "responses", String(status)]
				: ["components", "responses", name];
		const { content }: ResponseObject = (name && document.components?.responses?.[name]) || described;
		if (content === undefined) return text === "" ? undefined : "A body is not described.";
		const [type] = Object.keys(content).filter(
			(key) => key === mediaType || key === "application/octet-stream",
		);
		if (type === undefined) return `The media type ${mediaType} is not described.`;
		const { schema = {} } = content[type] ?? {};
		const pointer = [...place, "content", type, "schema"];
		if (schema.contentSchema !== undefined)
			return firstOf(readValues(type, text), (value) => validateAt([...pointer, "contentSchema"], value));
		if (type !== "application/json") return undefined;
		const value = parse(text);
		return value === NOT_JSON ? "The body is not JSON." : validateAt(pointer, value);
	};
}

const NOT_JSON = Symbol("not JSON");

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return NOT_JSON;
	}
}

function firstOf(
	values: readonly unknown[],
	check: (value: unknown) => string | undefined,
): string | undefined {
	for (const value of values) {
		const problem = value === NOT_JSON ? "A part of the body is not JSON." : check(value);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

/** Values of a stream of events, or of lines. */
function readValues(type: string, text: string): readonly unknown[] {
	const lines = text.split("\n").filter((line) => line !== "");
	if (type !== "text/event-stream") return lines.map(parse);
	const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim());
	return data.filter((line) => line !== "[DONE]").map(parse);
}
