import type { ChatReply, ChatRequest, ReceiptRow } from "@stemma/core";
import type { ModelCommand } from "./command";
import type { RunState } from "./run-state";

/** Tokens of a text where nobody counted: about four characters each in English, fewer elsewhere. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4);

export function estimateRequest({ system = "", messages, tools = [] }: ChatRequest): number {
	let characters = system.length;
	for (const message of messages) {
		characters += message.content.length;
		if (message.role === "assistant")
			for (const call of message.toolCalls ?? []) characters += call.arguments.length;
	}
	for (const tool of tools) characters += tool.name.length + (tool.description?.length ?? 0) + 60;
	return estimateTokens(characters);
}

/** Writes the row of a call that has ended: what was reported, else an estimate that is marked as one. */
export function settleModelCall(run: RunState, command: ModelCommand, reply: ChatReply | undefined): void {
	if (!run.modelCalls.delete(command)) return;
	const usage = reply?.usage;
	const row = reply?.receipt ?? toRow(run, command, reply);
	run.receipt[command.row] = row;
	run.reservedTokens -= command.reserved;
	const { invocation } = command;
	const input = usage?.inputTokens ?? row.input_tokens;
	const output = usage?.outputTokens ?? row.output_tokens;
	run.inputTokens += input;
	run.outputTokens += output;
	invocation.inputTokens += input;
	invocation.outputTokens += output;
	invocation.modelCalls += 1;
}

/** Gives up a call: one that is out goes onto the receipt as an estimate, one that was only planned is not made. */
export function abandonModelCall(run: RunState, command: ModelCommand): void {
	const planned = run.commands.indexOf(command);
	if (planned === -1) return settleModelCall(run, command, undefined);
	run.commands.splice(planned, 1);
	run.modelCalls.delete(command);
	run.reservedTokens -= command.reserved;
	run.steps -= 1;
	command.invocation.steps -= 1;
}

function toRow(run: RunState, command: ModelCommand, reply: ChatReply | undefined): ReceiptRow {
	const { model, payer, reason } = command.model;
	const usage = reply?.usage;
	const row: ReceiptRow = {
		stage: "answer",
		node: command.invocation.node.id,
		payer,
		provider: model.provider,
		vendor_host: model.vendorHost,
		model: model.model,
		input_tokens: usage?.inputTokens ?? estimateRequest(command.request),
		output_tokens: usage?.outputTokens ?? estimateTokens(command.received),
		ms: run.now - command.startedAt,
		attempts: reply?.attempts ?? 1,
		reason,
	};
	if (usage === undefined) return { ...row, estimated: true };
	return usage.cachedTokens === undefined ? row : { ...row, cached_tokens: usage.cachedTokens };
}
