import type { ChatToolCall, Json } from "@stemma/core";
import { asObject, asText, type Fields } from "../http/fields";
import { type Keepsakes, MOST_PARTS, type Origin, toVendorData } from "./keepsakes";

/** A call that is being put together. */
export interface OpenCall extends Nesting {
	/** Undefined where the vendor does not count its calls. */
	readonly index: number | undefined;
	readonly id: string;
	readonly name: string;
	readonly arguments: string;
	/** What the vendor wants back with the call. */
	readonly extraContent: Json | undefined;
}

/** Where arguments stand. Followed piece by piece: to read all of them for each piece would take too long. */
interface Nesting {
	/** Of braces. */
	readonly depth: number;
	/** Within a string, or behind a backslash there. */
	readonly within: "" | '"' | "\\";
	/** The outermost brace was closed. */
	readonly isWhole: boolean;
}
const OUTSIDE: Nesting = { depth: 0, within: "", isWhole: false };

/**
 * Adds one piece to the calls. Its index says which call it belongs to; but vendors leave it out, or count every call
 * as 0, so another name, or one with an id of its own or behind complete arguments, begins another call. An entry of a
 * whole message is a call. Calls beyond the most are too many: no more is added.
 */
export function mergeToolCall(
	calls: readonly OpenCall[],
	wire: unknown,
	isWhole: boolean,
): readonly OpenCall[] {
	const delta = readDelta(asObject(wire));
	const isEmpty = delta.id + delta.name + delta.arguments === "";
	if (calls.length > MOST_PARTS || (isEmpty && delta.extraContent === undefined)) return calls;
	const slot = isWhole ? -1 : findSlot(calls, delta);
	const open = calls[slot];
	if (open === undefined || beginsAnother(delta, open)) return isEmpty ? calls : [...calls, delta];
	const merged = {
		...open,
		id: open.id || delta.id,
		name: open.name || delta.name,
		arguments: open.arguments + delta.arguments,
		...follow(delta.arguments, open),
		extraContent: delta.extraContent ?? open.extraContent,
	};
	return calls.map((call, index) => (index === slot ? merged : call));
}

function follow(text: string, { depth, within, isWhole }: Nesting): Nesting {
	for (const char of text) {
		if (within === "\\") within = '"';
		else if (char === '"') within = within === "" ? char : "";
		else if (within !== "") within = char === "\\" ? char : within;
		else if (char === "{") depth += 1;
		else if (char === "}") isWhole ||= --depth === 0;
	}
	return { depth, within, isWhole };
}

function readDelta({ index, id, function: made, extra_content: extra }: Fields): OpenCall {
	const { name, arguments: given } = asObject(made);
	const text = typeof given === "object" && given !== null ? JSON.stringify(given) : asText(given);
	const count = /^\d+$/.test(asText(index)) ? Number(index) : index;
	return {
		index: typeof count === "number" ? count : undefined,
		id: asText(id),
		name: asText(name),
		arguments: text,
		...follow(text, OUTSIDE),
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
	if (delta.name === "") return false;
	if (open.name !== "" && delta.name !== open.name) return true;
	const isBehind = open.isWhole && delta.arguments !== "";
	if (delta.id !== "" && delta.id === open.id) return delta.index === undefined && isBehind;
	if (delta.id !== "" && open.id !== "") return true;
	return delta.index === undefined || isBehind;
}

/**
 * The calls as they are asked for: those with a name, each with an id of its own. Without arguments is as good as with
 * none, unless they were cut off.
 */
export function toToolCalls(
	calls: readonly OpenCall[],
	keepsakes: Keepsakes | undefined,
	origin: Origin,
	isCutOff: boolean,
): ChatToolCall[] {
	const given = new Set(calls.map(({ id }) => id));
	const taken = new Set([""]);
	return calls
		.filter(({ name }) => name !== "")
		.map((call, index) => {
			let { id } = call;
			if (taken.has(id)) {
				id = `call_${index + 1}_${call.name}`;
				while (given.has(id) || taken.has(id)) id += "_";
			}
			taken.add(id);
			return {
				id,
				name: call.name,
				arguments: call.arguments || (isCutOff && call === calls.at(-1) ? "" : "{}"),
				...toVendorData(origin, index === 0 ? keepsakes : undefined, call.extraContent),
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
