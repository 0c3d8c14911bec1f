import type { OpenAnswer } from "../client";
import { readBoundedBody } from "../read-bounded-body";
import { A2aError } from "./a2a-error";

/**
 * A body as text, as far as it is read: what is longer is not awaited.
 *
 * @param most - in UTF-16 code units.
 * @throws A2aError `answer_too_large`
 */
export async function readBody(answer: OpenAnswer, most: number): Promise<string> {
	const text = await readBoundedBody(answer, most);
	if (text === undefined) throw createTooLargeError(most, answer.requestId);
	return text;
}

export const createTooLargeError = (most: number, requestId: string): A2aError =>
	new A2aError(`The agent's answer is longer than ${most} characters.`, {
		code: "answer_too_large",
		hint: "Where that may be, raise `maxResultBytes`.",
		requestId,
	});
