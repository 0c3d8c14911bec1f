import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openForWriting } from "../store/sqlite-file";
import { workspaceMigrations } from "../store/workspace-tables";
import { findFileProblem } from "./check-database-file";

let folder: string;
let file: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-check-"));
	file = join(folder, "a.sqlite");
	openForWriting(`${file}.sound`, workspaceMigrations).close();
	writeFileSync(file, "half of it is written ".repeat(500));
});
afterEach(() => rmSync(folder, { recursive: true }));

const check = (isServedNow: () => boolean) =>
	findFileProblem({
		file,
		version: workspaceMigrations.length,
		isQuick: false,
		isServed: false,
		isServedNow,
	});

it("a file that a service has begun to write meanwhile is checked again", async () => {
	const problem = await check(() => {
		copyFileSync(`${file}.sound`, file);
		return true;
	});
	expect(problem).toBeUndefined();
});

it("a file is damaged that nobody writes, or that is damaged the second time, too", async () => {
	expect(await check(() => false)).toMatchObject({ code: "storage_corrupt" });
	expect(await check(() => true)).toMatchObject({ code: "storage_corrupt" });
});
