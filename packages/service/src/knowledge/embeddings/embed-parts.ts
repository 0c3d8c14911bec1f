import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import type { EmbeddingSpace } from "@stemma/routing";
import { decodePassages } from "../ingest/encoded-passages";
import type { FailedPart, PassagesPart, StoredPart } from "../repositories/passage-repository";
import type { EmbeddingCircuitBreaker } from "./circuit-breaker";
import { toFailureKind } from "./embedding-failure";
import { toEmbeddedText } from "./passage-embedder";

/** Options of embedding passages, of several documents together or of each document alone. */
export interface EmbedOptions {
	readonly vendorCalls: EmbeddingCircuitBreaker;
	readonly space: EmbeddingSpace;
	/** Returns the uploads that were neither deleted nor replaced. */
	readonly filterCurrent: (uploads: readonly number[]) => Promise<readonly number[]>;
	/** The vendor failed on this upload before: it is embedded alone. */
	readonly isDeferred: (upload: number) => boolean;
	/** The vendor is down: it may take any time. */
	readonly onOutage: () => Promise<void>;
	/** A call failed, and is made again later. */
	readonly onError: (error: unknown) => void;
	readonly signal: AbortSignal;
}

export type EmbeddedPart = StoredPart | DeferredPart;

/** The vendor fails on this part, and answers others: it may work another time. */
export interface DeferredPart {
	readonly kind: "deferred";
	readonly upload: number;
	readonly cause: unknown;
}

/** Error codes that can be caused by a single text among many. */
const SINGLE_TEXT_ERROR_CODES = new Set(["bad_request", "context_length", "content_filtered"]);
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
	const batch = passages.filter(({ upload }) => !options.isDeferred(upload));
	const embedded: EmbeddedPart[] = parts.filter((part) => part.kind === "failed");
	const singles = passages.filter(({ upload }) => options.isDeferred(upload));
	const result = await embedBatch(batch, options);
	if (result === "split") singles.unshift(...batch);
	else embedded.push(...result);
	for (const part of singles) {
		const embeddedPart = await embedBatch([part], options);
		if (embeddedPart !== "split") embedded.push(...embeddedPart);
	}
	return embedded;
}

/** `split`: it failed for one of several parts, and each is to be embedded alone, so that none fails for another's text. */
async function embedBatch(
	parts: readonly PassagesPart[],
	options: EmbedOptions,
): Promise<readonly EmbeddedPart[] | "split"> {
	const attempt = options.vendorCalls.createAttempt();
	try {
		for (let failures = 0; ; ) {
			if (attempt.isOpen()) await options.onOutage();
			await attempt.waitUntilClosed();
			const current = await filterCurrentParts(parts, options);
			if (current.length === 0) return [];
			try {
				return attachVectors(
					current,
					options.space,
					await options.vendorCalls.embed(current.flatMap(toTexts)),
				);
			} catch (error) {
				options.signal.throwIfAborted();
				const outcome = await classifyFailure(current, error, ++failures, options);
				if (outcome === "retry") await attempt.backOff(error);
				else if (outcome !== "outage") return outcome;
				else {
					await options.onOutage();
					await attempt.waitForRecovery(error);
				}
			}
		}
	} finally {
		attempt.release();
	}
}

/** Decides how to handle a failed call. */
async function classifyFailure(
	parts: readonly PassagesPart[],
	error: unknown,
	failures: number,
	{ vendorCalls, onError }: EmbedOptions,
): Promise<readonly EmbeddedPart[] | "split" | "retry" | "outage"> {
	const kind = toFailureKind(error);
	const isSingle = parts.length === 1;
	if (kind === "text" && isStemmaError(error))
		return isSingle || !SINGLE_TEXT_ERROR_CODES.has(error.code)
			? parts.map((part) => toFailed(part, error))
			: "split";
	onError(error);
	if (kind === "operator") return "outage";
	if (failures < MAX_FAILURES) return "retry";
	if (!(await vendorCalls.probe())) return "outage";
	return isSingle ? parts.map(({ upload }) => ({ kind: "deferred", upload, cause: error })) : "split";
}

async function filterCurrentParts(
	parts: readonly PassagesPart[],
	{ filterCurrent }: EmbedOptions,
): Promise<readonly PassagesPart[]> {
	if (parts.length === 0) return parts;
	const current = new Set(await filterCurrent(parts.map(({ upload }) => upload)));
	return parts.filter(({ upload }) => current.has(upload));
}

const toTexts = ({ title, passages }: PassagesPart): string[] =>
	decodePassages(passages).map((passage) => toEmbeddedText(title, passage));

function attachVectors(
	parts: readonly PassagesPart[],
	space: EmbeddingSpace,
	vectors: readonly Float32Array[],
): StoredPart[] {
	let from = 0;
	return parts.map((part) => {
		const values = vectors.slice(from, from + part.passages.count);
		from += part.passages.count;
		return { ...part, vectors: { space, values } };
	});
}

const toFailed = ({ upload }: PassagesPart, { code, message, hint }: RunError): FailedPart => ({
	kind: "failed",
	upload,
	error: { code, message, ...(hint !== undefined && { hint }) },
});
