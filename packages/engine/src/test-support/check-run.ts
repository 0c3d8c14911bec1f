import type { RunEvent, RunResult } from "@stemma/core";
import { expect } from "vitest";

/** What holds for the events and the result of every run, however it ended. */
export function checkRun(events: readonly RunEvent[], result: RunResult): void {
	expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
	expect(events[0]?.type).toBe("run.started");
	const last = events.at(-1);
	expect(last?.type).toBe(`run.${result.status}`);
	expect(last !== undefined && "result" in last && last.result).toBe(result);
	checkNodes(events, result.status === "paused");
	checkAnswer(events, result);
	checkUsage(events, result);
	expect(JSON.parse(JSON.stringify(result))).toEqual(result);
}

/** Every node that starts ends once, after what it started, and nothing of it comes later. In a pause some are open. */
function checkNodes(events: readonly RunEvent[], isPaused: boolean): void {
	/** How many of what each open one started are open. */
	const open = new Map<number, number>();
	const started = new Set<number>();
	const count = (parent: number | undefined, change: number): void => {
		if (parent === undefined) return;
		expect(open.has(parent)).toBe(true);
		open.set(parent, (open.get(parent) ?? 0) + change);
	};
	for (const event of events) {
		if (!("invocation" in event)) continue;
		const { invocation, parent } = event;
		if (event.type === "node.started") {
			expect(started.has(invocation)).toBe(false);
			started.add(invocation);
			count(parent, 1);
			open.set(invocation, 0);
		} else expect(open.has(invocation)).toBe(true);
		if (event.type !== "node.completed" && event.type !== "node.failed") continue;
		expect(open.get(invocation)).toBe(0);
		open.delete(invocation);
		count(parent, -1);
	}
	expect(open.size > 0).toBe(isPaused);
}

/** All final text since the last reset is the output, where that is text; there is none where it is not. */
function checkAnswer(events: readonly RunEvent[], result: RunResult): void {
	let answer = "";
	for (const event of events) {
		if (event.type === "text.reset") answer = "";
		if (event.type === "text.delta" && event.final) answer += event.text;
	}
	expect(answer).toBe(typeof result.output === "string" ? result.output : "");
	const text = JSON.stringify(result.output);
	for (const [index, { n }] of result.citations.entries()) {
		expect(n).toBe(index + 1);
		expect(text).toContain(`[${n}]`);
	}
	if (result.status !== "completed" || typeof result.output !== "string" || result.citations.length === 0)
		return;
	const cited = result.citations.map(({ n }) => n);
	for (const [, number] of result.output.matchAll(/\[(\d{1,3})\]/g)) expect(cited).toContain(Number(number));
}

function checkUsage(events: readonly RunEvent[], { usage, receipt }: RunResult): void {
	const started = events.filter(({ type }) => type === "node.started").length;
	// What others called for this run is paid for, and is no step of it.
	const own = receipt.filter(({ run_id, payer }) => run_id === undefined && payer !== "external");
	expect(usage.steps).toBe(started + own.length);
	expect(usage.model_calls).toBe(receipt.length);
	expect(usage.input_tokens).toBe(receipt.reduce((sum, row) => sum + row.input_tokens, 0));
	expect(usage.output_tokens).toBe(receipt.reduce((sum, row) => sum + row.output_tokens, 0));
}
