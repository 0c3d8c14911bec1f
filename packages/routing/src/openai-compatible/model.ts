import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { createSseReader, type SseEvent, type SseReader } from "@stemma/core/sse";
import { type Attempts, countAttempts, makeCall } from "../http/attempts";
import { createCallWatch } from "../http/call-watch";
import type { Answer } from "../http/post";
import { toProviderError } from "../http/to-provider-error";
import { ProviderError } from "../provider-error";
import { createAsk } from "./ask";
import { fromResponse } from "./from-response";
import { NOT_THE_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { EMPTY_STREAM, isComplete, reduceEvent, toReply } from "./stream-reducer";

export function createModel(settings: Settings): ChatModel {
	const ask = createAsk(settings);

	const generate = (request: ChatRequest, { signal }: ChatCallOptions = {}): Promise<ChatReply> =>
		makeCall(signal, async (watch, attempts) => {
			const reply = await readWhole(await ask(request, false, watch, attempts), settings);
			return { ...reply, attempts: attempts.count };
		});

	async function* stream(request: ChatRequest, { signal }: ChatCallOptions = {}): AsyncGenerator<ChatEvent> {
		const watch = createCallWatch(signal);
		const attempts: Attempts = { count: 0 };
		let answer: Answer | undefined;
		let isAnswered = false;
		try {
			answer = await ask(request, true, watch, attempts);
			const reply: ChatReply = yield* readReply(answer, settings);
			watch.throwIfEnded();
			isAnswered = true;
			yield { type: "finish", reply: { ...reply, attempts: attempts.count } };
		} catch (error) {
			throw countAttempts(error, attempts);
		} finally {
			if (isAnswered) watch.release();
			else watch.stop();
			answer?.body.leave(isAnswered);
		}
	}

	const { model, vendorHost } = settings;
	return { provider: "openai-compatible", model, vendorHost, generate, stream };
}

async function readWhole({ body }: Answer, settings: Settings): Promise<ChatReply> {
	const read = fromResponse(await body.text());
	if ("failure" in read) throw toProviderError(read.failure, settings);
	return read.reply;
}

/** Some gateways answer a request for a stream with a whole body, and some with a page for people. */
async function* readReply(answer: Answer, settings: Settings): AsyncGenerator<ChatEvent, ChatReply> {
	if (answer.contentType.includes("html")) throw toProviderError(NOT_THE_FORMAT, settings);
	if (!answer.contentType.includes("json")) return yield* readStream(answer, settings);
	const reply = await readWhole(answer, settings);
	if (reply.text !== "") yield { type: "text.delta", text: reply.text };
	return reply;
}

async function* readStream({ body }: Answer, settings: Settings): AsyncGenerator<ChatEvent, ChatReply> {
	const reader = createSseReader();
	let state = EMPTY_STREAM;
	try {
		while (!state.isDone) {
			const piece = await body.read();
			if (piece === undefined) break;
			for (const event of parse(reader, piece, settings)) {
				body.heard();
				const step = reduceEvent(state, event);
				state = step.state;
				yield* step.events;
				if (state.failure !== undefined) throw toProviderError(state.failure, settings);
				if (state.isDone) break;
			}
		}
	} catch (error) {
		// A connection that breaks behind the last word has taken nothing away.
		if (!isComplete(state) || !isCutOff(error)) throw error;
	}
	if (!isComplete(state)) throw toProviderError({ code: "stream_truncated" }, settings);
	return toReply(state);
}

/** An event that is longer than any model's is none of the format. */
function parse(reader: SseReader, piece: Uint8Array | string, settings: Settings): SseEvent[] {
	try {
		return reader.push(piece);
	} catch (cause) {
		throw toProviderError(NOT_THE_FORMAT, settings, { cause });
	}
}

const isCutOff = (error: unknown): boolean => ProviderError.is(error) && error.code === "stream_truncated";
