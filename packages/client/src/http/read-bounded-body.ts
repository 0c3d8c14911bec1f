import type { OpenResponse } from "../client";

/**
 * Reads a body as text. Returns `undefined` if it is longer than `maxCharacters`, without waiting for the rest.
 *
 * @param maxCharacters - in UTF-16 code units.
 */
export async function readBoundedBody(
	response: OpenResponse,
	maxCharacters: number,
): Promise<string | undefined> {
	let decoder: TextDecoder | undefined;
	let text = "";
	try {
		for (let chunk = await response.read(); chunk !== undefined; chunk = await response.read()) {
			if (typeof chunk !== "string") decoder ??= new TextDecoder();
			text += typeof chunk === "string" ? chunk : decoder?.decode(chunk, { stream: true });
			if (text.length > maxCharacters) return undefined;
		}
		return text;
	} finally {
		response.close();
	}
}
