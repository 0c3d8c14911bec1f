import type { Json, JsonObject } from "@stemma/core";
import { asList, asObject, asText, type Fields } from "../http/fields";

/**
 * What vendors give with an answer and want back in the next turn, or they refuse it: DeepSeek (and those who serve its
 * models) the thoughts before a call, OpenRouter the thoughts with their signatures.
 */
export interface Keepsakes {
	readonly reasoning_content?: string;
	readonly reasoning_details?: readonly Json[];
}

/** The fields of a message and of a call that are sent back as they came. */
export const KEPT_FIELDS = ["reasoning_content", "reasoning_details", "extra_content"] as const;
export type KeptField = (typeof KEPT_FIELDS)[number];

/** What stands in `vendorData` of a call. */
interface VendorData {
	readonly vendorHost: string;
	/** Of the message that made the calls; with its first call. */
	readonly message?: Keepsakes;
	/** Of the call: Gemini signs its thoughts there. */
	readonly call?: { readonly extra_content: Json };
}

/** With what a delta adds. */
export function addKeepsakes(kept: Keepsakes | undefined, delta: Fields): Keepsakes | undefined {
	const { reasoning_content: thought, reasoning_details: details } = delta;
	if (!thought && !details) return kept;
	const content = (kept?.reasoning_content ?? "") + asText(thought);
	const list = asList(details).reduce(addDetail, kept?.reasoning_details ?? []);
	return {
		...(content && { reasoning_content: content }),
		...(list.length > 0 && { reasoning_details: list }),
	};
}

/** Details come word by word: those of one kind and index that follow each other are one. */
function addDetail(details: readonly Json[], wire: unknown): readonly Json[] {
	// It came as JSON.
	const added = asObject(wire) as JsonObject;
	const last = asObject(details.at(-1)) as JsonObject;
	if (details.length === 0 || added.type !== last.type || added.index !== last.index)
		return [...details, added];
	const words = (name: string): JsonObject =>
		typeof last[name] === "string" ? { [name]: last[name] + asText(added[name]) } : {};
	return [...details.slice(0, -1), { ...last, ...added, ...words("text"), ...words("summary") }];
}

/** As a member to spread into a call; none where there is nothing to keep. */
export function toVendorData(
	vendorHost: string,
	message: Keepsakes | undefined,
	extraContent: Json | undefined,
): { readonly vendorData?: Json } {
	if (message === undefined && extraContent === undefined) return {};
	const data: VendorData = {
		vendorHost,
		...(message && { message }),
		...(extraContent !== undefined && { call: { extra_content: extraContent } }),
	};
	return { vendorData: data as unknown as JsonObject };
}

/** The fields to send back, of a message or a call; none of what another host gave, or of what this one refuses. */
export function readVendorData(
	data: Json | undefined,
	part: "message" | "call",
	vendorHost: string,
	takes: (field: KeptField) => boolean,
): Fields {
	const { vendorHost: origin, [part]: kept } = asObject(data);
	if (origin !== vendorHost) return {};
	const fields = asObject(kept);
	return Object.fromEntries(
		KEPT_FIELDS.filter((field) => fields[field] !== undefined && takes(field)).map((field) => [
			field,
			fields[field],
		]),
	);
}
