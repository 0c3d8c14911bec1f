import type { Reindex } from "@stemma/client";
import { describe, expect, it } from "vitest";
import { describeEnd, formatPlan, formatReindex } from "./format-reindex";

const REINDEX: Reindex = {
	knowledge_base_id: "kb_1",
	status: "running",
	from: { model: "small", vendor_host: "api.example", dimensions: 512 },
	to: { model: "large", vendor_host: "api.example" },
	passages: { total: 1200, done: 64, skipped: 0 },
	payer: "deployment",
	error: null,
	started_at: "2026-11-20T10:00:00.000Z",
	completed_at: null,
	undo_until: null,
};

const toLines = (text: string): string[] =>
	text
		.trim()
		.split("\n")
		.map((line) => line.trim());

describe("formatPlan", () => {
	it("says what gets a vector, of which model, and who pays", () => {
		const plan = {
			passages: 1136,
			estimated_tokens: 250_000,
			max_tokens: 1_000_000,
			reason: "It pays for all.",
		};
		expect(toLines(formatPlan("handbook", { ...REINDEX, status: "planned", plan }))).toEqual([
			"knowledge base  handbook",
			"now             words, and vectors of small at api.example (512 dimensions)",
			"moves to        words, and vectors of large at api.example",
			"passages        1,136 of 1,200 get a vector",
			"tokens          about 250,000, at most 1,000,000",
			"payer           the deployment pays: It pays for all.",
		]);
	});
});

describe("formatReindex", () => {
	it("says how a knowledge base is found that is not moving", () => {
		expect(formatReindex({ ...REINDEX, status: "idle", from: null, to: null })).toBe(
			"Its passages are found by words alone. It is not moving.\n",
		);
	});

	it("leaves out the host of a model without a vendor", () => {
		const to = { model: "universal", vendor_host: "", dimensions: 512 };
		expect(formatReindex({ ...REINDEX, to })).toContain("words, and vectors of universal (512 dimensions)\n");
	});

	it("says what was refused, and why it pauses, without control characters", () => {
		const error = { code: "quota", message: "No\u001b[31m more.", hint: "Pay the bill." };
		const lines = toLines(
			formatReindex({
				...REINDEX,
				status: "paused",
				error,
				passages: { total: 1200, done: 900, skipped: 3 },
			}),
		);
		expect(lines).toContain("refused   3: found by words alone");
		expect(lines).toContain("hint      Pay the bill.");
		expect(lines.join("\n")).not.toContain("\u001b");
	});

	it("says where an undo leads, and until when", () => {
		const undo_until = "2026-11-27T10:00:00.000Z";
		const lines = toLines(formatReindex({ ...REINDEX, status: "completed", to: null, undo_until }));
		expect(lines).toContain("undo moves to  words alone");
		expect(lines).toContain(`undo until     ${undo_until}`);
	});
});

describe("describeEnd", () => {
	it("says how to undo a move that is completed, and how to follow one that runs", () => {
		const undo_until = "2026-11-27T10:00:00.000Z";
		expect(describeEnd({ ...REINDEX, status: "completed", undo_until })).toContain(
			`Moved 1,200 passages: they are found by words, and vectors of small at api.example (512 dimensions). "--undo" moves back until ${undo_until}.`,
		);
		expect(describeEnd(REINDEX)).toContain("--status");
	});
});
