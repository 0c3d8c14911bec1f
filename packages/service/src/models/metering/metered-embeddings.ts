import type { ReceiptRow, TokenUsage } from "@stemma/core";
import { type EmbeddingModel, ProviderError, type Reranker, type StageRow } from "@stemma/routing";
import { type CallSpan, startWithin, toOperation, traceCall } from "@stemma/telemetry";
import { toConfiguredError, toSettingsOwner } from "../option-names";
import { type CallMeter, withCost } from "./call-meter";
import { estimateTokens } from "./receipt-row";
import { boundTokens } from "./token-bound";

/** Model that is called, its stage, and its payer. */
type MeteredStageCall = Pick<StageRow, "stage" | "payer" | "reason"> &
	Pick<EmbeddingModel, "provider" | "model" | "vendorHost">;

/** Wraps an embedding model so that it writes a row for each call. */
export function meterEmbeddings(
	resolved: EmbeddingModel,
	{ stage, payer, reason }: StageRow,
	meter: CallMeter,
): EmbeddingModel {
	const model = (payer === "none" && meter.embedded) || resolved;
	const call = { ...model, stage, payer, reason };
	return {
		...model,
		embed: (texts, options) =>
			withPermit(payer === "none" ? {} : meter, options?.signal, () =>
				callMetered(call, texts, meter, () => model.embed(texts, options)),
			),
	};
}

/** Wraps a reranker so that it writes a row for each call. */
export const meterReranker = (
	reranker: Reranker,
	{ stage, payer, reason }: StageRow,
	meter: CallMeter,
): Reranker => ({
	...reranker,
	rerank: (query, texts, options) =>
		withPermit(meter, options?.signal, () =>
			callMetered({ ...reranker, stage, payer, reason }, [query, ...texts], meter, () =>
				reranker.rerank(query, texts, options),
			),
		),
});

async function withPermit<Result>(
	{ acquire }: Pick<CallMeter, "acquire">,
	signal: AbortSignal | undefined,
	call: () => Promise<Result>,
): Promise<Result> {
	const release = await acquire?.(signal);
	return call().finally(release);
}

interface VendorReply {
	readonly usage?: TokenUsage;
	readonly attempts?: number;
}

/** Sets tokens aside, calls, and writes the row of the call, whether it was answered or not. An unbilled call needs no budget. */
async function callMetered<Answer extends VendorReply>(
	call: MeteredStageCall,
	texts: readonly string[],
	meter: CallMeter,
	sendCall: () => Promise<Answer>,
): Promise<Answer> {
	const estimate = estimateTokens(sumLengths(texts));
	const settle = await meter.reserve(call.payer === "none" ? 0 : boundTokens(texts));
	const span = startSpan(call, meter);
	const startedAt = performance.now();
	function end({ usage, attempts = 1 }: VendorReply, isFailed: boolean): void {
		const times = { attempts, ms: Math.round(performance.now() - startedAt) };
		const row = withCost(meter, toRow(call, usage, estimate, times));
		settle(row.input_tokens + row.output_tokens);
		meter.onReceipt(row, { isFailed });
	}
	const answer = await sendCall().catch((error: unknown) => {
		const { usage, attempts } = ProviderError.is(error) ? error : {};
		end({ ...(usage && { usage }), ...(attempts !== undefined && { attempts }) }, true);
		span?.fail(error);
		throw toConfiguredError(error, toSettingsOwner(call.payer));
	});
	end(answer, false);
	span?.finish(answer.usage);
	return answer;
}

function startSpan(call: MeteredStageCall, { spans }: CallMeter): CallSpan | undefined {
	if (spans?.parent === undefined) return undefined;
	return traceCall(startWithin(spans.start, spans.parent), toOperation(call), call);
}

const toRow = (
	{ stage, payer, provider, vendorHost, model, reason }: MeteredStageCall,
	usage: TokenUsage | undefined,
	estimate: number,
	{ attempts, ms }: { readonly attempts: number; readonly ms: number },
): ReceiptRow => ({
	stage,
	payer,
	provider,
	vendor_host: vendorHost,
	model,
	input_tokens: usage?.inputTokens ?? estimate,
	output_tokens: usage?.outputTokens ?? 0,
	...(usage === undefined && { estimated: true }),
	ms,
	attempts,
	reason,
});

const sumLengths = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
