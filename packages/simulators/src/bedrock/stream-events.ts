import type { SimulatedReply, SimulatedToolCall } from "./behaviour.ts";
import type { ConverseRequest } from "./converse-request.ts";
import { toMetadata, toStopReason, toToolUseId } from "./message.ts";

/** Pieces are this long, so that words and JSON are cut anywhere. */
const DEFAULT_PIECE_LENGTH = 7;
const PADDING = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** An event of ConverseStream, before it is put into bytes. */
export interface StreamEvent {
	readonly type: string;
	readonly payload: object;
}

/** The parts of a block: blocks of text and of reasoning have no start. */
interface Block {
	readonly start?: object;
	readonly deltas: readonly object[];
}

/** The events of a whole answer, in the vendor's order: the usage comes after the stop. */
export function toEvents(reply: SimulatedReply, request: ConverseRequest): StreamEvent[] {
	const metadata = toMetadata(reply, request);
	const events = [
		{ type: "messageStart", payload: { role: "assistant" } },
		...toBlocks(reply).flatMap(toBlockEvents),
		{ type: "messageStop", payload: { stopReason: toStopReason(reply) } },
		...(metadata === undefined ? [] : [{ type: "metadata", payload: metadata }]),
	];
	// The vendor pads, so that lengths tell nothing of what was written.
	return events.map(({ type, payload }, index) => ({
		type,
		payload: { ...payload, p: PADDING.slice(0, 3 + ((index * 11) % 50)) },
	}));
}

export const toTextDelta = (text: string, contentBlockIndex: number): StreamEvent => ({
	type: "contentBlockDelta",
	payload: { contentBlockIndex, delta: { text } },
});

function toBlocks({
	text = "",
	reasoning,
	toolCalls = [],
	pieceLength = DEFAULT_PIECE_LENGTH,
}: SimulatedReply): Block[] {
	return [
		...(reasoning === undefined ? [] : [{ deltas: toReasoningDeltas(reasoning, pieceLength) }]),
		...(text === "" ? [] : [{ deltas: cut(text, pieceLength).map((piece) => ({ text: piece })) }]),
		...toolCalls.map((call, index) => toToolBlock(call, index, pieceLength)),
	];
}

function toReasoningDeltas(
	reasoning: Exclude<SimulatedReply["reasoning"], undefined>,
	pieceLength: number,
): object[] {
	const {
		text = "",
		signature,
		redactedContent,
	} = typeof reasoning === "string" ? { text: reasoning } : reasoning;
	const parts = [
		...(redactedContent === undefined ? [] : [{ redactedContent }]),
		...cut(text, pieceLength).map((piece) => ({ text: piece })),
		...(signature === undefined ? [] : [{ signature }]),
	];
	return parts.map((reasoningContent) => ({ reasoningContent }));
}

/** The first piece of input is empty, and the only one where nothing is passed. */
function toToolBlock(call: SimulatedToolCall, index: number, pieceLength: number): Block {
	const json = typeof call.input === "string" ? call.input : JSON.stringify(call.input);
	return {
		start: { toolUse: { name: call.name, toolUseId: toToolUseId(call, index) } },
		deltas: ["", ...cut(json === "{}" ? "" : json, pieceLength)].map((input) => ({ toolUse: { input } })),
	};
}

function toBlockEvents({ start, deltas }: Block, contentBlockIndex: number): StreamEvent[] {
	return [
		...(start === undefined ? [] : [{ type: "contentBlockStart", payload: { contentBlockIndex, start } }]),
		...deltas.map((delta) => ({ type: "contentBlockDelta", payload: { contentBlockIndex, delta } })),
		{ type: "contentBlockStop", payload: { contentBlockIndex } },
	];
}

/** By code points: no piece holds half of one. */
function cut(text: string, length: number): string[] {
	const points = Array.from(text);
	const pieces: string[] = [];
	for (let from = 0; from < points.length; from += length)
		pieces.push(points.slice(from, from + length).join(""));
	return pieces;
}
