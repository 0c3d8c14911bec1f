import type { ReceiptRow } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import {
	nameModelSpan,
	toCalledModel,
	toModelAttributes,
	toUsage,
	toUsageAttributes,
} from "./genai-attributes";
import type { StartSpan } from "./span";
import { toOperation } from "./trace-call";

/**
 * Spans of model calls that another process made within a call of this one. A row says how long its call took and not
 * when it began: they follow one another from the start of the call, in the order of the receipt, and end with it.
 *
 * @param start - gives spans within the call.
 * @param startedAt - start of the call, in epoch milliseconds.
 */
export function traceRows(start: StartSpan, rows: readonly ReceiptRow[], startedAt: number): void {
	const end = clock.now();
	let at = startedAt;
	for (const row of rows) {
		const operation = toOperation(row);
		const span = start({
			name: nameModelSpan(operation, row.model),
			kind: "client",
			startTime: at,
			attributes: { ...toModelAttributes(operation, toCalledModel(row)), ...toUsageAttributes(toUsage(row)) },
		});
		at = Math.min(at + row.ms, end);
		span?.end(at);
	}
}
