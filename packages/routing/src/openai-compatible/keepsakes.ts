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

/** Who gave something to keep. */
export interface Origin {
	readonly baseUrl: string;
	readonly model: string;
}

/** What stands in `vendorData` of a call. */
interface VendorData {
	/** Of the base URL: itself it may hold a secret, and what is kept goes far. */
	readonly hash: number;
	readonly model: string;
	/** Of the message that made the calls; with its first call. */
	readonly message?: Keepsakes;
	/** Of the call: Gemini signs its thoughts there. */
	readonly call?: { readonly extra_content: Json };
}

/** Of calls or details in one answer; no model makes more. Each piece is compared with all, so they must be few. */
export const MOST_PARTS = 256;

/** With what a delta adds. Details beyond the most are too many: no more is added. */
export function addKeepsakes(kept: Keepsakes | undefined, delta: Fields): Keepsakes | undefined {
	const { reasoning_content: thought, reasoning_details: details } = delta;
	const added = asList(details);
	if (!thought && added.length === 0) return kept;
	const content = (kept?.reasoning_content ?? "") + asText(thought);
	const list = added.reduce(addDetail, kept?.reasoning_details ?? []);
	return {
		...(content && { reasoning_content: content }),
		...(list.length > 0 && { reasoning_details: list }),
	};
}

/** Details come word by word: those of one kind and index that follow each other are one, unless they say otherwise. */
function addDetail(details: readonly Json[], wire: unknown): readonly Json[] {
	if (details.length > MOST_PARTS) return details;
	// It came as JSON.
	const added = asObject(wire) as JsonObject;
	const last = asObject(details.at(-1)) as JsonObject;
	const differs = (name: string): boolean =>
		(last[name] ?? added[name] ?? null) !== (added[name] ?? last[name] ?? null);
	const isOther = added.type !== last.type || added.index !== last.index || WHOLE.some(differs);
	if (details.length === 0 || isOther || Object.keys(last).length > MOST_FIELDS) return [...details, added];
	const words = (name: string): JsonObject =>
		typeof last[name] === "string" ? { [name]: last[name] + asText(added[name]) } : {};
	const told = Object.fromEntries(Object.entries(added).filter(([, value]) => value !== null));
	return [...details.slice(0, -1), { ...last, ...told, ...words("text"), ...words("summary") }];
}

/** What is never cut in pieces. */
const WHOLE = ["id", "data", "signature"];
const MOST_FIELDS = 32;

/** As a member to spread into a call; none where there is nothing to keep. */
export function toVendorData(
	{ baseUrl, model }: Origin,
	message: Keepsakes | undefined,
	extraContent: Json | undefined,
): { readonly vendorData?: Json } {
	if (message === undefined && extraContent === undefined) return {};
	const data: VendorData = {
		hash: toHash(baseUrl),
		model,
		...(message && { message }),
		...(extraContent !== undefined && { call: { extra_content: extraContent } }),
	};
	return { vendorData: data as unknown as JsonObject };
}

/** FNV-1a, of 32 bits. */
function toHash(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++)
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
	return hash;
}

/**
 * The fields to send back, of a message or a call; none of what another endpoint gave, or of what this one refuses.
 * Details are of one model: others cannot read its signatures.
 */
export function readVendorData(
	data: Json | undefined,
	part: "message" | "call",
	{ baseUrl, model }: Origin,
	takes: (field: KeptField) => boolean,
): Fields {
	const given = asObject(data);
	if (given.hash !== toHash(baseUrl)) return {};
	const fields = asObject(given[part]);
	const isSent = (field: KeptField): boolean =>
		fields[field] !== undefined && takes(field) && (field !== "reasoning_details" || given.model === model);
	return Object.fromEntries(KEPT_FIELDS.filter(isSent).map((field) => [field, fields[field]]));
}
