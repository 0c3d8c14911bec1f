import type { WireRunEvent } from "@stemma/client";
import { expect, it } from "vitest";
import { toInterruptedEvent } from "./interrupted-event";

const base = { run_id: "run_1", at: "2026-01-01T00:00:00.000Z", node: "desk", invocation: 1 };

it("tells what was done before the crash, right behind the last event", () => {
	const events: WireRunEvent[] = [
		{ ...base, seq: 1, type: "run.started" },
		{ ...base, seq: 2, type: "node.started", kind: "coordinator", mode: "start", input: "?" },
		{ ...base, seq: 3, type: "text.delta", text: "I look", final: true },
		{ ...base, seq: 4, type: "text.reset" },
		{ ...base, seq: 5, type: "text.delta", text: "Five ", final: true },
		{ ...base, seq: 6, type: "text.delta", text: "days", final: true },
	];
	const receipt = {
		stage: "answer",
		payer: "none",
		provider: "p",
		vendor_host: "",
		model: "m",
		input_tokens: 7,
		output_tokens: 3,
		ms: 1,
		attempts: 1,
		reason: "",
	} as const;
	const embedding = { ...receipt, stage: "embed", input_tokens: 2, output_tokens: 0 } as const;
	expect(toInterruptedEvent("run_1", events, [embedding, receipt], 0)).toMatchObject({
		type: "run.failed",
		seq: 7,
		at: "1970-01-01T00:00:00.000Z",
		error: { code: "interrupted" },
		result: {
			status: "failed",
			output: "Five days",
			receipt: [embedding, receipt],
			usage: { input_tokens: 9, output_tokens: 3, model_calls: 2, steps: 2 },
		},
	});
});

it("needs no events", () => {
	expect(toInterruptedEvent("run_1", [], [], 0)).toMatchObject({ seq: 1, result: { output: null } });
});
