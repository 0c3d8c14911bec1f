import type { SimulatedReply, SimulatedUsage } from "./behaviour.ts";
import type { Fields } from "./field-checks.ts";

/** Pieces are this long, so that words and JSON are cut anywhere. */
const PIECE_LENGTH = 7;

/** What one answer says of itself, in its body or in each of its chunks. */
export interface ResponseMetadata {
	readonly id: string;
	readonly created: number;
	readonly model: unknown;
}

/** The body of an answer that is not streamed. */
export function toCompletion(reply: SimulatedReply, metadata: ResponseMetadata, request: Fields): object {
	const calls = toCalls(reply, metadata);
	const message = {
		role: "assistant",
		content: calls.length > 0 && !reply.text ? null : (reply.text ?? ""),
		refusal: null,
		annotations: [],
		...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
		...(calls.length === 0 ? {} : { tool_calls: calls }),
	};
	const usage = toUsage(reply, request);
	return {
		id: metadata.id,
		object: "chat.completion",
		created: metadata.created,
		model: metadata.model,
		choices: [{ index: 0, message, logprobs: null, finish_reason: toFinishReason(reply) }],
		...(usage === undefined ? {} : { usage }),
		service_tier: "default",
		system_fingerprint: null,
	};
}

/** The chunks of a streamed answer, without the `[DONE]` at its end. */
export function toChunks(reply: SimulatedReply, metadata: ResponseMetadata, request: Fields): object[] {
	const includeUsage = (request.stream_options as Fields | undefined)?.include_usage === true;
	const usage = includeUsage ? toUsage(reply, request) : undefined;
	const chunk = (choices: readonly object[], rest: object = {}): object => ({
		id: metadata.id,
		object: "chat.completion.chunk",
		created: metadata.created,
		model: metadata.model,
		service_tier: "default",
		system_fingerprint: null,
		choices,
		...(includeUsage ? { usage: null } : {}),
		obfuscation: "padding",
		...rest,
	});
	const toChunk = (delta: object, finishReason: string | null = null): object =>
		chunk([{ index: 0, delta, logprobs: null, finish_reason: finishReason }]);
	return [
		...toDeltas(reply, metadata).map((delta) => toChunk(delta)),
		toChunk({}, toFinishReason(reply)),
		...(usage === undefined ? [] : [chunk([], { usage })]),
	];
}

function toDeltas(reply: SimulatedReply, metadata: ResponseMetadata): object[] {
	const calls = toCalls(reply, metadata);
	return [
		{ role: "assistant", content: calls.length > 0 && !reply.text ? null : "", refusal: null },
		...cut(reply.reasoning ?? "").map((piece) => ({ reasoning_content: piece })),
		...cut(reply.text ?? "").map((content) => ({ content })),
		...calls.flatMap(({ function: calledFunction, ...call }, index) => [
			{ tool_calls: [{ index, ...call, function: { ...calledFunction, arguments: "" } }] },
			...cut(calledFunction.arguments).map((piece) => ({
				tool_calls: [{ index, function: { arguments: piece } }],
			})),
		]),
	];
}

function toCalls({ toolCalls = [] }: SimulatedReply, { id }: ResponseMetadata) {
	return toolCalls.map((call, index) => ({
		id: call.id ?? `call_${id.slice(-12)}${index}`,
		type: "function",
		function: {
			name: call.name,
			arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
		},
	}));
}

const toFinishReason = ({ finishReason, toolCalls = [] }: SimulatedReply): string =>
	finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop");

function toUsage(reply: SimulatedReply, request: Fields): object | undefined {
	if (reply.usage === "none") return undefined;
	const { inputTokens, outputTokens, cachedTokens = 0 } = reply.usage ?? countTokens(reply, request);
	return {
		prompt_tokens: inputTokens,
		completion_tokens: outputTokens,
		total_tokens: inputTokens + outputTokens,
		prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
		completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
	};
}

function countTokens(reply: SimulatedReply, request: Fields): SimulatedUsage {
	const count = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
	return {
		inputTokens: count(request.messages),
		outputTokens: count([reply.text, reply.reasoning, reply.toolCalls]),
	};
}

function cut(text: string): string[] {
	const pieces: string[] = [];
	for (let from = 0; from < text.length; from += PIECE_LENGTH)
		pieces.push(text.slice(from, from + PIECE_LENGTH));
	return pieces;
}
