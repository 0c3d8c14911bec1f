import type { ReplyEvent } from "./reply";

/**
 * Cuts the text of a reply at a number of tokens, which are counted so that no tokenizer counts more: one for two letters or
 * spaces, one for each other byte.
 */
export async function* limitOutput(
	events: AsyncIterable<ReplyEvent>,
	maxTokens: number,
): AsyncGenerator<ReplyEvent> {
	let left = maxTokens;
	let text = "";
	let isCut = false;
	for await (const event of events) {
		if (event.type === "text.delta") {
			const { end, tokens } = measure(event.text, left);
			left -= tokens;
			isCut ||= end < event.text.length;
			text += event.text.slice(0, end);
			if (end > 0) yield { ...event, text: event.text.slice(0, end) };
			if (isCut) left = 0;
			continue;
		}
		if (event.type === "text.reset") {
			left = maxTokens;
			text = "";
			isCut = false;
		}
		yield event.type === "finish" && isCut
			? { ...event, reply: { ...event.reply, text, finishReason: "length" } }
			: event;
	}
}

interface Measured {
	/** Index behind the last character that fits. */
	readonly end: number;
	readonly tokens: number;
}

function measure(text: string, maxTokens: number): Measured {
	let end = 0;
	let tokens = 0;
	for (const character of text) {
		const cost = /[a-z ]/i.test(character) ? 0.5 : Buffer.byteLength(character);
		if (tokens + cost > maxTokens) break;
		tokens += cost;
		end += character.length;
	}
	return { end, tokens };
}
