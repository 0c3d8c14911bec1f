import type { ChatOrigin, ReceiptRow } from "@stemma/core";
import type { CallMeter } from "./metered-model";

/** A meter that keeps the rows of its calls, too. */
export interface ReceiptCollector {
	readonly meter: CallMeter;
	/** Rows of the calls, in call order. */
	readonly rows: readonly ReceiptRow[];
}

/** @param origin - who asks, for calls that do not say so themselves. */
export function collectReceipts(
	meter: CallMeter,
	origin?: Pick<ChatOrigin, "runId" | "node">,
): ReceiptCollector {
	const rows: ReceiptRow[] = [];
	return {
		rows,
		meter: {
			...meter,
			onReceipt(row, call) {
				const rowWithNode = origin === undefined ? row : { ...row, node: origin.node };
				rows.push(rowWithNode);
				meter.onReceipt(
					rowWithNode,
					origin === undefined ? call : { ...call, origin: { ...origin, depth: 0 } },
				);
			},
		},
	};
}
