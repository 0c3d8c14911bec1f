import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { createCallWatch } from "../http/call-watch";
import { ProviderError } from "../provider-error";
import { type Answer, countAttempts, createAsk } from "./ask";
import { fromResponse } from "./from-response";
import { NOT_THE_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { toProviderError } from "./provider-errors";
import { EMPTY_STREAM, isComplete, reduceEvent, toReply } from "./stream-reducer";

export function createModel(settings: Settings): ChatModel {
	const ask = createAsk(settings);

	async function generate(request: ChatRequest, { signal }: ChatCallOptions = {}): Promise<ChatReply> {
		const watch = createCallWatch(signal);
		let answer: Answer | undefined;
		try {
			answer = await ask(request, false, watch);
			return await readWhole(answer, settings);
		} catch (error) {
			throw countAttempts(error, answer?.attempts ?? 1);
		} finally {
			watch.stop();
		}
	}

	async function* stream(request: ChatRequest, { signal }: ChatCallOptions = {}): AsyncGenerator<ChatEvent> {
		const watch = createCallWatch(signal);
		let answer: Answer | undefined;
		let isAnswered = false;
		try {
			answer = await ask(request, true, watch);
			const reply: ChatReply = yield* readReply(answer, settings);
			watch.throwIfEnded();
			isAnswered = true;
			yield { type: "finish", reply };
		} catch (error) {
			throw countAttempts(error, answer?.attempts ?? 1);
		} finally {
			if (isAnswered) watch.release();
			else watch.stop();
			answer?.body.leave(isAnswered);
		}
	}

	const { model, vendorHost } = settings;
	return { provider: "openai-compatible", model, vendorHost, generate, stream };
}

async function readWhole({ body, attempts }: Answer, settings: Settings): Promise<ChatReply> {
	const read = fromResponse(await body.text());
	if ("failure" in read) throw toProviderError(read.failure, settings);
	return { ...read.reply, attempts };
}

/** Some gateways answer a request for a stream with a whole body, and some with a page for people. */
async function* readReply(answer: Answer, settings: Settings): AsyncGenerator<ChatEvent, ChatReply> {
	if (answer.contentType.includes("html")) throw toProviderError(NOT_THE_FORMAT, settings);
	if (!answer.contentType.includes("json")) return yield* readStream(answer, settings);
	const reply = await readWhole(answer, settings);
	if (reply.text !== "") yield { type: "text.delta", text: reply.text };
	return reply;
}

async function* readStream(
	{ body, attempts }: Answer,
	settings: Settings,
): AsyncGenerator<ChatEvent, ChatReply> {
	let state = EMPTY_STREAM;
	try {
		for await (const event of body.events()) {
			const step = reduceEvent(state, event);
			state = step.state;
			yield* step.events;
			if (state.failure !== undefined) throw toProviderError(state.failure, settings);
			if (state.isDone) break;
		}
	} catch (error) {
		// A connection that breaks behind the last word has taken nothing away.
		if (!isComplete(state) || !isCutOff(error)) throw error;
	}
	if (!isComplete(state)) throw toProviderError({ code: "stream_truncated" }, settings);
	return { ...toReply(state), attempts };
}

const isCutOff = (error: unknown): boolean => ProviderError.is(error) && error.code === "stream_truncated";
