import type { OpenAnswer } from "./client";

/**
 * A body as text; `undefined` where it is longer than `maxCharacters`, and then the rest is not awaited.
 *
 * @param maxCharacters - in UTF-16 code units.
 */
export async function readBoundedBody(
	answer: OpenAnswer,
	maxCharacters: number,
): Promise<string | undefined> {
	let decoder: TextDecoder | undefined;
	let text = "";
	try {
		for (let piece = await answer.read(); piece !== undefined; piece = await answer.read()) {
			if (typeof piece !== "string") decoder ??= new TextDecoder();
			text += typeof piece === "string" ? piece : decoder?.decode(piece, { stream: true });
			if (text.length > maxCharacters) return undefined;
		}
		return text;
	} finally {
		answer.close();
	}
}
