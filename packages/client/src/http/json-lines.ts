import type { OpenResponse } from "../client";
import { createInvalidResponseError } from "../errors/invalid-response";

/**
 * Reads a response of JSON values, one a line, as they arrive.
 *
 * @throws ApiError `invalid_response` for a line that is not JSON: the response was cut, or is not the service's.
 */
export async function* readJsonLines<Value>(response: OpenResponse): AsyncGenerator<Value> {
	try {
		let rest = "";
		for await (const text of readStrings(response)) {
			const lines = (rest + text).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) yield parseLine<Value>(line, response);
		}
		if (rest !== "") yield parseLine<Value>(rest, response);
	} finally {
		response.close();
	}
}

async function* readStrings(response: OpenResponse): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	for (let chunk = await response.read(); chunk !== undefined; chunk = await response.read())
		yield typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
	yield decoder.decode();
}

function parseLine<Value>(line: string, { requestId, status }: OpenResponse): Value {
	try {
		return JSON.parse(line);
	} catch {
		throw createInvalidResponseError("A line of the response is not JSON.", requestId, status);
	}
}
