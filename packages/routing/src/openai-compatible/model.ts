import type { ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { type Attempts, makeCall } from "../http/attempts";
import type { CallTimeout } from "../http/call-timeout";
import type { HttpResponse } from "../http/send-with-retry";
import { createFullReplyReader, type ReplyReader, streamCall } from "../http/stream-call";
import { toProviderError } from "../http/to-provider-error";
import { fromResponse } from "./from-response";
import { UNEXPECTED_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { readStream } from "./read-stream";
import { sendRequest } from "./send-request";
import { findSetting } from "./settings";
import { toRequest } from "./to-request";

/** Creates a chat model on an endpoint in OpenAI's format, with `generate` and `stream`. */
export function createModel(settings: Settings): ChatModel {
	const { model, vendorHost } = settings;

	const sendChatRequest = (
		request: ChatRequest,
		isStreamed: boolean,
		callTimeout: CallTimeout,
		attempts: Attempts,
	): Promise<HttpResponse> =>
		sendRequest(
			{
				path: "/chat/completions",
				accept: isStreamed ? "text/event-stream" : "application/json",
				findSetting: (field) => findSetting(field, request.settings),
				toBody: (dialect) => toRequest(request, { ...settings, isStreamed, dialect }),
			},
			settings,
			callTimeout,
			attempts,
		);

	return {
		provider: "openai-compatible",
		model,
		vendorHost,
		generate: (request, { signal } = {}) =>
			makeCall(signal, async (callTimeout, attempts) => {
				const reply = await readFullReply(
					await sendChatRequest(request, false, callTimeout, attempts),
					settings,
				);
				return { ...reply, attempts: attempts.count };
			}),
		stream: (request, { signal } = {}) =>
			streamCall(signal, async (callTimeout, attempts) => {
				const response = await sendChatRequest(request, true, callTimeout, attempts);
				return { response, createReader: () => createReader(response, settings) };
			}),
	};
}

async function readFullReply({ body }: HttpResponse, settings: Settings): Promise<ChatReply> {
	const read = fromResponse(await body.text(), settings);
	if ("failure" in read) throw toProviderError(read.failure, settings, { usage: read.usage });
	return read.reply;
}

/** Some gateways answer a request for a stream with a whole body, and some with a page for people. */
function createReader(response: HttpResponse, settings: Settings): ReplyReader {
	if (response.contentType.includes("html")) throw toProviderError(UNEXPECTED_FORMAT, settings);
	if (response.contentType.includes("json"))
		return createFullReplyReader(() => readFullReply(response, settings));
	return readStream(response, settings);
}
