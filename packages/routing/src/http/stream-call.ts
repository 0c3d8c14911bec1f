import type { ChatEvent, ChatReply } from "@stemma/core";
import { type Attempts, countAttempts } from "./attempts";
import { type CallTimeout, createCallTimeout } from "./call-timeout";
import type { HttpResponse } from "./send-with-retry";

/** Reads one streamed answer. */
export interface ReplyReader {
	/** Reads the next piece of the answer and returns its events, which may be none; undefined at the end. */
	next(): Promise<readonly ChatEvent[] | undefined>;
	/** The whole reply, once the end is reached; what came of it before. */
	toReply(): ChatReply;
}

/** An answer, and what reads it. */
export interface ReplyStream {
	readonly response: HttpResponse;
	createReader(): ReplyReader;
}

/** Reads an answer that comes whole where a stream was asked for. */
export function createFullReplyReader(readReply: () => Promise<ChatReply>): ReplyReader {
	let reply: ChatReply = { text: "", toolCalls: [], finishReason: "other" };
	let isRead = false;
	return {
		async next() {
			if (isRead) return undefined;
			isRead = true;
			reply = await readReply();
			return toDeltas(reply);
		},
		toReply: () => reply,
	};
}

function toDeltas({ reasoning = "", text }: ChatReply): readonly ChatEvent[] {
	return [
		...(reasoning === "" ? [] : [{ type: "reasoning.delta", text: reasoning } as const]),
		...(text === "" ? [] : [{ type: "text.delta", text } as const]),
	];
}

/**
 * Makes a call whose answer is read as it comes, and stops it when it has failed, the caller aborts, or no one reads on.
 * Events come in lists, one for each piece of the answer: a generator between two others would wait for each event anew.
 */
export async function* streamCall(
	signal: AbortSignal | undefined,
	call: (callTimeout: CallTimeout, attempts: Attempts) => Promise<ReplyStream>,
): AsyncGenerator<ChatEvent> {
	const callTimeout = createCallTimeout(signal);
	const attempts: Attempts = { count: 0, failures: 0 };
	let reader: ReplyReader | undefined;
	let response: HttpResponse | undefined;
	let isFinished = false;
	try {
		const stream = await call(callTimeout, attempts);
		response = stream.response;
		reader = stream.createReader();
		for (let events = await reader.next(); events !== undefined; events = await reader.next())
			for (const event of events) {
				yield event;
				callTimeout.throwIfEnded();
			}
		callTimeout.throwIfEnded();
		const reply: ChatReply = { ...reader.toReply(), attempts: attempts.count };
		isFinished = true;
		yield { type: "finish", reply };
	} catch (error) {
		attempts.usage = reader?.toReply().usage;
		throw countAttempts(error, attempts);
	} finally {
		if (isFinished) callTimeout.release();
		else callTimeout.stop();
		response?.body.release(isFinished);
	}
}
