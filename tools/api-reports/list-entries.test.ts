import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listEntries, toEntries, toReportFile } from "./list-entries";

it("lists every entry of a package but its files, and knows the internal ones", () => {
	const entries = toEntries("/core", {
		".": { import: { types: "./dist/index.d.ts" } },
		"./internal/sha-256": { types: "./dist/sha-256.d.ts" },
		"./chat.css": "./dist/chat.css",
		"./package.json": "./package.json",
	});
	expect(entries).toEqual([
		{ folder: "/core", name: "index", types: join("/core/dist/index.d.ts"), isInternal: false },
		{ folder: "/core", name: "internal-sha-256", types: join("/core/dist/sha-256.d.ts"), isInternal: true },
	]);
});

it.each([{ "./errors": "./dist/errors.js" }, { "./errors": { import: {} } }])(
	"rejects an entry without declarations: %j",
	(exports) => {
		expect(() => toEntries("/core", exports)).toThrow("./errors of /core has no declarations.");
	},
);

it("each entry of a published package has a report, and each report an entry: npm run api writes them", () => {
	const entries = listEntries();
	const committed = [...new Set(entries.map(({ folder }) => join(folder, "api")))].flatMap((folder) =>
		existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
	);
	expect(committed.sort()).toEqual(entries.map(toReportFile).sort());
	expect(entries.filter(({ isInternal }) => isInternal).map(({ name }) => name)).toEqual([
		"internal",
		"internal-sha-256",
	]);
});
