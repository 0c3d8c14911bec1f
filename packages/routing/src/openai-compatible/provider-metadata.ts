import type { Json, JsonObject } from "@stemma/core";
import { asList, asObject, asText, type Fields } from "../http/lenient-json";

/**
 * Reasoning that a vendor returns with an answer and requires back in the next turn: DeepSeek (and those who serve its
 * models) the reasoning before a call, OpenRouter the reasoning with its signatures.
 */
export interface ReasoningState {
	readonly reasoning_content?: string;
	readonly reasoning_details?: readonly Json[];
}

/** The fields of a message and of a call that are sent back as they came. */
export const METADATA_FIELDS = ["reasoning_content", "reasoning_details", "extra_content"] as const;
export type MetadataField = (typeof METADATA_FIELDS)[number];

/** Endpoint and model that data to keep came from. */
export interface Origin {
	readonly baseUrl: string;
	readonly model: string;
}

/** Content of a call's `providerMetadata`. */
interface ProviderMetadata {
	/** Hash of the base URL. The URL itself may hold a secret, and this data is passed on. */
	readonly hash: number;
	readonly model: string;
	/** Reasoning state of the message that made the calls; kept with its first call. */
	readonly message?: ReasoningState;
	/** Extra content of the call: Gemini signs its reasoning there. */
	readonly call?: { readonly extra_content: Json };
}

/**
 * Maximum number of calls or details in one answer; no model makes more. Each piece is compared with all, so they must
 * be few.
 */
export const MAX_PARTS = 256;

/** Returns the reasoning state with a delta added. Details beyond the maximum are not added. */
export function addReasoningState(
	state: ReasoningState | undefined,
	delta: Fields,
): ReasoningState | undefined {
	const { reasoning_content: reasoning, reasoning_details: details } = delta;
	const added = asList(details);
	if (!reasoning && added.length === 0) return state;
	const content = (state?.reasoning_content ?? "") + asText(reasoning);
	const list = added.reduce(addDetail, state?.reasoning_details ?? []);
	return {
		...(content && { reasoning_content: content }),
		...(list.length > 0 && { reasoning_details: list }),
	};
}

/** Details come word by word: those of one kind and index that follow each other are one, unless they say otherwise. */
function addDetail(details: readonly Json[], wire: unknown): readonly Json[] {
	if (details.length > MAX_PARTS) return details;
	// It came as JSON.
	const added = asObject(wire) as JsonObject;
	const last = asObject(details.at(-1)) as JsonObject;
	const differs = (name: string): boolean =>
		(last[name] ?? added[name] ?? null) !== (added[name] ?? last[name] ?? null);
	const isNewDetail = added.type !== last.type || added.index !== last.index || IDENTITY_FIELDS.some(differs);
	if (details.length === 0 || isNewDetail || Object.keys(last).length > MAX_FIELDS)
		return [...details, added];
	const concat = (name: string): JsonObject =>
		typeof last[name] === "string" ? { [name]: last[name] + asText(added[name]) } : {};
	const presentFields = Object.fromEntries(Object.entries(added).filter(([, value]) => value !== null));
	return [...details.slice(0, -1), { ...last, ...presentFields, ...concat("text"), ...concat("summary") }];
}

/** Fields that are never split into pieces. */
const IDENTITY_FIELDS = ["id", "data", "signature"];
const MAX_FIELDS = 32;

/** Creates the `providerMetadata` of a call, as an object to spread into it; empty where there is nothing to keep. */
export function toProviderMetadata(
	{ baseUrl, model }: Origin,
	message: ReasoningState | undefined,
	extraContent: Json | undefined,
): { readonly providerMetadata?: Json } {
	if (message === undefined && extraContent === undefined) return {};
	const data: ProviderMetadata = {
		hash: toHash(baseUrl),
		model,
		...(message && { message }),
		...(extraContent !== undefined && { call: { extra_content: extraContent } }),
	};
	return { providerMetadata: data as unknown as JsonObject };
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
export function readProviderMetadata(
	data: Json | undefined,
	part: "message" | "call",
	{ baseUrl, model }: Origin,
	supports: (field: MetadataField) => boolean,
): Fields {
	const metadata = asObject(data);
	if (metadata.hash !== toHash(baseUrl)) return {};
	const fields = asObject(metadata[part]);
	const isSent = (field: MetadataField): boolean =>
		fields[field] !== undefined &&
		supports(field) &&
		(field !== "reasoning_details" || metadata.model === model);
	return Object.fromEntries(METADATA_FIELDS.filter(isSent).map((field) => [field, fields[field]]));
}
