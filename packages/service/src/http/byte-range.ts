import { listsEtag } from "@stemma/protocol";
/** Part of a representation that a request asks for. `end` is exclusive. */
export type RequestedRange =
	| { readonly kind: "whole" }
	| { readonly kind: "part"; readonly start: number; readonly end: number }
	| { readonly kind: "unsatisfiable" };

const WHOLE: RequestedRange = { kind: "whole" };
const UNSATISFIABLE: RequestedRange = { kind: "unsatisfiable" };

/**
 * Parses the header `Range` (RFC 9110, section 14.2). Other units, several ranges and what is malformed mean the whole.
 *
 * @param size - of the representation, in bytes.
 */
export function parseRange(header: string | undefined, size: number): RequestedRange {
	const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
	if (first === undefined || last === undefined || first + last === "") return WHOLE;
	const isSuffix = first === "";
	if (!isSuffix && last !== "" && Number(last) < Number(first)) return WHOLE;
	const start = isSuffix ? Math.max(0, size - Number(last)) : Number(first);
	const end = isSuffix || last === "" ? size : Math.min(size, Number(last) + 1);
	return start < end ? { kind: "part", start, end } : UNSATISFIABLE;
}

/** Headers of a request that decide with what it is answered. */
export interface RequestConditions {
	readonly range: string | undefined;
	readonly ifRange: string | undefined;
	readonly ifNoneMatch: string | undefined;
}

/**
 * Decides with what a request is answered; `unmodified` where the client has it already.
 *
 * @param etag - strong, with its quotes.
 */
export function selectRange(
	{ range, ifRange, ifNoneMatch }: RequestConditions,
	etag: string,
	size: number,
): RequestedRange | { readonly kind: "unmodified" } {
	if (ifNoneMatch !== undefined && listsEtag(ifNoneMatch, etag)) return { kind: "unmodified" };
	// A weak tag, or a date, says too little for parts of two answers to be put together.
	if (ifRange !== undefined && ifRange.trim() !== etag) return WHOLE;
	return parseRange(range, size);
}
