import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { countAttempts, makeCall } from "../http/attempts";
import { type CallWatch, createCallWatch } from "../http/call-watch";
import { asObject, type Fields } from "../http/fields";
import { assertNoNames } from "../http/message-names";
import { toProviderError } from "../http/to-provider-error";
import { fromContent } from "./from-content";
import { mapError } from "./map-error";
import { type FromAiSdkOptions, readOptions } from "./options";
import { openParts, type PartReader } from "./part-reader";
import { assertSettings } from "./settings";
import { EMPTY_STREAM, reducePart } from "./stream-reducer";
import { toCallOptions } from "./to-call-options";
import { createTurnMemory } from "./turn-memory";
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
	const memory = createTurnMemory();

	const toOptions = (request: ChatRequest, { signal }: CallWatch): AiSdkCallOptions =>
		toCallOptions(request, { memory, ignoresSchemas: settings.ignoresSchemas, signal });

	function toReply(result: Fields): ChatReply {
		const read = fromContent(result);
		if ("failure" in read) throw toProviderError(read.failure, settings);
		memory.keep(read.reply, read.content);
		return { ...read.reply, attempts: ATTEMPTS.count };
	}

	const generate = (request: ChatRequest, { signal }: ChatCallOptions = {}): Promise<ChatReply> =>
		makeCall(signal, async (watch) => {
			assertSettings(request, settings);
			assertNoNames(request, settings);
			try {
				const result = asObject(await ask(watch, () => model.doGenerate(toOptions(request, watch))));
				const reply = toReply(result);
				const { structuredOutputText: output } = result;
				return (request.outputSchema ?? request.output) && typeof output === "string"
					? { ...reply, text: output }
					: reply;
			} catch (error) {
				watch.throwIfEnded();
				throw mapError(error, settings, false);
			}
		});

	async function* stream(request: ChatRequest, { signal }: ChatCallOptions = {}): AsyncGenerator<ChatEvent> {
		const watch = createCallWatch(signal);
		let parts: PartReader | undefined;
		let isAnswered = false;
		try {
			assertSettings(request, settings);
			assertNoNames(request, settings);
			const result = await ask(watch, () => model.doStream(toOptions(request, watch)));
			parts = openParts(result.stream);
			const answer = yield* readParts(parts, watch);
			watch.throwIfEnded();
			const reply = toReply(answer);
			isAnswered = true;
			yield { type: "finish", reply };
		} catch (error) {
			watch.throwIfEnded();
			throw countAttempts(mapError(error, settings, parts !== undefined), ATTEMPTS);
		} finally {
			if (isAnswered) watch.release();
			else watch.stop();
			parts?.leave(isAnswered);
		}
	}

	async function* readParts(parts: PartReader, watch: CallWatch): AsyncGenerator<ChatEvent, Fields> {
		let state = EMPTY_STREAM;
		while (state.finish === undefined) {
			const part = await watch.guard(parts.read());
			if (part === undefined) throw toProviderError({ code: "stream_truncated" }, settings);
			const step = reducePart(state, part);
			state = step.state;
			yield* step.events;
			if (state.failure !== undefined) throw mapError(state.failure.error, settings, true);
			watch.throwIfEnded();
		}
		return { ...state.finish, content: state.content };
	}

	const { provider, model: name, vendorHost } = settings;
	return { provider, model: name, vendorHost, generate, stream };
}

/** Models may throw before they give a promise. */
async function ask<T>(watch: CallWatch, call: () => PromiseLike<T>): Promise<T> {
	watch.throwIfEnded();
	return watch.guard((async () => call())());
}
