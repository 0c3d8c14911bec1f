import type {
	ChatCallOptions,
	ChatEvent,
	ChatModel,
	ChatReply,
	ChatRequest,
	ReceiptRow,
	Stage,
} from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";
import { ProviderError } from "@stemma/routing";
import { estimateInputTokens, toReceiptRow } from "./receipt-row";

/** Watches over the calls to a model: asks before each, and is told of each that was made. */
export interface CallMeter {
	/**
	 * Sets tokens aside before a call.
	 *
	 * @returns what to call with the tokens that it really took.
	 * @throws ApiError `budget_exhausted`: the call is not made then.
	 */
	reserve(tokens: number): Promise<(tokens: number) => void>;
	/** The row of a call that was made, whether it was answered or not. */
	onReceipt(row: ReceiptRow, request: ChatRequest): void;
}

/** Output tokens set aside where a request names no limit. */
const RESERVED_OUTPUT_TOKENS = 1024;

/** A model whose calls are metered; its replies carry their receipt. */
export function meterModel(resolved: ResolvedModel, meter: CallMeter, stage: Stage): ChatModel {
	const { model } = resolved;

	async function begin(request: ChatRequest): Promise<MeteredCall> {
		const output = request.maxOutputTokens ?? RESERVED_OUTPUT_TOKENS;
		const isFree = resolved.payer === "none";
		const settle = await meter.reserve(isFree ? 0 : estimateInputTokens(request) + output);
		const startedAt = performance.now();
		let isEnded = false;
		const call: MeteredCall = {
			received: 0,
			end: (reply) => settleCall(reply, 1),
			giveUp(error) {
				if (!isEnded) settleCall(undefined, readAttempts(error));
			},
		};
		function settleCall(reply: ChatReply | undefined, attempts: number): ReceiptRow {
			isEnded = true;
			const ms = performance.now() - startedAt;
			const { received } = call;
			const row = toReceiptRow({ resolved, request, stage, reply, received, attempts, ms });
			settle(row.input_tokens + row.output_tokens);
			meter.onReceipt(row, request);
			return row;
		}
		return call;
	}

	async function generate(request: ChatRequest, options?: ChatCallOptions): Promise<ChatReply> {
		const call = await begin(request);
		try {
			const reply = await model.generate(request, options);
			return { ...reply, receipt: call.end(reply) };
		} catch (error) {
			call.giveUp(error);
			throw error;
		}
	}

	async function* stream(request: ChatRequest, options?: ChatCallOptions): AsyncGenerator<ChatEvent> {
		const call = await begin(request);
		let failure: unknown;
		try {
			for await (const event of model.stream(request, options)) {
				if (event.type !== "finish") {
					call.received += event.text.length;
					yield event;
					continue;
				}
				yield { type: "finish", reply: { ...event.reply, receipt: call.end(event.reply) } };
				return;
			}
		} catch (error) {
			failure = error;
			throw error;
		} finally {
			call.giveUp(failure);
		}
	}

	return { provider: model.provider, model: model.model, vendorHost: model.vendorHost, generate, stream };
}

interface MeteredCall {
	/** Characters so far. */
	received: number;
	/** Settles what was set aside and writes the row; once. */
	end(reply: ChatReply): ReceiptRow;
	/** The same with an estimate, unless there was a reply. */
	giveUp(error: unknown): void;
}

const readAttempts = (error: unknown): number => (ProviderError.is(error) ? (error.attempts ?? 1) : 1);
