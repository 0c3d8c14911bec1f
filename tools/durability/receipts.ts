import type { ReceiptRow } from "@stemma/core";
import {
	type OpenAiSimulator,
	type SimulatedReply,
	type SimulatedRequest,
	type SimulatedUsage,
	startOpenAiSimulator,
} from "@stemma/simulators/openai";

/** Vendor that reports other tokens for each call, so that each row of a receipt says which call it is of. */
export interface CountingVendor extends OpenAiSimulator {
	/** Returns when it got a request, in epoch milliseconds. */
	getTime(request: SimulatedRequest): number;
	/** Compares rows of receipts with requests that the vendor got for them. */
	compare(receipt: readonly ReceiptRow[], requests: readonly SimulatedRequest[]): ComparedReceipt;
}

/** What is on a receipt, and what the vendor got. */
export interface ComparedReceipt {
	/** Requests that were answered in full and that a row has the tokens of, each another one. */
	readonly exact: readonly SimulatedRequest[];
	/** Rows that are marked as estimates. */
	readonly estimated: number;
	/** Rows with tokens that the vendor reported for none of the requests. There are none on a receipt that is right. */
	readonly invented: readonly ReceiptRow[];
	/** Requests that no row has the tokens of: of estimates, or of no row. */
	readonly unmatched: readonly SimulatedRequest[];
}

type Body = NonNullable<SimulatedRequest["body"]>;

/** Far more than an estimate of the texts in these tests, so that no estimate has them by chance. */
const FIRST_INPUT_TOKENS = 100_000;

/** @param behaviour - the reply to a request, or nothing where it is never answered. */
export async function startCountingVendor(
	behaviour: (body: Body) => Omit<SimulatedReply, "kind" | "usage"> | undefined,
): Promise<CountingVendor> {
	const usages = new Map<Body, SimulatedUsage>();
	const times = new Map<Body, number>();
	const vendor = await startOpenAiSimulator({
		behaviour(body) {
			times.set(body, Date.now());
			const reply = behaviour(body);
			if (reply === undefined) return { kind: "silence" };
			const usage = { inputTokens: FIRST_INPUT_TOKENS + usages.size, outputTokens: 1 + usages.size };
			usages.set(body, usage);
			return { kind: "reply", ...reply, usage };
		},
	});
	function isOf(row: ReceiptRow, { body }: SimulatedRequest): boolean {
		const usage = body === undefined ? undefined : usages.get(body);
		return usage?.inputTokens === row.input_tokens && usage.outputTokens === row.output_tokens;
	}
	return Object.assign(vendor, {
		getTime: ({ body }: SimulatedRequest) => (body === undefined ? undefined : times.get(body)) ?? 0,
		compare(receipt: readonly ReceiptRow[], requests: readonly SimulatedRequest[]): ComparedReceipt {
			const unmatched = [...requests];
			const exact: SimulatedRequest[] = [];
			const invented: ReceiptRow[] = [];
			const reported = receipt.filter(({ estimated }) => estimated !== true);
			for (const row of reported) {
				const at = unmatched.findIndex((request) => request.isAnswered && isOf(row, request));
				if (at === -1) invented.push(row);
				else exact.push(...unmatched.splice(at, 1));
			}
			const estimated = receipt.length - reported.length;
			return { exact, estimated, invented, unmatched };
		},
	});
}
