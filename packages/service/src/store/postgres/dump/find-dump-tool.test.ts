import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findDumpTool } from "./find-dump-tool";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-tool-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const find = (output: string) => {
	writeFileSync(join(folder, "pg_dump"), `#!/bin/sh\necho '${output}'\n`, { mode: 0o700 });
	const environment = { POSTGRES_BIN: folder };
	return findDumpTool("pg_dump", { minVersion: 16, reason: "the server", environment });
};

it("finds a program that is as new as the server, or newer", async () => {
	expect(await find("pg_dump (PostgreSQL) 16.2 (Debian 16.2-1.pgdg120+2)")).toMatchObject({ version: 16 });
	expect(await find("pg_dump (PostgreSQL) 18beta1")).toMatchObject({ version: 18 });
});

it("refuses an older one, and what is another program", async () => {
	await expect(find("pg_dump (PostgreSQL) 15.14")).rejects.toMatchObject({
		code: "postgres_tools_outdated",
		message: expect.stringContaining("15.14"),
		hint: expect.stringContaining("postgresql-client-16"),
	});
	await expect(find("something else")).rejects.toMatchObject({ code: "postgres_tools_missing" });
});
