import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openForWriting } from "../../sqlite-file";
import { workspaceMigrations } from "../../workspace-tables";
import { agentVersionsSql } from "./agent-tables";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-versions-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("keeps the graphs of an older file as the versions that runs name", () => {
	const path = join(folder, "workspace.sqlite");
	const older = workspaceMigrations.slice(0, workspaceMigrations.indexOf(agentVersionsSql));
	const { database } = openForWriting(path, older);
	const insert = database.prepare(
		"INSERT INTO agents (id, slug, name, version, graph, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, 2)",
	);
	insert.run("ag_1", "desk", "Desk", 7, '{"nodes":[]}');
	insert.run("ag_2", "office", null, 1, "{}");
	database.close();
	const { database: upgraded } = openForWriting(path, workspaceMigrations);
	const rows = upgraded.prepare("SELECT * FROM agent_versions ORDER BY agent_id").all();
	upgraded.close();
	const unknown = { note: null, created_by: null, restored_from: null, created_at: 2 };
	expect(rows.map((row) => ({ ...row }))).toEqual([
		{ agent_id: "ag_1", number: 7, name: "Desk", graph: '{"nodes":[]}', ...unknown },
		{ agent_id: "ag_2", number: 1, name: null, graph: "{}", ...unknown },
	]);
});
