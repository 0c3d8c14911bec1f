import type { ReceiptRow } from "@stemma/core";
import { expect } from "vitest";
import type { CountingVendor } from "../receipts.ts";
import type { Api, StreamedEvent } from "../service/api.ts";
import { readTurn, TURNS } from "./step-graph.ts";
import type { StepRun } from "./step-run.ts";

/** What a run is compared with. */
export interface StepEvidence {
	readonly api: Api;
	readonly vendor: CountingVendor;
	/** Tools that were called for the run, each as often as it was. */
	readonly calls: readonly string[];
	/** Point at which the service was killed, for messages. */
	readonly point: string;
}

interface RunRecord {
	readonly status: string;
	readonly last_seq: number;
	readonly result: { readonly receipt: readonly ReceiptRow[]; readonly error?: { readonly code: string } };
}

/** Checks a run whose service was killed once. Returns `completed`, or the code of the error with which it failed. */
export async function checkStepRun(run: StepRun, evidence: StepEvidence): Promise<string> {
	const record = await evidence.api.get<RunRecord>(`/v1/runs/${run.id}`);
	const { data: events } = await evidence.api.get<{ data: readonly StreamedEvent[] }>(
		`/v1/runs/${run.id}/events?after=0`,
	);
	const message = `${evidence.point}: ${JSON.stringify({ record, calls: evidence.calls })}\n${events
		.map(({ run_token: _, ...event }) => JSON.stringify(event))
		.join("\n")}`;
	checkEvents(run, { record, events, message });
	const ending = record.result.error?.code ?? record.status;
	expect(["completed", "outcome_unknown"], message).toContain(ending);
	checkTools(ending, { ...evidence, isUnknown: JSON.stringify(events).includes("outcome_unknown"), message });
	checkModels(run.order, { ...evidence, record, message });
	return ending;
}

interface CheckedEvents {
	readonly record: RunRecord;
	readonly events: readonly StreamedEvent[];
	readonly message: string;
}

/** What was seen before the kill is there, and what comes after it goes on from there. */
function checkEvents(run: StepRun, { record, events, message }: CheckedEvents): void {
	expect(
		events.map(({ seq }) => seq),
		message,
	).toEqual(events.map((_, index) => index + 1));
	expect(
		events.map(({ run_token: _, ...event }) => event),
		message,
	).toEqual(run.events);
	expect([events.length, events.at(-1)?.type], message).toEqual([record.last_seq, `run.${record.status}`]);
	const count = (type: string): number => events.filter((event) => event.type === type).length;
	expect([events[0]?.type, count("run.started")], message).toEqual(["run.started", 1]);
	// Once after the approval, and once after the kill.
	expect(count("run.resumed") - count("run.paused"), message).toBeOneOf([0, 1]);
	expect(count("run.paused"), message).toBeLessThanOrEqual(1);
}

/** Each is called once, but for one whose outcome is unknown; one that is idempotent may be called again. */
function checkTools(
	ending: string,
	{ calls, isUnknown, message }: StepEvidence & { readonly isUnknown: boolean; readonly message: string },
): void {
	const count = (name: string): number => calls.filter((call) => call === name).length;
	for (const name of ["note", "pay"]) expect(count(name), message).toBeLessThanOrEqual(1);
	expect(count("look"), message).toBeLessThanOrEqual(2);
	if (ending !== "completed") return;
	expect(count("note"), message).toBe(1);
	expect(count("look"), message).toBeGreaterThan(0);
	if (!isUnknown) expect(count("pay"), message).toBe(1);
}

/**
 * A turn whose answer is on the receipt was not asked again after it. The kill cost two calls at most, as two turns can follow
 * each other before the first of them is stored: one that is an estimate, as it was stored that it was in flight, and one that is
 * on no receipt. An estimate may also be of a call that was not made any more.
 */
function checkModels(
	order: string,
	{ vendor, record, message }: StepEvidence & { readonly record: RunRecord; readonly message: string },
): void {
	const requests = vendor.requests.filter(({ body }) => JSON.stringify(body ?? "").includes(order));
	const { exact, estimated, invented, unmatched } = vendor.compare(record.result.receipt, requests);
	const turns = exact.map(({ body }) => readTurn(body));
	const all = `${JSON.stringify({ turns, estimated, unmatched })}\n${message}`;
	expect(invented, all).toEqual([]);
	expect(turns, all).toEqual([...new Set(turns)]);
	if (record.status === "completed") expect([...turns].sort(), all).toEqual([...TURNS].sort());
	for (const request of exact) {
		const turn = readTurn(request.body);
		const asked = requests.filter(({ body }) => readTurn(body) === turn);
		expect([turn, asked.at(-1)], all).toEqual([turn, request]);
	}
	expect(estimated, all).toBeLessThanOrEqual(1);
	expect(unmatched.length, all).toBeLessThanOrEqual(2);
}
