import type { ReceiptRow, TokenUsage } from "@stemma/core";
import type { CompiledNode } from "../graph/compiled-graph";
import type { ToolSet } from "../graph/tool-set";
import type { Invocation } from "../nodes/invocation";
import { dequeueCall, endCall } from "./call-queue";
import type { CallReport, ModelCommand } from "./command";
import { elapsed, type RunState } from "./run-state";

/** Tokens of a text where nobody counted: about four characters each in English, fewer elsewhere. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4);

/** Returns the tools that the model of a node may call, handoffs included. */
export const toolsFor = ({ toolSets }: RunState, { index, toolSet }: CompiledNode): ToolSet =>
	toolSets[index] ?? toolSet;

/** The system message of a model node. */
export const systemMessageFor = (
	{ systemMessages }: RunState,
	{ index, modelSettings }: CompiledNode,
): string | undefined => modelSettings?.system ?? systemMessages[index];

/** Input tokens of the next call of an invocation. */
export const estimateInput = (run: RunState, { node, characters }: Invocation): number =>
	estimateTokens(characters + (systemMessageFor(run, node)?.length ?? 0) + toolsFor(run, node).characters);

/** Writes the row of a call that has ended: what was reported, else an estimate that is marked as one. */
export function recordModelCall(run: RunState, command: ModelCommand, report: CallReport = {}): void {
	if (!endCall(run, command)) return;
	// Nobody was called.
	if (report.attempts === 0) return revertCall(run, command);
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

/** Gives up a call: one in flight goes onto the receipt as an estimate, one that was only queued is not made. */
export function discardModelCall(run: RunState, command: ModelCommand): void {
	if (!dequeueCall(run, command)) return recordModelCall(run, command);
	revertCall(run, command);
}

/** A call that was not made is no step, and takes no tokens. */
function revertCall(run: RunState, { invocation, reserved }: ModelCommand): void {
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

/** Estimates the output tokens from the text received, up to the limit of the call. */
const estimateOutput = ({ received, maxOutputTokens = Number.POSITIVE_INFINITY }: ModelCommand): number =>
	Math.min(estimateTokens(received), maxOutputTokens);

/** Reads the reported usage; `undefined` if it is not a pair of finite numbers. */
function readUsage({ usage }: CallReport): TokenUsage | undefined {
	const { inputTokens, outputTokens } = usage ?? {};
	return Number.isFinite(inputTokens) && Number.isFinite(outputTokens) ? usage : undefined;
}
