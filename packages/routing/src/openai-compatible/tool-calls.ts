import type { ChatToolCall, Json } from "@stemma/core";
import { asObject, asText, type Fields } from "../http/fields";
import { type Keepsakes, toVendorData } from "./keepsakes";

/** A call that is being put together. */
export interface OpenCall {
	/** Undefined where the vendor does not count its calls. */
	readonly index: number | undefined;
	readonly id: string;
	readonly name: string;
	readonly arguments: string;
	/** What the vendor wants back with the call. */
	readonly extraContent: Json | undefined;
}

/**
 * Adds one piece to the calls. Its index says which call it belongs to; but vendors leave it out, or count every call
 * as 0, so a name with an id of its own, or behind complete arguments, begins another call.
 */
export function mergeToolCall(calls: readonly OpenCall[], wire: unknown): readonly OpenCall[] {
	const delta = readDelta(asObject(wire));
	const slot = findSlot(calls, delta);
	const open = calls[slot];
	if (open === undefined || beginsAnother(delta, open)) return [...calls, delta];
	const merged = {
		...open,
		id: open.id || delta.id,
		name: open.name || delta.name,
		arguments: open.arguments + delta.arguments,
		extraContent: delta.extraContent ?? open.extraContent,
	};
	return calls.map((call, index) => (index === slot ? merged : call));
}

function readDelta({ index, id, function: made, extra_content: extra }: Fields): OpenCall {
	const { name, arguments: text } = asObject(made);
	return {
		index: typeof index === "number" ? index : undefined,
		id: asText(id),
		name: asText(name),
		arguments: typeof text === "object" && text !== null ? JSON.stringify(text) : asText(text),
		// It came as JSON.
		extraContent: (extra ?? undefined) as Json | undefined,
	};
}

function findSlot(calls: readonly OpenCall[], { index, id }: OpenCall): number {
	const last = calls.length - 1;
	for (let slot = last; slot >= 0; slot--)
		if (index === undefined ? id !== "" && calls[slot]?.id === id : calls[slot]?.index === index) return slot;
	return index === undefined ? last : -1;
}

function beginsAnother(delta: OpenCall, open: OpenCall): boolean {
	if (delta.name === "" || (delta.id !== "" && delta.id === open.id)) return false;
	if (delta.id !== "" && open.id !== "") return true;
	return delta.index === undefined || isJson(open.arguments);
}

/**
 * The calls as they are asked for: those with a name, each with an id of its own. Without arguments is as good as with
 * none, unless they were cut off.
 */
export function toToolCalls(
	calls: readonly OpenCall[],
	keepsakes: Keepsakes | undefined,
	vendorHost: string,
	isCutOff: boolean,
): ChatToolCall[] {
	const taken = new Set<string>();
	return calls
		.filter(({ name }) => name !== "")
		.map((call, index) => {
			const id = call.id === "" || taken.has(call.id) ? `call_${index + 1}_${call.name}` : call.id;
			taken.add(id);
			return {
				id,
				name: call.name,
				arguments: call.arguments || (isCutOff && call === calls.at(-1) ? "" : "{}"),
				...toVendorData(vendorHost, index === 0 ? keepsakes : undefined, call.extraContent),
			};
		});
}

export function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
