import type { ChatEvent } from "@stemma/core";
import { asText, type Fields } from "../http/lenient-json";

/** State of a stream after the parts read so far. */
export interface StreamState {
	/** The parts as `doGenerate` would give them; blocks that are still open have their `id`. */
	readonly content: readonly Fields[];
	/** The last part of a stream that was not cut off. */
	readonly finish?: Fields;
	/** Failure of the stream. Parts that follow it are ignored. */
	readonly failure?: { readonly error: unknown };
}

export interface StreamStep {
	readonly state: StreamState;
	readonly events: readonly ChatEvent[];
}

export const EMPTY_STREAM: StreamState = { content: [] };

/** Takes one part of the stream. */
export function reducePart(state: StreamState, part: Fields): StreamStep {
	const { type } = part;
	switch (type) {
		case "text-start":
		case "reasoning-start":
		case "text-delta":
		case "reasoning-delta":
		case "text-end":
		case "reasoning-end":
			return reduceBlock(state, part);
		case "tool-call":
		case "tool-result":
		case "tool-approval-request":
			// Calls are whole; the pieces of their input that come before are for those who show them.
			return { state: part.preliminary === true ? state : append(state, part), events: [] };
		case "finish":
			return { state: { ...state, finish: part }, events: [] };
		case "error":
			return { state: { ...state, failure: { error: part.error } }, events: [] };
		default:
			return { state, events: [] };
	}
}

/** Ids of blocks are used again, and starts may be missing. */
function reduceBlock(state: StreamState, { type: step, id, delta, providerMetadata }: Fields): StreamStep {
	const [type, phase] = asText(step).split("-") as ["text" | "reasoning", "start" | "delta" | "end"];
	const text = phase === "delta" ? asText(delta) : "";
	const slot = phase === "start" ? -1 : findBlock(state.content, type, id);
	const block = state.content[slot];
	const next: Fields = {
		...(block ?? { type, id }),
		text: asText(block?.text) + text,
		...(providerMetadata === undefined ? {} : { providerMetadata }),
	};
	const events = text === "" ? [] : [{ type: `${type}.delta`, text } as const];
	if (block === undefined) return { state: append(state, next), events };
	return {
		state: { ...state, content: state.content.map((part, at) => (at === slot ? next : part)) },
		events,
	};
}

function findBlock(content: readonly Fields[], type: string, id: unknown): number {
	for (let slot = content.length - 1; slot >= 0; slot--)
		if (content[slot]?.type === type && content[slot]?.id === id) return slot;
	return -1;
}

function append(state: StreamState, part: Fields): StreamState {
	if (state.content.length >= MAX_PARTS) return { ...state, failure: { error: TOO_MANY_PARTS } };
	return { ...state, content: [...state.content, part] };
}

/** Parts of one answer; no model gives more. Each piece of a block copies their list, so they are few. */
const MAX_PARTS = 1024;
/** Error for a stream with too many parts, named as the AI SDK names data of the wrong format. */
const TOO_MANY_PARTS = { name: "AI_TypeValidationError" };
