import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openForWriting } from "../../sqlite-file";
import { workspaceMigrations } from "../../workspace-tables";
import { knowledgeBaseSlugsSql } from "./knowledge-tables";

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-slugs-"));
	path = join(folder, "workspace.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

const toId = (number: number): string => `kb_0000000000000000000000${String(number).padStart(4, "0")}`;

/** Opens an older file with knowledge bases of these names; those that begin with `-` are deleted. */
function upgrade(names: readonly string[]): readonly unknown[] {
	const older = workspaceMigrations.slice(0, workspaceMigrations.indexOf(knowledgeBaseSlugsSql));
	const { database } = openForWriting(path, older);
	const insert = database.prepare(
		"INSERT INTO knowledge_bases (id, name, created_at, updated_at, deleted_at) VALUES (?, ?, 1, 1, ?)",
	);
	for (const [index, name] of names.entries()) insert.run(toId(index), name, name.startsWith("-") ? 2 : null);
	database.close();
	openForWriting(path, workspaceMigrations).close();
	const { database: upgraded } = openForWriting(path, workspaceMigrations);
	const rows = upgraded.prepare("SELECT slug FROM knowledge_bases ORDER BY number").all();
	upgraded.close();
	return rows.map(({ slug }) => slug);
}

it("gives the knowledge bases of an older file slugs of their names", () => {
	expect(upgrade(["Handbook", "Crème & Brûlée", "客服", "handbook", "HANDBOOK!", "客"])).toEqual([
		...["handbook", "creme-brulee", "knowledge-base", "handbook-2", "handbook-3", "knowledge-base-2"],
	]);
});

it("gives deleted ones no slug that is missing elsewhere", () => {
	expect(upgrade(["-Handbook", "Handbook"])).toEqual(["handbook-2", "handbook"]);
});

it("opens a file in which the slug with a number is taken as well", () => {
	const slugs = upgrade(["Handbook", "Handbook", "Handbook 2", "x".repeat(100), "x".repeat(101)]);
	expect(new Set(slugs).size).toBe(5);
	expect(slugs.slice(0, 3)).toEqual(["handbook", "handbook-2", `handbook-2-${toId(2).slice(3)}`]);
	for (const slug of slugs) expect(String(slug)).toMatch(/^[a-z0-9-]{1,64}$/);
});
