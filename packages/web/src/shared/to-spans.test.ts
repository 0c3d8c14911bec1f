import type { SharedRunStep } from "@stemma/client";
import { expect, it } from "vitest";
import { toSpans } from "./to-spans";

const START = "2026-01-31T10:00:00.000Z";

const toStep = (invocation: number, more: Partial<SharedRunStep> = {}): SharedRunStep => ({
	...{ invocation, node: `n${invocation}`, kind: "tool", status: "completed" },
	...{ started_at: START, ended_at: "2026-01-31T10:00:01.000Z", ...more },
});

it("has each step below the one that led to it, until the end of the run where it was stopped", () => {
	const end = Date.parse(START) + 5_000;
	const spans = toSpans(
		[
			toStep(1),
			toStep(2, { parent: 1, input: { order: 7 } }),
			toStep(3, { parent: 2, status: "stopped", ended_at: null }),
		],
		end,
	);
	expect(spans.map(({ depth }) => depth)).toEqual([0, 1, 2]);
	expect(spans[1]).toMatchObject({ input: { order: 7 }, endedAt: Date.parse(START) + 1_000 });
	expect(spans[1]).not.toHaveProperty("output");
	expect(spans[2]).toMatchObject({ status: "stopped", endedAt: end });
});
