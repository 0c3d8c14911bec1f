import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createReports } from "./create-reports";
import { listEntries } from "./list-entries";

const temporary = mkdtempSync(join(tmpdir(), "stemma-api-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

it("the committed reports are those of the packages: npm run api writes them", async () => {
	const entries = listEntries();
	expect(entries.length).toBeGreaterThan(20);
	for (const { entry, text } of createReports(entries, temporary))
		await expect(text).toMatchFileSnapshot(join(entry.folder, "api", `${entry.name}.api.md`));
});

it("there is no report of an entry that is gone", () => {
	const entries = listEntries();
	for (const folder of new Set(entries.map((entry) => entry.folder))) {
		const reports = existsSync(join(folder, "api")) ? readdirSync(join(folder, "api")) : [];
		const names = entries.filter((entry) => entry.folder === folder).map(({ name }) => `${name}.api.md`);
		expect(reports.sort()).toEqual(names.sort());
	}
});
