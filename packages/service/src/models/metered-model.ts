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
import { type CompletedCall, toReceiptRow } from "./receipt-row";
import { toConfiguredError } from "./rename-options";
import { maxInputTokens, maxOutputTokens } from "./token-bound";

/** Watches over the calls to a model: asks before each, and is told of each that was made. */
export interface CallMeter {
	/**
	 * Limits the output tokens that a call may request.
	 *
	 * @param input - maximum number of input tokens.
	 * @returns the requested number where there is no budget; `undefined` is no limit.
	 */
	limitOutput(input: number, requested: number | undefined): Promise<number | undefined>;
	/**
	 * Sets tokens aside before a call: the most that it can take, so that calls at once do not pass a budget together.
	 *
	 * @returns what to call with the tokens that it really took.
	 * @throws DomainError `budget_exhausted`: the call is not made then.
	 */
	reserve(tokens: number): Promise<(tokens: number) => void>;
	/** An error of a call as whoever asked may read it. */
	toCallerError(error: unknown): unknown;
	/** The row of a call that was made, whether it was answered or not. */
	onReceipt(row: ReceiptRow, call?: MeteredCallOutcome): void;
	/** Waits until a vendor may be called for the caller's workspace. Left out: at once. @returns what ends the call. */
	readonly acquire?: ((signal: AbortSignal | undefined) => Promise<() => void>) | undefined;
	/** The built-in model, in turns between workspaces. Left out: as it was resolved. */
	readonly builtIn?: ChatModel | undefined;
	/** Starts spans of calls; none: they have no spans here. */
	readonly spans?: CallSpans | undefined;
}

/** Outcome of a metered call, besides its row. */
export interface MeteredCallOutcome extends Pick<ChatRequest, "origin"> {
	readonly isFailed?: boolean;
}

/** Spans of calls. */
export interface CallSpans {
	readonly start: StartSpan;
	/** Parent of the spans; `undefined` where the calls have spans elsewhere, or none. */
	readonly parent: TraceContext | undefined;
}

/** A model whose calls are metered; its replies carry their receipt. */
export function meterModel(resolved: ResolvedModel, meter: CallMeter, stage: Stage): ChatModel {
	const { payer } = resolved;
	const { start, parent } = meter.spans ?? {};
	const createSpanStarter = (): StartSpan | undefined => start && parent && startWithin(start, parent);
	const isUnbilled = payer === "none";
	const model = traceModel((isUnbilled && meter.builtIn) || resolved.model, {
		payer,
		stage,
		findStarter: createSpanStarter,
	});
	/** Waits for a permit to call a vendor. Calls to an unbilled model need none, because they reach no vendor. */
	const acquire = async (signal: AbortSignal | undefined): Promise<() => void> =>
		isUnbilled || meter.acquire === undefined ? () => undefined : meter.acquire(signal);
	const owner = resolved.payer === "workspace" ? "workspace" : "deployment";

	/** Reserves the tokens of a call. An unbilled call needs no budget. */
	async function reserve(asked: ChatRequest): Promise<ReservedRequest> {
		if (isUnbilled) return { request: asked, settle: await meter.reserve(0) };
		const { origin: _, ...sent } = asked;
		const input = maxInputTokens(sent);
		const limit = await meter.limitOutput(input, asked.maxOutputTokens);
		const request = limit === undefined ? asked : { ...asked, maxOutputTokens: limit };
		return { request, settle: await meter.reserve(input + maxOutputTokens(limit)) };
	}

	async function startCall(asked: ChatRequest): Promise<MeteredCall> {
		const { request, settle } = await reserve(asked);
		const startedAt = performance.now();
		let isEnded = false;
		const call: MeteredCall = {
			request,
			receivedCharacters: 0,
			end: (reply) => settleCall({ reply }),
			abandon(error) {
				if (isEnded) return;
				if (wasNotSent(error)) return release();
				settleCall(ProviderError.is(error) ? { attempts: error.attempts, usage: error.usage } : {});
			},
		};
		/** Releases the reserved tokens of a call that was not sent. */
		function release(): void {
			isEnded = true;
			settle(0);
		}
		function settleCall(outcome: CallOutcome): ReceiptRow {
			isEnded = true;
			const ms = performance.now() - startedAt;
			const row = toReceiptRow({
				resolved,
				request,
				stage,
				...outcome,
				receivedCharacters: call.receivedCharacters,
				ms,
			});
			settle(row.input_tokens + row.output_tokens);
			const { origin } = request;
			const isFailed = outcome.reply === undefined;
			meter.onReceipt(row, { isFailed, ...(origin && { origin }) });
			return row;
		}
		return call;
	}

	async function generate(request: ChatRequest, options?: ChatCallOptions): Promise<ChatReply> {
		const release = await acquire(options?.signal);
		try {
			return await generateMetered(await startCall(request), options);
		} finally {
			release();
		}
	}

	async function generateMetered(
		call: MeteredCall,
		options: ChatCallOptions | undefined,
	): Promise<ChatReply> {
		try {
			const reply = await model.generate(call.request, options);
			return { ...reply, receipt: call.end(reply) };
		} catch (error) {
			call.abandon(error);
			throw meter.toCallerError(toConfiguredError(error, owner));
		}
	}

	async function* stream(request: ChatRequest, options?: ChatCallOptions): AsyncGenerator<ChatEvent> {
		const release = await acquire(options?.signal);
		try {
			yield* streamMetered(await startCall(request), options);
		} finally {
			release();
		}
	}

	async function* streamMetered(
		call: MeteredCall,
		options: ChatCallOptions | undefined,
	): AsyncGenerator<ChatEvent> {
		let failure: unknown;
		try {
			for await (const event of model.stream(call.request, options)) {
				if (event.type !== "finish") {
					call.receivedCharacters += event.text.length;
					if (call.receivedCharacters > MAX_ANSWER_CHARACTERS) throw answerTooLongError();
					yield event;
					continue;
				}
				yield { type: "finish", reply: { ...event.reply, receipt: call.end(event.reply) } };
				return;
			}
		} catch (error) {
			failure = error;
			throw meter.toCallerError(toConfiguredError(error, owner));
		} finally {
			call.abandon(failure);
		}
	}

	return { provider: model.provider, model: model.model, vendorHost: model.vendorHost, generate, stream };
}

/** Characters of one answer of a model, its reasoning included: about a million tokens. */
export const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024;

const answerTooLongError = (): OutboundError =>
	new OutboundError(
		"response_too_large",
		`The answer is longer than ${MAX_ANSWER_CHARACTERS.toLocaleString("en")} characters, the maximum that is read.`,
		"Ask for less, or set a lower limit of output tokens.",
	);

/**
 * Checks whether a call failed before anything was sent, which the error says itself: no address that may be called, no
 * key to sign with.
 */
const wasNotSent = (error: unknown): boolean =>
	error instanceof Error && "attempts" in error && error.attempts === 0;

/** Outcome of a call that has ended. */
type CallOutcome = Pick<CompletedCall, "reply" | "attempts" | "usage">;

interface ReservedRequest {
	/** Request as it is sent: a caller with a budget gets at most what is left of it. */
	readonly request: ChatRequest;
	readonly settle: (tokens: number) => void;
}

interface MeteredCall {
	readonly request: ChatRequest;
	/** Characters so far. */
	receivedCharacters: number;
	/** Settles what was set aside and writes the row; once. */
	end(reply: ChatReply): ReceiptRow;
	/**
	 * Settles the reserved tokens and writes the row by what the error reports, else by an estimate. Does nothing after
	 * a reply.
	 */
	abandon(error: unknown): void;
}
