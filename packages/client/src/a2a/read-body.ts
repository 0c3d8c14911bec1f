import type { OpenResponse } from "../client";
import { readBoundedBody } from "../http/read-bounded-body";
import { A2aError } from "./a2a-error";

/**
 * A body as text, as far as it is read: what is longer is not awaited.
 *
 * @param maxCharacters - in UTF-16 code units.
 * @throws A2aError `response_too_large`
 */
export async function readBody(response: OpenResponse, maxCharacters: number): Promise<string> {
	const text = await readBoundedBody(response, maxCharacters);
	if (text === undefined) throw createTooLargeError(maxCharacters, response.requestId);
	return text;
}

export const createTooLargeError = (maxCharacters: number, requestId: string): A2aError =>
	new A2aError(`The agent's answer is longer than ${maxCharacters} characters.`, {
		code: "response_too_large",
		hint: "If answers may be that long, raise `maxResultBytes`.",
		requestId,
	});
