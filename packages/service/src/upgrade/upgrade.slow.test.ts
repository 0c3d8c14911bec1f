import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockDataFolder } from "../store/data-folder/data-folder-lock";
import { deploymentMigrations } from "../store/deployment-tables";
import { summarizeDatabase } from "../store/sqlite/open-snapshots";
import { openForReading, openForWriting } from "../store/sqlite-file";
import { workspaceMigrations } from "../store/workspace-tables";
import { checkUpgrade } from "./check-upgrade";
import { undoUpgrade } from "./undo-upgrade";
import { upgradeDataFolder } from "./upgrade-data-folder";

const ID = "ws_00000000000000000000000001";

let root: string;
let data: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "stemma-upgrade-"));
	data = join(root, "data");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const toWorkspace = (): string => join(data, "workspaces", `${ID}.sqlite`);
const toDeployment = (): string => join(data, "deployment.sqlite");

/** Writes a data folder as the version of Stemma with so many migrations has left it. */
function writeFolder(deploymentVersion: number, workspaceVersion: number): void {
	rmSync(data, { recursive: true, force: true });
	mkdirSync(join(data, "workspaces"), { recursive: true });
	const deployment = openForWriting(toDeployment(), deploymentMigrations.slice(0, deploymentVersion));
	deployment.prepare("INSERT INTO workspaces (id, name, created_at) VALUES (?, 'first', 1)").run(ID);
	deployment.close();
	const workspace = openForWriting(toWorkspace(), workspaceMigrations.slice(0, workspaceVersion));
	workspace.database.exec(
		"INSERT INTO knowledge_bases (id, name, passage_count, created_at, updated_at) VALUES ('kb_1', 'Harbour', 1, 1, 1);" +
			"INSERT INTO agents (id, slug, version, graph, created_at, updated_at) VALUES ('ag_1', 'a', 1, '{}', 1, 1);" +
			"INSERT INTO runs (id, agent_id, agent_slug, agent_version, status, background, started_by, created_at, last_seq) VALUES ('run_1', 'ag_1', 'a', 1, 'completed', 0, 'cl_1', 1, 1);" +
			"INSERT INTO run_events (run_id, seq, event) VALUES ('run_1', 1, '{}')",
	);
	workspace.close();
}

const readVersions = (): number[] =>
	[toDeployment(), toWorkspace()].map((path) => summarizeDatabase(path, false).version);

/** Definitions of tables and indexes, without the spaces that ALTER TABLE leaves. */
function readSchema(path: string): string[] {
	const file = openForReading(path);
	try {
		return file
			.prepare<{ readonly name: string; readonly columns: string }>(
				"SELECT m.name, (SELECT group_concat(c.name || ' ' || c.type || ' ' || c.\"notnull\", ',') FROM pragma_table_xinfo(m.name) c) AS columns FROM sqlite_schema m WHERE m.name NOT LIKE 'sqlite_%' ORDER BY m.name",
			)
			.all()
			.map(({ name, columns }) => `${name}: ${columns}`);
	} finally {
		file.close();
	}
}

const NEWEST = [deploymentMigrations.length, workspaceMigrations.length];
const VERSIONS = workspaceMigrations.slice(1).map((_, index) => index + 1);

it.each(VERSIONS)("upgrades a folder of version %i of a workspace's tables, and back", async (version) => {
	const deploymentVersion = Math.min(version, deploymentMigrations.length - 1);
	writeFolder(...([deploymentMigrations.length, workspaceMigrations.length] as const));
	const schema = [readSchema(toDeployment()), readSchema(toWorkspace())];
	writeFolder(deploymentVersion, version);
	const before = [toDeployment(), toWorkspace()].map((path) => summarizeDatabase(path, false));
	const { snapshot } = await upgradeDataFolder({ data });
	expect(readVersions()).toEqual(NEWEST);
	expect([readSchema(toDeployment()), readSchema(toWorkspace())]).toEqual(schema);
	expect(summarizeDatabase(toWorkspace(), false).tables).toMatchObject({
		knowledge_bases: 1,
		agents: 1,
		runs: 1,
		run_events: 1,
	});
	expect(existsSync(snapshot ?? "")).toBe(true);
	await undoUpgrade({ data });
	expect([toDeployment(), toWorkspace()].map((path) => summarizeDatabase(path, false))).toEqual(before);
});

it("tries migrations on copies, and changes nothing", async () => {
	writeFolder(2, 5);
	const checked = await checkUpgrade({ data });
	expect(checked.files).toMatchObject([
		{ file: "deployment.sqlite", from: 2, to: NEWEST[0] },
		{
			file: join("workspaces", `${ID}.sqlite`),
			name: "first",
			from: 5,
			to: NEWEST[1],
			milliseconds: expect.any(Number),
		},
	]);
	expect(readVersions()).toEqual([2, 5]);
	expect(readdirSync(data).filter((name) => name.startsWith(".") || name.endsWith(".tar"))).toEqual([]);
});

it("does nothing in a folder that is up to date, and needs a stopped service", async () => {
	writeFolder(deploymentMigrations.length, workspaceMigrations.length);
	expect(await upgradeDataFolder({ data })).not.toHaveProperty("snapshot");
	await expect(undoUpgrade({ data })).rejects.toMatchObject({ code: "snapshot_missing" });
	await expect(upgradeDataFolder({ data: root })).rejects.toMatchObject({ code: "data_folder_missing" });
});

it("leaves a folder as it was where a file cannot be migrated", async () => {
	writeFolder(2, 5);
	const workspace = openForWriting(toWorkspace(), workspaceMigrations.slice(0, 5));
	// A later migration makes a table of this name.
	workspace.database.exec("CREATE TABLE threads (x)");
	workspace.close();
	cpSync(data, join(root, "before"), { recursive: true });
	await expect(upgradeDataFolder({ data })).rejects.toMatchObject({ code: "upgrade_impossible" });
	expect(readVersions()).toEqual([2, 5]);
	expect(readdirSync(data).filter((name) => name.endsWith(".tar"))).toEqual([]);
	const { files } = await checkUpgrade({ data });
	expect(files.map(({ problem }) => problem?.message)).toEqual([
		undefined,
		expect.stringContaining("threads"),
	]);
});

it("is not possible while a service has the folder", async () => {
	writeFolder(2, 5);
	const lock = lockDataFolder(data);
	writeFileSync(join(root, "x"), "");
	try {
		expect((await checkUpgrade({ data })).isServed).toBe(true);
	} finally {
		lock.release();
	}
	expect((await checkUpgrade({ data })).isServed).toBe(false);
});
