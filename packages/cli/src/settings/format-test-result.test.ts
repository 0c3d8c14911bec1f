import { expect, it } from "vitest";
import { formatTestResult } from "./format-test-result";

it.each([
	[["rewrite", "answer"] as const, "rewrite, answer"],
	[[], "no stage"],
])("shows what a test says of %o", (stages, paid) => {
	const outcome = { ok: true, latency_ms: 12, model: "small", stages, embeddings_checked: false } as const;
	expect(formatTestResult(outcome)).toBe(
		`It works: small answered in 12 ms.\nWith these settings the workspace pays for: ${paid}. Vectors were not tested.\n`,
	);
});
