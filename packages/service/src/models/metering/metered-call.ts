import type { ChatReply, ChatRequest, ReceiptRow, Stage } from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";
import { ProviderError } from "@stemma/routing";
import { type CallMeter, withCost } from "./call-meter";
import { type CompletedCall, toReceiptRow } from "./receipt-row";
import { maxInputTokens, maxOutputTokens } from "./token-bound";

/** One call to a model: its tokens are reserved before it, and settled once with its row. */
export interface MeteredCall {
	/** Request as it is sent: a caller with a budget gets at most what is left of it. */
	readonly request: ChatRequest;
	/** Characters so far. */
	receivedCharacters: number;
	/** Settles the reserved tokens and writes the row by the reply. */
	end(reply: ChatReply): ReceiptRow;
	/**
	 * Settles the reserved tokens and writes the row by what the error reports, else by an estimate. Does nothing after
	 * a reply.
	 */
	abandon(error: unknown): void;
}

export interface MeteredCallContext {
	readonly resolved: ResolvedModel;
	readonly meter: CallMeter;
	readonly stage: Stage;
}

type CallOutcome = Pick<CompletedCall, "reply" | "attempts" | "usage">;

/** Reserves the tokens of a call, and starts its clock. @throws DomainError `budget_exhausted`. */
export async function startMeteredCall(
	{ resolved, meter, stage }: MeteredCallContext,
	asked: ChatRequest,
): Promise<MeteredCall> {
	const { request, settle } = await reserve(resolved, meter, asked);
	const startedAt = performance.now();
	let isEnded = false;
	function toRow(outcome: CallOutcome): ReceiptRow {
		const { receivedCharacters } = call;
		const ms = performance.now() - startedAt;
		return withCost(meter, toReceiptRow({ resolved, request, stage, ...outcome, receivedCharacters, ms }));
	}
	const onEnd = meter.onStart?.(() => toRow({}));
	function end(outcome: CallOutcome): ReceiptRow {
		isEnded = true;
		onEnd?.();
		const row = toRow(outcome);
		settle(row.input_tokens + row.output_tokens);
		const { origin } = request;
		meter.onReceipt(row, { isFailed: outcome.reply === undefined, ...(origin && { origin }) });
		return row;
	}
	const call: MeteredCall = {
		request,
		receivedCharacters: 0,
		end: (reply) => end({ reply }),
		abandon(error) {
			if (isEnded) return;
			isEnded = true;
			onEnd?.();
			if (wasNotSent(error)) settle(0);
			else end(ProviderError.is(error) ? { attempts: error.attempts, usage: error.usage } : {});
		},
	};
	return call;
}

interface ReservedRequest {
	readonly request: ChatRequest;
	readonly settle: (tokens: number) => void;
}

/** Reserves the tokens of a call. An unbilled call needs no budget. */
async function reserve(
	{ payer }: ResolvedModel,
	meter: CallMeter,
	asked: ChatRequest,
): Promise<ReservedRequest> {
	if (payer === "none") return { request: asked, settle: await meter.reserve(0) };
	const { origin: _, ...sent } = asked;
	const input = maxInputTokens(sent);
	const limit = await meter.limitOutput(input, asked.maxOutputTokens);
	const request = limit === undefined ? asked : { ...asked, maxOutputTokens: limit };
	return { request, settle: await meter.reserve(input + maxOutputTokens(limit)) };
}

/**
 * Checks whether a call failed before anything was sent, which the error says itself: no address that may be called, no
 * key to sign with.
 */
const wasNotSent = (error: unknown): boolean =>
	error instanceof Error && "attempts" in error && error.attempts === 0;
