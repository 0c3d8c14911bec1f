import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import type { EmbeddingSpace } from "@stemma/routing";
import { toFailureKind } from "./embedding-failure";
import { toEmbeddedText } from "./passage-embedder";
import type { FailedPart, PassagesPart, StoredPart } from "./store-passages-job";
import type { VendorCalls } from "./vendor-calls";

export interface EmbedOptions {
	readonly vendor: VendorCalls;
	readonly space: EmbeddingSpace;
	/** Those of the uploads that were neither deleted nor replaced. */
	readonly findStanding: (uploads: readonly number[]) => Promise<readonly number[]>;
	/** The vendor failed on this upload before: it is embedded alone. */
	readonly isSuspect: (upload: number) => boolean;
	/** The vendor is down: it may take any time. */
	readonly onOutage: () => Promise<void>;
	/** A call failed, and is made again later. */
	readonly onError: (error: unknown) => void;
	readonly signal: AbortSignal;
}

export type EmbeddedPart = StoredPart | StrandedPart;

/** The vendor fails on this part, and answers others: it may work another time. */
export interface StrandedPart {
	readonly kind: "stranded";
	readonly upload: number;
	readonly cause: unknown;
}

/** What one text of many may be refused for. */
const CODES_OF_A_TEXT = new Set(["bad_request", "context_length", "content_filtered"]);
/** Calls for the same texts, before they are suspected to be why it fails. */
const MAX_FAILURES = 2;

/**
 * Gives passages their vectors, with one call for all of them. While the vendor is down for everybody, it waits. What was
 * deleted meanwhile is left out.
 *
 * @throws the signal's reason, or what the store throws.
 */
export async function embedParts(
	parts: readonly StoredPart[],
	options: EmbedOptions,
): Promise<readonly EmbeddedPart[]> {
	const passages = parts.filter((part) => part.kind === "passages");
	const together = passages.filter(({ upload }) => !options.isSuspect(upload));
	const embedded: EmbeddedPart[] = parts.filter((part) => part.kind === "failed");
	const alone = passages.filter(({ upload }) => options.isSuspect(upload));
	const result = await embedTogether(together, options);
	if (result === "apart") alone.unshift(...together);
	else embedded.push(...result);
	for (const part of alone) {
		const one = await embedTogether([part], options);
		if (one !== "apart") embedded.push(...one);
	}
	return embedded;
}

/** `apart`: it failed for one of several parts, and each is to be embedded alone, so that none fails for another's text. */
async function embedTogether(
	parts: readonly PassagesPart[],
	options: EmbedOptions,
): Promise<readonly EmbeddedPart[] | "apart"> {
	const turn = options.vendor.createTurn();
	try {
		for (let failures = 0; ; ) {
			if (turn.isBlocked()) await options.onOutage();
			await turn.whenUp();
			const standing = await keepStanding(parts, options);
			if (standing.length === 0) return [];
			try {
				return withVectors(standing, options.space, await options.vendor.embed(standing.flatMap(toTexts)));
			} catch (error) {
				options.signal.throwIfAborted();
				const settled = await settle(standing, error, ++failures, options);
				if (settled === "again") await turn.pause(error);
				else if (settled !== "outage") return settled;
				else {
					await options.onOutage();
					await turn.waitOut(error);
				}
			}
		}
	} finally {
		turn.end();
	}
}

/** What is to be done about a call that failed. */
async function settle(
	parts: readonly PassagesPart[],
	error: unknown,
	failures: number,
	{ vendor, onError }: EmbedOptions,
): Promise<readonly EmbeddedPart[] | "apart" | "again" | "outage"> {
	const kind = toFailureKind(error);
	const isAlone = parts.length === 1;
	if (kind === "text" && isStemmaError(error))
		return isAlone || !CODES_OF_A_TEXT.has(error.code) ? parts.map((part) => toFailed(part, error)) : "apart";
	onError(error);
	if (kind === "operator") return "outage";
	if (failures < MAX_FAILURES) return "again";
	if (!(await vendor.isUp())) return "outage";
	return isAlone ? parts.map(({ upload }) => ({ kind: "stranded", upload, cause: error })) : "apart";
}

async function keepStanding(
	parts: readonly PassagesPart[],
	{ findStanding }: EmbedOptions,
): Promise<readonly PassagesPart[]> {
	if (parts.length === 0) return parts;
	const standing = new Set(await findStanding(parts.map(({ upload }) => upload)));
	return parts.filter(({ upload }) => standing.has(upload));
}

const toTexts = ({ title, passages }: PassagesPart): string[] =>
	passages.map((passage) => toEmbeddedText(title, passage));

function withVectors(
	parts: readonly PassagesPart[],
	space: EmbeddingSpace,
	vectors: readonly Float32Array[],
): StoredPart[] {
	let from = 0;
	return parts.map((part) => {
		const values = vectors.slice(from, from + part.passages.length);
		from += part.passages.length;
		return { ...part, vectors: { space, values } };
	});
}

const toFailed = ({ upload }: PassagesPart, { code, message, hint }: RunError): FailedPart => ({
	kind: "failed",
	upload,
	error: { code, message, ...(hint !== undefined && { hint }) },
});
