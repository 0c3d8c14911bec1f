import type { ChatReply, ReceiptRow, TokenUsage } from "@stemma/core";
import { endCall, unplanCall } from "./call-queue";
import type { ModelCommand } from "./command";
import type { CompiledNode } from "./compiled-graph";
import type { Invocation } from "./invocation";
import type { Offer } from "./offer";
import { elapsed, type RunState } from "./run-state";

/** Tokens of a text where nobody counted: about four characters each in English, fewer elsewhere. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4);

/** What the model of a node may call or hand over to. */
export const offerOf = ({ offers }: RunState, { index, offer }: CompiledNode): Offer =>
	offers[index] ?? offer;

/** The system message of a model node. */
export const systemOf = ({ systems }: RunState, { index, turns }: CompiledNode): string | undefined =>
	turns?.system ?? systems[index];

/** Input tokens of the next call of an invocation. */
export const estimateInput = (run: RunState, { node, characters }: Invocation): number =>
	estimateTokens(characters + (systemOf(run, node)?.length ?? 0) + offerOf(run, node).characters);

/** What is told of a call that has ended: by its reply, or by its error. No attempts: nothing was sent. */
export type CallReport = Partial<Pick<ChatReply, "usage" | "attempts" | "receipt">>;

/** Writes the row of a call that has ended: what was reported, else an estimate that is marked as one. */
export function settleModelCall(run: RunState, command: ModelCommand, report: CallReport = {}): void {
	if (!endCall(run, command)) return;
	// Nobody was called.
	if (report.attempts === 0) return undoCall(run, command);
	const row = report.receipt ?? toRow(run, command, report);
	run.receipt[command.row] = row;
	run.reservedTokens -= command.reserved;
	const { invocation } = command;
	run.inputTokens += row.input_tokens;
	run.outputTokens += row.output_tokens;
	invocation.inputTokens += row.input_tokens;
	invocation.outputTokens += row.output_tokens;
	invocation.modelCalls += 1;
}

/** Gives up a call: one that is out goes onto the receipt as an estimate, one that was only planned is not made. */
export function abandonModelCall(run: RunState, command: ModelCommand): void {
	if (!unplanCall(run, command)) return settleModelCall(run, command);
	undoCall(run, command);
}

/** A call that was not made is no step, and takes no tokens. */
function undoCall(run: RunState, { invocation, reserved }: ModelCommand): void {
	run.reservedTokens -= reserved;
	run.steps -= 1;
	invocation.steps -= 1;
}

/** Adds the rows of calls that others made for this run. */
export function addRows(run: RunState, rows: readonly ReceiptRow[]): void {
	for (const row of rows) {
		run.receipt.push(row);
		run.inputTokens += row.input_tokens;
		run.outputTokens += row.output_tokens;
	}
}

function toRow(run: RunState, command: ModelCommand, report: CallReport): ReceiptRow {
	const { payer, provider, vendor_host, model, reason } = command.account;
	const usage = readUsage(report);
	const row: ReceiptRow = {
		stage: "answer",
		node: command.invocation.node.id,
		payer,
		provider,
		vendor_host,
		model,
		input_tokens: usage?.inputTokens ?? command.estimatedInput,
		output_tokens: usage?.outputTokens ?? estimateOutput(command),
		ms: elapsed(run) - command.startedAt,
		attempts: Number.isInteger(report.attempts) ? (report.attempts ?? 1) : 1,
		reason,
	};
	if (usage === undefined) return { ...row, estimated: true };
	return usage.cachedTokens === undefined ? row : { ...row, cached_tokens: usage.cachedTokens };
}

/** What came back, and no more than the model was allowed. */
const estimateOutput = ({ received, maxOutputTokens = Number.POSITIVE_INFINITY }: ModelCommand): number =>
	Math.min(estimateTokens(received), maxOutputTokens);

/** What is no pair of numbers was not reported. */
function readUsage({ usage }: CallReport): TokenUsage | undefined {
	const { inputTokens, outputTokens } = usage ?? {};
	return Number.isFinite(inputTokens) && Number.isFinite(outputTokens) ? usage : undefined;
}
