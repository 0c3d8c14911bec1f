import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createReports } from "./create-reports";
import { listEntries, toReportFile } from "./list-entries";

const temporary = mkdtempSync(join(tmpdir(), "stemma-api-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

it("the committed reports are those of the packages: npm run api writes them", async () => {
	const entries = listEntries();
	expect(entries.length).toBeGreaterThan(20);
	for (const { entry, text } of createReports(entries, temporary))
		await expect(text).toMatchFileSnapshot(toReportFile(entry));
});
