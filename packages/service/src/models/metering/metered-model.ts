import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest, Stage } from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";
import { type PromptVersion, startWithin, traceModel } from "@stemma/telemetry";
import { OutboundError } from "../../outbound/outbound-error";
import { toConfiguredError, toSettingsOwner } from "../option-names";
import type { CallMeter } from "./call-meter";
import { type MeteredCall, startMeteredCall } from "./metered-call";

/**
 * A model whose calls are metered; its replies carry their receipt.
 *
 * @param prompt - of the service, where it gives the instructions.
 */
export function meterModel(
	resolved: ResolvedModel,
	meter: CallMeter,
	stage: Stage,
	prompt?: PromptVersion,
): ChatModel {
	const { payer } = resolved;
	const { start, parent } = meter.spans ?? {};
	const isUnbilled = payer === "none";
	const model = traceModel((isUnbilled && meter.builtIn) || resolved.model, {
		payer,
		stage,
		prompt,
		findStarter: () => start && parent && startWithin(start, parent),
	});
	const toCallerError = (error: unknown): unknown =>
		meter.toCallerError(toConfiguredError(error, toSettingsOwner(payer)));
	const startCall = (request: ChatRequest) => startMeteredCall({ resolved, meter, stage }, request);
	/** Waits for a permit to call a vendor. Calls to an unbilled model need none, because they reach no vendor. */
	const acquire = async (signal: AbortSignal | undefined): Promise<(() => void) | undefined> =>
		isUnbilled ? undefined : meter.acquire?.(signal);

	async function generate(request: ChatRequest, options?: ChatCallOptions): Promise<ChatReply> {
		const release = await acquire(options?.signal);
		try {
			const call = await startCall(request);
			try {
				const reply = await model.generate(call.request, options);
				return { ...reply, receipt: call.end(reply) };
			} catch (error) {
				call.abandon(error);
				throw toCallerError(error);
			}
		} finally {
			release?.();
		}
	}

	async function* stream(request: ChatRequest, options?: ChatCallOptions): AsyncGenerator<ChatEvent> {
		const release = await acquire(options?.signal);
		try {
			const call = await startCall(request);
			yield* streamMetered(call, () => model.stream(call.request, options), toCallerError);
		} finally {
			release?.();
		}
	}

	return { provider: model.provider, model: model.model, vendorHost: model.vendorHost, generate, stream };
}

/** Starts a call and passes its events on, up to its reply, which gets its receipt. The call ends however the stream ends. */
async function* streamMetered(
	call: MeteredCall,
	start: () => AsyncIterable<ChatEvent>,
	toCallerError: (error: unknown) => unknown,
): AsyncGenerator<ChatEvent> {
	let failure: unknown;
	try {
		for await (const event of start()) {
			if (event.type === "finish") {
				yield { type: "finish", reply: { ...event.reply, receipt: call.end(event.reply) } };
				return;
			}
			call.receivedCharacters += event.text.length;
			if (call.receivedCharacters > MAX_ANSWER_CHARACTERS) throw answerTooLongError();
			yield event;
		}
	} catch (error) {
		failure = error;
		throw toCallerError(error);
	} finally {
		call.abandon(failure);
	}
}

/** Characters of one answer of a model, its reasoning included: about a million tokens. */
export const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024;

const answerTooLongError = (): OutboundError =>
	new OutboundError(
		"response_too_large",
		`The answer is longer than ${MAX_ANSWER_CHARACTERS.toLocaleString("en")} characters, the maximum that is read.`,
		"Ask for less, or set a lower limit of output tokens.",
	);
