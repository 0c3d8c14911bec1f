import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { makeCall } from "../http/attempts";
import { assertNoNames } from "../http/message-names";
import { createFullReplyReader, type ReplyReader, streamCall } from "../http/stream-call";
import { toProviderError } from "../http/to-provider-error";
import { fromResponse } from "./from-response";
import { UNEXPECTED_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { readStream } from "./read-stream";
import { createRequestSender, type SendResult } from "./send-request";
import { assertSettings } from "./settings";
import { assertSuccess, toReply } from "./stream-reducer";

/** Creates a chat model on Amazon Bedrock, with `generate` and `stream`. */
export function createModel(settings: Settings): ChatModel {
	const sendRequest = createRequestSender(settings);

	const generate = (request: ChatRequest, { signal }: ChatCallOptions = {}): Promise<ChatReply> =>
		makeCall(signal, async (callTimeout, attempts) => {
			assertSettings(request, settings);
			assertNoNames(request, settings);
			const reply = await readFullReply(await sendRequest(request, false, callTimeout, attempts), settings);
			return { ...reply, attempts: attempts.count };
		});

	const stream = (request: ChatRequest, { signal }: ChatCallOptions = {}): AsyncIterable<ChatEvent> =>
		streamCall(signal, async (callTimeout, attempts) => {
			assertSettings(request, settings);
			assertNoNames(request, settings);
			const result = await sendRequest(request, true, callTimeout, attempts);
			return { response: result.response, createReader: () => createReader(result, settings) };
		});

	const { model, vendorHost } = settings;
	return { provider: "bedrock", model, vendorHost, generate, stream };
}

async function readFullReply({ response, request }: SendResult, settings: Settings): Promise<ChatReply> {
	const state = fromResponse(await response.body.text());
	assertSuccess(state, settings);
	return toReply(state, request);
}

/** Some models do not stream what they are asked, and some gateways answer with a page for people. */
function createReader(result: SendResult, settings: Settings): ReplyReader {
	const { contentType } = result.response;
	if (contentType.includes("html")) throw toProviderError(UNEXPECTED_FORMAT, settings);
	if (contentType.includes("json")) return createFullReplyReader(() => readFullReply(result, settings));
	return readStream(result, settings);
}
