import type { ChatModel, ChatOrigin, ChatRequest, Cost, ReceiptRow, TraceContext } from "@stemma/core";
import type { EmbeddingModel } from "@stemma/routing";
import type { StartSpan } from "@stemma/telemetry";

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
	/** Computes the cost of a call. Left out: no price is known. */
	readonly computeCost?: ((row: ReceiptRow) => Cost | undefined) | undefined;
	onReceipt(row: ReceiptRow, call?: MeteredCallOutcome): void;
	/** Learns of each call that starts. @param readRow - estimates its row so far. @returns what to call when it ends. */
	readonly onStart?: ((readRow: () => ReceiptRow) => () => void) | undefined;
	/** Waits until a vendor may be called for the caller's workspace. Left out: at once. @returns what ends the call. */
	readonly acquire?: ((signal: AbortSignal | undefined) => Promise<() => void>) | undefined;
	/** The built-in model, in turns between workspaces. Left out: as it was resolved. */
	readonly builtIn?: ChatModel | undefined;
	/** The embedded model, in turns between workspaces. Left out: as it was resolved. */
	readonly embedded?: EmbeddingModel | undefined;
	/** Starts spans of calls; none: they have no spans here. */
	readonly spans?: CallSpans | undefined;
}

/** Adds the cost of a call to its row, where the model has a price. */
export function withCost({ computeCost }: Pick<CallMeter, "computeCost">, row: ReceiptRow): ReceiptRow {
	const cost = computeCost?.(row);
	return cost === undefined ? row : { ...row, cost };
}

/** Outcome of a metered call, besides its row. */
export interface MeteredCallOutcome extends Pick<ChatRequest, "origin"> {
	readonly isFailed?: boolean;
}

export interface CallSpans {
	readonly start: StartSpan;
	/** Parent of the spans; `undefined` where the calls have spans elsewhere, or none. */
	readonly parent: TraceContext | undefined;
}

/** A meter that keeps the rows of its calls, too. */
export interface ReceiptCollector {
	readonly meter: CallMeter;
	readonly rows: readonly ReceiptRow[];
	/** Reads the rows, and estimates of the calls to chat models in flight. */
	readAll(): readonly ReceiptRow[];
}

/** @param origin - who asks, for calls that do not say so themselves. */
export function collectReceipts(
	meter: CallMeter,
	origin?: Pick<ChatOrigin, "runId" | "node">,
): ReceiptCollector {
	const rows: ReceiptRow[] = [];
	const inFlight = new Set<() => ReceiptRow>();
	const toCollected = (row: ReceiptRow): ReceiptRow =>
		origin === undefined ? row : { ...row, node: origin.node };
	return {
		rows,
		readAll: () => [...rows, ...[...inFlight].map((readRow) => toCollected(readRow()))],
		meter: {
			...meter,
			onStart(readRow) {
				inFlight.add(readRow);
				return () => inFlight.delete(readRow);
			},
			onReceipt(row, call) {
				const collected = toCollected(row);
				rows.push(collected);
				meter.onReceipt(
					collected,
					origin === undefined ? call : { ...call, origin: { ...origin, depth: 0 } },
				);
			},
		},
	};
}
