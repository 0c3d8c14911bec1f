import type { ChatToolCall, Json } from "@stemma/core";
import { parseJson } from "@stemma/core/internal";
import { asObject, asText, type Fields } from "../http/lenient-json";
import { MAX_PARTS, type Origin, type ReasoningState, toProviderMetadata } from "./provider-metadata";

/** Tool call whose pieces are still arriving. */
export interface PartialToolCall extends JsonScan {
	/** Undefined where the vendor does not count its calls. */
	readonly index: number | undefined;
	readonly id: string;
	readonly name: string;
	readonly arguments: string;
	/** Extra content that the vendor requires back with the call. */
	readonly extraContent: Json | undefined;
}

/**
 * Position of a scan through the JSON of arguments. It is updated piece by piece: reading all of them for each piece
 * would take too long.
 */
interface JsonScan {
	/** Depth of open braces. */
	readonly depth: number;
	/** Within a string, or behind a backslash there. */
	readonly within: "" | '"' | "\\";
	/** The outermost brace was closed. */
	readonly isComplete: boolean;
}
const SCAN_START: JsonScan = { depth: 0, within: "", isComplete: false };

/**
 * Adds one piece to the calls. Its index says which call it belongs to; but vendors leave it out, or count every call
 * as 0, so another name, or one with an id of its own or behind complete arguments, begins another call. An entry of a
 * whole message is a call. Calls beyond the most are too many: no more is added.
 */
export function mergeToolCall(
	calls: readonly PartialToolCall[],
	wire: unknown,
	isFullMessage: boolean,
): readonly PartialToolCall[] {
	const delta = readDelta(asObject(wire));
	const isEmpty = delta.id + delta.name + delta.arguments === "";
	if (calls.length > MAX_PARTS || (isEmpty && delta.extraContent === undefined)) return calls;
	const slot = isFullMessage ? -1 : findSlot(calls, delta);
	const open = calls[slot];
	if (open === undefined || startsNewCall(delta, open)) return isEmpty ? calls : [...calls, delta];
	const merged = {
		...open,
		id: open.id || delta.id,
		name: open.name || delta.name,
		arguments: open.arguments + delta.arguments,
		...scanJson(delta.arguments, open),
		extraContent: delta.extraContent ?? open.extraContent,
	};
	return calls.map((call, index) => (index === slot ? merged : call));
}

function scanJson(text: string, { depth, within, isComplete }: JsonScan): JsonScan {
	for (const char of text) {
		if (within === "\\") within = '"';
		else if (char === '"') within = within === "" ? char : "";
		else if (within !== "") within = char === "\\" ? char : within;
		else if (char === "{") depth += 1;
		else if (char === "}") isComplete ||= --depth === 0;
	}
	return { depth, within, isComplete };
}

function readDelta({ index, id, function: calledFunction, extra_content: extra }: Fields): PartialToolCall {
	const { name, arguments: givenArguments } = asObject(calledFunction);
	const text =
		typeof givenArguments === "object" && givenArguments !== null
			? JSON.stringify(givenArguments)
			: asText(givenArguments);
	const count = /^\d+$/.test(asText(index)) ? Number(index) : index;
	return {
		index: typeof count === "number" ? count : undefined,
		id: asText(id),
		name: asText(name),
		arguments: text,
		...scanJson(text, SCAN_START),
		// It came as JSON.
		extraContent: (extra ?? undefined) as Json | undefined,
	};
}

function findSlot(calls: readonly PartialToolCall[], { index, id }: PartialToolCall): number {
	const last = calls.length - 1;
	for (let slot = last; slot >= 0; slot--)
		if (index === undefined ? id !== "" && calls[slot]?.id === id : calls[slot]?.index === index) return slot;
	return index === undefined ? last : -1;
}

function startsNewCall(delta: PartialToolCall, open: PartialToolCall): boolean {
	if (delta.name === "") return false;
	if (open.name !== "" && delta.name !== open.name) return true;
	const isAfterComplete = open.isComplete && delta.arguments !== "";
	if (delta.id !== "" && delta.id === open.id) return delta.index === undefined && isAfterComplete;
	if (delta.id !== "" && open.id !== "") return true;
	return delta.index === undefined || isAfterComplete;
}

/**
 * The calls as they are asked for: those with a name, each with an id of its own. Without arguments is as good as with
 * none, unless they were cut off.
 */
export function toToolCalls(
	calls: readonly PartialToolCall[],
	reasoningState: ReasoningState | undefined,
	origin: Origin,
	isCutOff: boolean,
): ChatToolCall[] {
	const givenIds = new Set(calls.map(({ id }) => id));
	const usedIds = new Set([""]);
	return calls
		.filter(({ name }) => name !== "")
		.map((call, index) => {
			let { id } = call;
			if (usedIds.has(id)) {
				id = `call_${index + 1}_${call.name}`;
				while (givenIds.has(id) || usedIds.has(id)) id += "_";
			}
			usedIds.add(id);
			return {
				id,
				name: call.name,
				arguments: call.arguments || (isCutOff && call === calls.at(-1) ? "" : "{}"),
				...toProviderMetadata(origin, index === 0 ? reasoningState : undefined, call.extraContent),
			};
		});
}

export const isJson = (text: string): boolean => parseJson(text) !== undefined;
