import type { ReplyEvent } from "../replies/reply";
import { createTextTemplate } from "../replies/text-template";
import {
	type CompletionContext,
	toFirstChunk,
	toLastChunks,
	toReasoningChunk,
	toTextChunk,
} from "./to-completion";

/** Text between what turned out not to be the answer, which nobody can take back here, and the answer. */
const PARAGRAPH = "\n\n";

/** Function that converts the events of one reply, in order, to chunks of a completion: as objects, or as their JSON. */
export type CompletionEncoder = (event: ReplyEvent) => readonly (object | string)[];

/** Creates the encoder of one reply: a reducer of its events, without I/O. */
export function createCompletionEncoder(head: CompletionContext, includeUsage: boolean): CompletionEncoder {
	let isOpen = false;
	/** Length of the text before the answer. */
	let offset = 0;
	let length = 0;
	let needsParagraph = false;
	const writeTextChunk = createTextTemplate((text) => toTextChunk(head, text));
	function open(chunks: readonly (object | string)[]): readonly (object | string)[] {
		if (isOpen) return chunks;
		isOpen = true;
		return [toFirstChunk(head), ...chunks];
	}
	function addText(text: string): readonly string[] {
		const delta = needsParagraph ? PARAGRAPH + text : text;
		if (needsParagraph) offset = length + PARAGRAPH.length;
		needsParagraph = false;
		length += delta.length;
		return [writeTextChunk(delta)];
	}
	return (event) => {
		switch (event.type) {
			case "start":
				return open([]);
			case "text.delta":
				return open(addText(event.text));
			case "text.reset":
				needsParagraph = length > 0;
				return [];
			case "reasoning.delta":
				return open([toReasoningChunk(head, event.text)]);
			case "finish":
				return open(toLastChunks(head, event.reply, includeUsage, offset));
		}
	};
}
