import type { ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { type Attempts, makeCall } from "../http/attempts";
import type { CallWatch } from "../http/call-watch";
import type { Answer } from "../http/post";
import { createWholeReader, type ReplyReader, streamCall } from "../http/stream-call";
import { toProviderError } from "../http/to-provider-error";
import { ask } from "./ask";
import { fromResponse } from "./from-response";
import { NOT_THE_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { readStream } from "./read-stream";
import { findSetting } from "./settings";
import { toRequest } from "./to-request";

export function createModel(settings: Settings): ChatModel {
	const { model, vendorHost } = settings;

	const askModel = (
		request: ChatRequest,
		isStreamed: boolean,
		watch: CallWatch,
		attempts: Attempts,
	): Promise<Answer> =>
		ask(
			{
				path: "/chat/completions",
				accept: isStreamed ? "text/event-stream" : "application/json",
				findSetting: (field) => findSetting(field, request.settings),
				toBody: (dialect) => toRequest(request, { ...settings, isStreamed, dialect }),
			},
			settings,
			watch,
			attempts,
		);

	return {
		provider: "openai-compatible",
		model,
		vendorHost,
		generate: (request, { signal } = {}) =>
			makeCall(signal, async (watch, attempts) => {
				const reply = await readWhole(await askModel(request, false, watch, attempts), settings);
				return { ...reply, attempts: attempts.count };
			}),
		stream: (request, { signal } = {}) =>
			streamCall(signal, async (watch, attempts) => {
				const answer = await askModel(request, true, watch, attempts);
				return { answer, createReader: () => createReader(answer, settings) };
			}),
	};
}

async function readWhole({ body }: Answer, settings: Settings): Promise<ChatReply> {
	const read = fromResponse(await body.text(), settings);
	if ("failure" in read) throw toProviderError(read.failure, settings, { usage: read.usage });
	return read.reply;
}

/** Some gateways answer a request for a stream with a whole body, and some with a page for people. */
function createReader(answer: Answer, settings: Settings): ReplyReader {
	if (answer.contentType.includes("html")) throw toProviderError(NOT_THE_FORMAT, settings);
	if (answer.contentType.includes("json")) return createWholeReader(() => readWhole(answer, settings));
	return readStream(answer, settings);
}
