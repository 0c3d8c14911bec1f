import type { ReceiptRow } from "@stemma/core";
import { requestCancelled } from "../http/error-answer";
import type { ServiceContext } from "../http/service-app";
import { createCallMeter } from "../models/caller-meter";
import { collectReceipts, type ReceiptCollector } from "../models/collect-receipts";
import { type Exposure, exposureOf } from "../runs/caller-view";
import { toAnswerError } from "./answer-error";

/** The calls that a request takes, and what its caller sees of them. */
export interface CallerReceipts extends ReceiptCollector {
	readonly exposure: Exposure;
	/** All rows so far, or none. */
	shown(): readonly ReceiptRow[];
	/** Resolves once they are on the disk: what is told to a caller outlives a crash. A disk that is full is not waited for. */
	written(): Promise<void>;
	/** Rejects with an error as the caller sees it, with the calls that were made all the same. */
	fail(error: unknown): Promise<never>;
}

/** How long an answer waits for a disk that does not write. */
const LONGEST_WAIT_MS = 2000;

/** @param receiptId - under which the one row of the request is kept; default: a new one for each. */
export function createCallerReceipts(context: ServiceContext, receiptId?: string): CallerReceipts {
	const { log } = context.get("workspace").runs;
	const { budgets, telemetry, modelTurns } = context.get("kernel");
	const traceContext = context.get("span")?.traceContext;
	const caller = context.get("caller");
	const exposure = exposureOf(caller);
	const meter = createCallMeter(
		{ caller, budgets, log, telemetry, modelTurns, traceContext },
		{ isOwnRun: false, ...(receiptId !== undefined && { receiptId }) },
	);
	const collected = collectReceipts(meter);

	async function written(): Promise<void> {
		if (collected.rows.length === 0) return;
		let timer: NodeJS.Timeout | undefined;
		const timeout = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, LONGEST_WAIT_MS);
		});
		await Promise.race([log.flushed(), timeout]);
		clearTimeout(timer);
	}

	return {
		...collected,
		exposure,
		shown: () => (exposure === "answer" ? [] : collected.rows),
		written,
		async fail(error) {
			await written();
			if (context.req.raw.signal.aborted) throw requestCancelled();
			throw toAnswerError(error, { exposure, receipt: collected.rows });
		},
	};
}
