import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { makeCall } from "../http/attempts";
import { assertNoNames } from "../http/message-names";
import { createWholeReader, type ReplyReader, streamCall } from "../http/stream-call";
import { toProviderError } from "../http/to-provider-error";
import { type Asked, createAsk } from "./ask";
import { fromResponse } from "./from-response";
import { NOT_THE_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { readStream } from "./read-stream";
import { assertSettings } from "./settings";
import { demandSuccess, toReply } from "./stream-reducer";

export function createModel(settings: Settings): ChatModel {
	const ask = createAsk(settings);

	const generate = (request: ChatRequest, { signal }: ChatCallOptions = {}): Promise<ChatReply> =>
		makeCall(signal, async (watch, attempts) => {
			assertSettings(request, settings);
			assertNoNames(request, settings);
			const reply = await readWhole(await ask(request, false, watch, attempts), settings);
			return { ...reply, attempts: attempts.count };
		});

	const stream = (request: ChatRequest, { signal }: ChatCallOptions = {}): AsyncIterable<ChatEvent> =>
		streamCall(signal, async (watch, attempts) => {
			assertSettings(request, settings);
			assertNoNames(request, settings);
			const asked = await ask(request, true, watch, attempts);
			return { answer: asked.answer, createReader: () => createReader(asked, settings) };
		});

	const { model, vendorHost } = settings;
	return { provider: "bedrock", model, vendorHost, generate, stream };
}

async function readWhole({ answer, asked }: Asked, settings: Settings): Promise<ChatReply> {
	const state = fromResponse(await answer.body.text());
	demandSuccess(state, settings);
	return toReply(state, asked);
}

/** Some models do not stream what they are asked, and some gateways answer with a page for people. */
function createReader(asked: Asked, settings: Settings): ReplyReader {
	const { contentType } = asked.answer;
	if (contentType.includes("html")) throw toProviderError(NOT_THE_FORMAT, settings);
	if (contentType.includes("json")) return createWholeReader(() => readWhole(asked, settings));
	return readStream(asked, settings);
}
