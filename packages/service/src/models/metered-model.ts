import type {
	ChatCallOptions,
	ChatEvent,
	ChatModel,
	ChatReply,
	ChatRequest,
	ReceiptRow,
	Stage,
	TraceContext,
} from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";
import { ProviderError } from "@stemma/routing";
import { type StartSpan, startWithin, traceModel } from "@stemma/telemetry";
import { OutboundError } from "../outbound/outbound-error";
import { toConfiguredError } from "./name-settings";
import { type MadeCall, toReceiptRow } from "./receipt-row";
import { boundInputTokens, boundOutputTokens } from "./token-bound";

/** Watches over the calls to a model: asks before each, and is told of each that was made. */
export interface CallMeter {
	/**
	 * How many output tokens a call may ask for.
	 *
	 * @param input - tokens that go in at the most.
	 * @returns what was wished where there is no budget; `undefined` is no limit.
	 */
	limitOutput(input: number, wished: number | undefined): Promise<number | undefined>;
	/**
	 * Sets tokens aside before a call: the most that it can take, so that calls at once do not pass a budget together.
	 *
	 * @returns what to call with the tokens that it really took.
	 * @throws ApiError `budget_exhausted`: the call is not made then.
	 */
	reserve(tokens: number): Promise<(tokens: number) => void>;
	/** An error of a call as whoever asked may read it. */
	tell(error: unknown): unknown;
	/** The row of a call that was made, whether it was answered or not. */
	onReceipt(row: ReceiptRow, call?: MeteredCallEnd): void;
	/** Waits until a vendor may be called for the caller's workspace. Left out: at once. @returns what ends the call. */
	readonly enter?: ((signal: AbortSignal | undefined) => Promise<() => void>) | undefined;
	/** The built-in model, in turns between workspaces. Left out: as it was resolved. */
	readonly builtIn?: ChatModel | undefined;
	/** Starts spans of calls; none: they have no spans here. */
	readonly spans?: CallSpans | undefined;
}

/** What is known of a call besides its row. */
export interface MeteredCallEnd extends Pick<ChatRequest, "origin"> {
	readonly isFailed?: boolean;
}

/** Where the spans of calls are. */
export interface CallSpans {
	readonly start: StartSpan;
	/** None: the calls have spans elsewhere, or none. */
	readonly parent: TraceContext | undefined;
}

/** A model whose calls are metered; its replies carry their receipt. */
export function meterModel(resolved: ResolvedModel, meter: CallMeter, stage: Stage): ChatModel {
	const { payer } = resolved;
	const { start, parent } = meter.spans ?? {};
	const starter = (): StartSpan | undefined => start && parent && startWithin(start, parent);
	const isFree = payer === "none";
	const model = traceModel((isFree && meter.builtIn) || resolved.model, { payer, stage, starter });
	/** What is free calls no vendor. */
	const enter = async (signal: AbortSignal | undefined): Promise<() => void> =>
		isFree || meter.enter === undefined ? () => undefined : meter.enter(signal);
	const owner = resolved.payer === "workspace" ? "workspace" : "deployment";

	/** What is free needs no budget. */
	async function reserve(asked: ChatRequest): Promise<Reserved> {
		if (isFree) return { request: asked, settle: await meter.reserve(0) };
		const { origin: _, ...sent } = asked;
		const input = boundInputTokens(sent);
		const limit = await meter.limitOutput(input, asked.maxOutputTokens);
		const request = limit === undefined ? asked : { ...asked, maxOutputTokens: limit };
		return { request, settle: await meter.reserve(input + boundOutputTokens(limit)) };
	}

	async function begin(asked: ChatRequest): Promise<MeteredCall> {
		const { request, settle } = await reserve(asked);
		const startedAt = performance.now();
		let isEnded = false;
		const call: MeteredCall = {
			request,
			received: 0,
			end: (reply) => settleCall({ reply }),
			giveUp(error) {
				if (isEnded) return;
				if (isUncalled(error)) return leave();
				settleCall(ProviderError.is(error) ? { attempts: error.attempts, usage: error.usage } : {});
			},
		};
		/** Nobody was called. */
		function leave(): void {
			isEnded = true;
			settle(0);
		}
		function settleCall(outcome: CallOutcome): ReceiptRow {
			isEnded = true;
			const ms = performance.now() - startedAt;
			const row = toReceiptRow({ resolved, request, stage, ...outcome, received: call.received, ms });
			settle(row.input_tokens + row.output_tokens);
			const { origin } = request;
			const isFailed = outcome.reply === undefined;
			meter.onReceipt(row, { isFailed, ...(origin && { origin }) });
			return row;
		}
		return call;
	}

	async function generate(request: ChatRequest, options?: ChatCallOptions): Promise<ChatReply> {
		const leave = await enter(options?.signal);
		try {
			return await generateNow(await begin(request), options);
		} finally {
			leave();
		}
	}

	async function generateNow(call: MeteredCall, options: ChatCallOptions | undefined): Promise<ChatReply> {
		try {
			const reply = await model.generate(call.request, options);
			return { ...reply, receipt: call.end(reply) };
		} catch (error) {
			call.giveUp(error);
			throw meter.tell(toConfiguredError(error, owner));
		}
	}

	async function* stream(request: ChatRequest, options?: ChatCallOptions): AsyncGenerator<ChatEvent> {
		const leave = await enter(options?.signal);
		try {
			yield* streamNow(await begin(request), options);
		} finally {
			leave();
		}
	}

	async function* streamNow(
		call: MeteredCall,
		options: ChatCallOptions | undefined,
	): AsyncGenerator<ChatEvent> {
		let failure: unknown;
		try {
			for await (const event of model.stream(call.request, options)) {
				if (event.type !== "finish") {
					call.received += event.text.length;
					if (call.received > MAX_ANSWER_CHARACTERS) throw answerTooLong();
					yield event;
					continue;
				}
				yield { type: "finish", reply: { ...event.reply, receipt: call.end(event.reply) } };
				return;
			}
		} catch (error) {
			failure = error;
			throw meter.tell(toConfiguredError(error, owner));
		} finally {
			call.giveUp(failure);
		}
	}

	return { provider: model.provider, model: model.model, vendorHost: model.vendorHost, generate, stream };
}

/** Characters of one answer of a model, its reasoning included: about a million tokens. */
export const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024;

const answerTooLong = (): OutboundError =>
	new OutboundError(
		"response_too_large",
		`The answer is longer than ${MAX_ANSWER_CHARACTERS.toLocaleString("en")} characters, which is as much as is read.`,
		"Ask for less, or set a lower limit of output tokens.",
	);

/** What fails before anything is sent says so: no address that may be called, no key to sign with. */
const isUncalled = (error: unknown): boolean =>
	error instanceof Error && "attempts" in error && error.attempts === 0;

/** What is known of a call that has ended. */
type CallOutcome = Pick<MadeCall, "reply" | "attempts" | "usage">;

interface Reserved {
	/** As it is sent: a caller with a budget gets no more than what is left of it. */
	readonly request: ChatRequest;
	readonly settle: (tokens: number) => void;
}

interface MeteredCall {
	readonly request: ChatRequest;
	/** Characters so far. */
	received: number;
	/** Settles what was set aside and writes the row; once. */
	end(reply: ChatReply): ReceiptRow;
	/** The same with what the error tells, else an estimate; unless there was a reply. */
	giveUp(error: unknown): void;
}
