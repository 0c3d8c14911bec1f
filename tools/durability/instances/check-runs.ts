import type { ReceiptRow } from "@stemma/core";
import type { SimulatedRequest } from "@stemma/simulators/openai";
import { expect } from "vitest";
import type { CountingVendor } from "../receipts.ts";
import type { StreamedEvent } from "../service/api.ts";
import type { Cluster } from "./cluster.ts";
import { readAfter } from "./rejoin-run.ts";
import { readRunEvents, type SeenRun } from "./run-load.ts";

/** Its instance was killed, or it asked for something while Postgres was gone. */
const FAILURES = ["interrupted", "outcome_unknown", "storage_unavailable"];
/** A run is resumed twice after a crash, and is ended after the third one. */
const MAX_INTERRUPTIONS = 3;

/** Far longer than the vendor takes for a call, and an instance to store it: a machine may be busy. */
const CALL_MS = 10_000;

/** What runs are compared with. */
export interface RunEvidence {
	readonly cluster: Cluster;
	readonly vendor: CountingVendor;
	/** Orders for which the tool was called. */
	readonly calls: readonly string[];
}

export interface CheckedRun {
	readonly kind: SeenRun["kind"];
	readonly status: string;
	/** Number of kills that it shows. */
	readonly interruptions: number;
	/** Number of calls that the vendor has got and that are on no receipt. */
	readonly unlisted: number;
}

interface RunRecord {
	readonly status: string;
	readonly last_seq: number;
	readonly input: { readonly input: string };
	readonly result: { readonly receipt: readonly ReceiptRow[]; readonly error?: { readonly code: string } };
}

/** Its events are whole and what was streamed; its tool was called at most once, and once where it has completed and knows so. */
export async function checkRun(seen: SeenRun, evidence: RunEvidence): Promise<CheckedRun> {
	const { cluster, calls: called } = evidence;
	const { id, kind } = seen;
	const record = await cluster.send((api) => api.get<RunRecord>(`/v1/runs/${id}`));
	const events = await readRunEvents(cluster, id);
	const message = `${id} (${kind}): ${JSON.stringify(record)}`;
	expect(
		events.map(({ seq }) => seq),
		message,
	).toEqual(events.map((_, index) => index + 1));
	expect([events.length, events.at(-1)?.type], message).toEqual([record.last_seq, `run.${record.status}`]);
	expect(events.slice(0, seen.events.length), message).toEqual(seen.events);
	if (record.status === "failed") expect(FAILURES, message).toContain(record.result.error?.code);
	const calls = called.filter((order) => order === record.input.input).length;
	const isUnknown = JSON.stringify(events).includes("outcome_unknown");
	const isCalled = kind === "approved" && record.status === "completed" && !isUnknown;
	expect(calls, message).toBeLessThanOrEqual(kind === "approved" ? 1 : 0);
	if (isCalled) expect(calls, message).toBe(1);
	const interruptions = countInterruptions(events, record);
	const unlisted = checkReceipt(record, { evidence, interruptions, message });
	return { kind, status: record.status, interruptions, unlisted };
}

/** Each instance streams the run from any event of it on. */
export async function checkStreams(
	{ id, events }: { readonly id: string; readonly events: readonly StreamedEvent[] },
	after: number,
	cluster: Cluster,
): Promise<void> {
	for (const url of cluster.urls) {
		const read = await readAfter(cluster, url, { id, after, count: events.length - after });
		expect([url, id, after, read]).toEqual([url, id, after, events.slice(after)]);
	}
}

/** A run resumes after a pause, too. */
function countInterruptions(events: readonly StreamedEvent[], { result }: RunRecord): number {
	const resumed = events.filter(
		({ type }, index) => type === "run.resumed" && events[index - 1]?.type !== "run.paused",
	);
	return resumed.length + (result.error?.code === "interrupted" ? 1 : 0);
}

/**
 * Compares a receipt with what the vendor got: each row has the tokens of a call that was answered in full, or is an estimate.
 * The rest is the same, too, but for calls that an instance made shortly before it was killed:
 *
 * - one that was in flight, or whose answer was not stored yet, is an estimate;
 * - one of which nothing was stored yet is on no receipt; at most one for each time that the run went on;
 * - one that was stored and that the instance did not come to make is an estimate, too: `run.resumed` tells of that.
 *
 * Besides, a call that was cancelled is an estimate. Returns the number of calls that are on no receipt.
 */
function checkReceipt(
	{ status, input, result }: RunRecord,
	options: { readonly evidence: RunEvidence; readonly interruptions: number; readonly message: string },
): number {
	const { vendor, cluster } = options.evidence;
	const { interruptions } = options;
	const requests = vendor.requests.filter(({ body }) => readOrder(body) === input.input);
	const { exact, estimated, invented, unmatched } = vendor.compare(result.receipt, requests);
	const message = `${options.message}\n${JSON.stringify({ interruptions, exact: exact.length, estimated, unmatched })}`;
	expect(invented, message).toEqual([]);
	if (status === "completed") expect(exact.length, message).toBeGreaterThan(0);
	expect(estimated - unmatched.length, message).toBeLessThanOrEqual(interruptions);
	const wasCutOff = (request: SimulatedRequest): boolean =>
		cluster.killedAt.some((at) => at > vendor.getTime(request) && at < vendor.getTime(request) + CALL_MS);
	// A cancelled run ends with its call in flight, and one that has asked for something while Postgres was gone may.
	if (status === "completed" || status === "paused")
		expect(
			unmatched.filter((request) => !wasCutOff(request)),
			message,
		).toEqual([]);
	else if (!unmatched.some(wasCutOff)) expect(estimated, message).toBeGreaterThanOrEqual(unmatched.length);
	const unlisted = Math.max(0, unmatched.length - estimated);
	expect(unlisted, message).toBeLessThanOrEqual(MAX_INTERRUPTIONS);
	return unlisted;
}

/** The order that a request to the vendor is about. */
export const readOrder = (body: unknown): string => JSON.stringify(body ?? "").match(/order \d+/)?.[0] ?? "";
