import type { Json, RunEvent } from "@stemma/core";
import { toEventRecord } from "@stemma/runs";
import { expect, it } from "vitest";
import { FoundPassages, readFoundPassages } from "./found-passages";

const place = { start: 0, end: 9 };
const toFound = (...texts: readonly string[]): Json => ({
	query: "When?",
	passages: texts.map((text, index) => ({ n: index + 1, text, document: "Hours", place })),
});
const started = (seq: number, kind: "knowledge" | "tool"): RunEvent => ({
	...{ type: "node.started", run_id: "run_1", seq, at: 1, node: kind, invocation: seq, kind },
	...{ mode: "call", input: "When?" },
});
const completed = (seq: number, invocation: number, output: Json): RunEvent => ({
	...{ type: "node.completed", run_id: "run_1", seq, at: 1, node: "any", invocation, output, ms: 1 },
	usage: { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 1 },
});

it("finds each passage of knowledge nodes once, and none in what others return", () => {
	const found = new FoundPassages();
	const events = [
		started(1, "knowledge"),
		started(2, "tool"),
		completed(3, 1, toFound("A", "B")),
		completed(4, 2, toFound("of a tool")),
		started(5, "knowledge"),
		completed(6, 5, toFound("B", "C")),
		started(7, "knowledge"),
		completed(8, 7, { passages: [null, { text: 1 }, { text: "D", document: "Hours", place: {} }] }),
	];
	for (const event of events) found.add(toEventRecord(event));
	expect(found.list()).toEqual(["A", "B", "C"].map((text) => ({ title: "Hours", text, place })));
});

it("reads all events of a run, however many", async () => {
	const records = Array.from({ length: 501 }, (_, index) => {
		const delta = { type: "text.delta", node: "desk", invocation: 9000, text: "", final: true } as const;
		const event: RunEvent = { ...delta, run_id: "run_1", seq: index + 1, at: 1 };
		return toEventRecord(index === 0 ? started(1, "knowledge") : event);
	});
	records.push(toEventRecord(completed(502, 1, toFound("A"))));
	const store = {
		readEvents: async (_: string, after: number, limit: number) => records.slice(after, after + limit),
	};
	expect(await readFoundPassages(store, "run_1")).toEqual([{ title: "Hours", text: "A", place }]);
});
