import type { UsageRow } from "@stemma/client";
import { expect, it } from "vitest";
import { formatUsage } from "./format-usage";

const row = (over: Partial<UsageRow>): UsageRow => ({
	day: "2026-01-01",
	payer: "workspace",
	stage: "answer",
	provider: "openai-compatible",
	model: "small",
	calls: 2,
	input_tokens: 1000,
	output_tokens: 50,
	cached_tokens: 10,
	estimated_calls: 0,
	...over,
});
const RANGE = {
	from: "2026-01-01",
	to: "2026-01-31",
	storage: {
		...{ bytes: 3_500_000, max_bytes: 20 * 1024 ** 3 },
		...{ documents: 75, max_documents: 1_000_000, runs: 1234, max_runs: 100_000 },
	},
};
const STORED = "Stored: 3.3 MiB of 20 GiB, 75 of 1,000,000 documents, 1,234 runs.\n";

it("shows each row, and what each payer was charged in all", () => {
	const data = [
		row({}),
		row({ payer: "deployment", stage: "index", model: "vectors", output_tokens: 0, cached_tokens: 0 }),
		row({ day: "2026-01-02", input_tokens: 234, estimated_calls: 1 }),
	];
	expect(formatUsage({ ...RANGE, data })).toBe(
		`  DAY         WHO PAYS             STAGE   MODEL    CALLS  TOKENS IN  OUT   CACHED
  2026-01-01  the workspace pays   answer  small    2      1,000      50    10
  2026-01-01  the deployment pays  index   vectors  2      1,000      0     0
  2026-01-02  the workspace pays   answer  small    2      ~234       ~50   10
  in all      the workspace pays                    4      ~1,234     ~100  20
  in all      the deployment pays                   2      1,000      0     0
  ~ includes estimates, for calls whose vendor reported no tokens.
${STORED}`,
	);
});

it("says so where nothing was called, and explains no sign that is not there", () => {
	expect(formatUsage({ ...RANGE, data: [] })).toBe(
		`No model was called from 2026-01-01 to 2026-01-31.\n${STORED}`,
	);
	expect(formatUsage({ ...RANGE, data: [row({})] })).not.toContain("~");
});

it("shows costs where any call has one, and marks sums that are without others", () => {
	const costs = [{ currency: "EUR", amount: "0.1", calls: 2 }];
	const data = [
		row({ costs }),
		row({ model: "large", costs: [{ currency: "EUR", amount: "0.2", calls: 1 }] }),
		row({ model: "other" }),
		row({ payer: "none", model: "extractive" }),
	];
	expect(formatUsage({ ...RANGE, data })).toBe(
		`  DAY         WHO PAYS            STAGE   MODEL       CALLS  TOKENS IN  OUT  CACHED  COST
  2026-01-01  the workspace pays  answer  small       2      1,000      50   10      0.1 EUR
  2026-01-01  the workspace pays  answer  large       2      1,000      50   10      0.2 EUR *
  2026-01-01  the workspace pays  answer  other       2      1,000      50   10      no price
  2026-01-01  free                answer  extractive  2      1,000      50   10
  in all      the workspace pays                      6      3,000      150  30      0.3 EUR *
  in all      free                                    2      1,000      50   10
  * is without the calls that had no price: 3 in all.
${STORED}`,
	);
});
