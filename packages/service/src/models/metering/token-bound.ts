import type { ChatMessage, ChatRequest } from "@stemma/core";

/** Output that some vendors count at the least, whatever a request asks for. */
const MIN_OUTPUT_TOKENS = 16;

/**
 * Upper bound of the tokens of a request, to be set aside before it is sent: of its JSON, one for two letters or spaces and
 * one for each other byte. Tokenizers need about one for four letters of English and one for two random letters; of signs,
 * emoji and rare scripts they may need one for each byte. The JSON's own signs stand for what vendors add to each message.
 */
export function maxInputTokens({ messages, ...rest }: Omit<ChatRequest, "origin">): number {
	return Math.ceil(messages.reduce((sum, message) => sum + boundMessage(message) + 1, boundTokens(rest)));
}

/** Bounds of messages that were counted: a run sends its whole history with each step. */
const knownBounds = new WeakMap<ChatMessage, number>();

function boundMessage(message: ChatMessage): number {
	const bound = knownBounds.get(message) ?? boundTokens(message);
	knownBounds.set(message, bound);
	return bound;
}

/** Bounds the tokens of any value that is sent as JSON. */
export function boundTokens(value: object): number {
	const json = JSON.stringify(value);
	return Buffer.byteLength(json) - countLetters(json) / 2;
}

function countLetters(text: string): number {
	let count = 0;
	for (let index = 0; index < text.length; index += 1) if (isLetter(text.charCodeAt(index))) count += 1;
	return count;
}

/** `a` to `z` in either case, or a space. */
const isLetter = (code: number): boolean => code === 0x20 || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);

/** Upper bound of the tokens that come back. @param limit - what the vendor is asked for at the most. */
export const maxOutputTokens = (limit = 0): number => Math.max(limit, MIN_OUTPUT_TOKENS);
