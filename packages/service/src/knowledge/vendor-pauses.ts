import { readAskedWaitMs, toFailureKind } from "./embedding-failure";

interface PauseRange {
	readonly firstMs: number;
	readonly factor: number;
	readonly longestMs: number;
}

/** A vendor may ask for more than our own pauses, but not to wait for days. */
const LONGEST_ASKED_MS = 10 * 60_000;
const PASSING: PauseRange = { firstMs: 1_000, factor: 2, longestMs: 60_000 };
const OPERATOR: PauseRange = { firstMs: 60_000, factor: 2, longestMs: 10 * 60_000 };
const DOCUMENT: PauseRange = { firstMs: 1_000, factor: 4, longestMs: 30 * 60_000 };

/** A document that the vendor fails on for so long, about an hour, while it answers others, is not tried again. */
export const MAX_TRIES = 8;

/** Before the next call. @param failures - that were before this one. */
export const toPauseMs = (error: unknown, failures: number): number =>
	Math.max(readAskedMs(error), grow(toFailureKind(error) === "operator" ? OPERATOR : PASSING, failures));

/** Before a document that the vendor failed on has its next turn. @param tries - that it had, this one too. */
export const toDocumentPauseMs = (error: unknown, tries: number): number =>
	Math.max(readAskedMs(error), grow(DOCUMENT, tries - 1));

/** Some ask for no pause at all, and for that again and again. */
const readAskedMs = (error: unknown): number => Math.min(readAskedWaitMs(error) ?? 0, LONGEST_ASKED_MS);

/** Not all workspaces at the same moment. */
const grow = ({ firstMs, factor, longestMs }: PauseRange, times: number): number =>
	Math.min(firstMs * factor ** times, longestMs) * (0.75 + Math.random() / 4);
