import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { countAttempts, makeCall } from "../http/attempts";
import { type CallTimeout, createCallTimeout } from "../http/call-timeout";
import { asObject, type Fields } from "../http/lenient-json";
import { assertNoNames } from "../http/message-names";
import { toProviderError } from "../http/to-provider-error";
import { fromContent } from "./from-content";
import { mapError } from "./map-error";
import { type FromAiSdkOptions, readOptions, type Settings } from "./options";
import { openParts, type PartReader } from "./part-reader";
import { assertSettings } from "./settings";
import { EMPTY_STREAM, reducePart } from "./stream-reducer";
import { toCallOptions } from "./to-call-options";
import { createTurnCache } from "./turn-cache";
import type { AiSdkCallOptions, AiSdkModel } from "./wire";

/** One attempt each: whoever wants more wraps the model with middleware of the AI SDK. */
const ATTEMPTS = { count: 1 };

/**
 * Any language model of the AI SDK (versions 5, 6 and 7) as a `ChatModel`. Calls fail with a `ProviderError`; an
 * aborted one with the reason of its signal. Nothing is tried again, and there is no time limit but the caller's.
 * Files and sources in an answer are left out; tools that the vendor runs itself are none of the caller's, and an
 * answer that waits for the approval of one fails. Settings of a vendor (`providerOptions`) go in by middleware:
 * `wrapLanguageModel` with `defaultSettingsMiddleware`. Of `settings` of a request, those without a call option of the
 * AI SDK are refused (`logitBias`, `reasoningEffort`, `verbosity`, `parallelToolCalls: false`); a provider package that
 * takes no other one says so in the warnings that it logs.
 *
 * @throws ConfigurationError for anything but a language model: the id of one, a provider, an embedding model, a model
 * of AI SDK 4; or naming the option.
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions = {}): ChatModel {
	const settings = readOptions(model, options);
	const turns = createTurnCache();

	const toOptions = (request: ChatRequest, { signal }: CallTimeout): AiSdkCallOptions =>
		toCallOptions(request, { turns, ignoresSchemas: settings.ignoresSchemas, signal });

	function toReply(result: Fields): ChatReply {
		const read = fromContent(result);
		if ("failure" in read) throw toProviderError(read.failure, settings);
		turns.set(read.reply, read.content);
		return { ...read.reply, attempts: ATTEMPTS.count };
	}

	const generate = (request: ChatRequest, { signal }: ChatCallOptions = {}): Promise<ChatReply> =>
		makeCall(signal, async (callTimeout) => {
			assertSettings(request, settings);
			assertNoNames(request, settings);
			try {
				const result = asObject(
					await callModel(callTimeout, () => model.doGenerate(toOptions(request, callTimeout))),
				);
				const reply = toReply(result);
				const { structuredOutputText: output } = result;
				return (request.outputSchema ?? request.output) && typeof output === "string"
					? { ...reply, text: output }
					: reply;
			} catch (error) {
				callTimeout.throwIfEnded();
				throw mapError(error, settings, false);
			}
		});

	async function* stream(request: ChatRequest, { signal }: ChatCallOptions = {}): AsyncGenerator<ChatEvent> {
		const callTimeout = createCallTimeout(signal);
		let parts: PartReader | undefined;
		let isFinished = false;
		try {
			assertSettings(request, settings);
			assertNoNames(request, settings);
			const result = await callModel(callTimeout, () => model.doStream(toOptions(request, callTimeout)));
			parts = openParts(result.stream);
			const finalPart = yield* readParts(parts, callTimeout, settings);
			callTimeout.throwIfEnded();
			const reply = toReply(finalPart);
			isFinished = true;
			yield { type: "finish", reply };
		} catch (error) {
			callTimeout.throwIfEnded();
			throw countAttempts(mapError(error, settings, parts !== undefined), ATTEMPTS);
		} finally {
			if (isFinished) callTimeout.release();
			else callTimeout.stop();
			parts?.release(isFinished);
		}
	}

	const { provider, model: name, vendorHost } = settings;
	return { provider, model: name, vendorHost, generate, stream };
}

async function* readParts(
	parts: PartReader,
	callTimeout: CallTimeout,
	settings: Settings,
): AsyncGenerator<ChatEvent, Fields> {
	let state = EMPTY_STREAM;
	while (state.finish === undefined) {
		const part = await callTimeout.guard(parts.read());
		if (part === undefined) throw toProviderError({ code: "stream_truncated" }, settings);
		const step = reducePart(state, part);
		state = step.state;
		yield* step.events;
		if (state.failure !== undefined) throw mapError(state.failure.error, settings, true);
		callTimeout.throwIfEnded();
	}
	return { ...state.finish, content: state.content };
}

/** Models may throw before they give a promise. */
async function callModel<T>(callTimeout: CallTimeout, call: () => PromiseLike<T>): Promise<T> {
	callTimeout.throwIfEnded();
	return callTimeout.guard((async () => call())());
}
