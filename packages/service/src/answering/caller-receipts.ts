import type { ReceiptRow } from "@stemma/core";
import { requestCancelled } from "../errors/to-domain-error";
import { collectReceipts, type ReceiptCollector } from "../models/metering/call-meter";
import { createCallMeter } from "../models/metering/caller-meter";
import type { RequestScope } from "../request-scope";
import { type Visibility, visibilityOf } from "../runs/visibility";
import { toAnswerError } from "./answer-error";

/** Model calls of a request, and what its caller sees of them. */
export interface CallerReceipts extends ReceiptCollector {
	readonly visibility: Visibility;
	/** All rows so far, or none. */
	visibleRows(): readonly ReceiptRow[];
	/** Resolves once they are on the disk: what is told to a caller outlives a crash. A disk that is full is not waited for. */
	waitUntilWritten(): Promise<void>;
	/** Rejects with an error as the caller sees it, with the calls that were made all the same. */
	rejectForCaller(error: unknown): Promise<never>;
}

/** Maximum time that an answer waits for a disk that does not write. */
const MAX_WAIT_FOR_DISK_MS = 2000;

/** @param receiptId - under which the one row of the request is kept; default: a new one for each. */
export function createCallerReceipts(scope: RequestScope, receiptId?: string): CallerReceipts {
	const { log } = scope.workspace.runs;
	const visibility = visibilityOf(scope.caller);
	const collected = collectReceipts(
		createCallMeter(scope, { isServiceRun: false, ...(receiptId !== undefined && { receiptId }) }),
	);

	async function waitUntilWritten(): Promise<void> {
		if (collected.rows.length === 0) return;
		let timer: NodeJS.Timeout | undefined;
		const timeout = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, MAX_WAIT_FOR_DISK_MS);
		});
		await Promise.race([log.flushed(), timeout]);
		clearTimeout(timer);
	}

	return {
		...collected,
		visibility,
		visibleRows: () => (visibility === "answer" ? [] : collected.rows),
		waitUntilWritten,
		async rejectForCaller(error) {
			await waitUntilWritten();
			if (scope.signal.aborted) throw requestCancelled();
			throw toAnswerError(error, { visibility, receipt: collected.rows });
		},
	};
}
