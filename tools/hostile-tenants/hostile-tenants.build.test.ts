import { expect, it, onTestFailed } from "vitest";
import { DEFAULT_RATE } from "./command.ts";
import { listIdle, listViolations, SHORT_BOUNDS } from "./measure/bounds.ts";
import { printReport } from "./measure/print-report.ts";
import { performServiceTrial } from "./service-under-attack.ts";

/** In `npm run test:all`; otherwise a short form. */
const isAllTests = process.env.STEMMA_TESTS === "all";
const seed = Number(process.env.STEMMA_HOSTILE_SEED ?? Date.now() % 1_000_000);

it("a hostile tenant takes the service from nobody", { timeout: 300_000 }, async () => {
	const { report, limit } = await performServiceTrial({
		seconds: isAllTests ? 45 : 20,
		idleSeconds: isAllTests ? 10 : 5,
		seed,
		perSecond: DEFAULT_RATE,
		attacks: [],
	});
	onTestFailed(() => console.error(`STEMMA_HOSTILE_SEED=${seed}\n${printReport(report, limit)}`));
	expect(listViolations(report, SHORT_BOUNDS)).toEqual([]);
	// On a slow machine some come too late to be answered: a test in which nothing is attacked proves nothing.
	expect(listIdle(report).length).toBeLessThan(report.attacks.attacks.length / 2);
});
