import { spawn } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packTar, unpackTar } from "modern-tar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deploymentMigrations } from "../store/deployment-tables";
import { openForReading, openForWriting } from "../store/sqlite-file";
import { workspaceMigrations } from "../store/workspace-tables";
import { createBackup } from "./create-backup";
import { restoreBackup } from "./restore-backup";

const ID = "ws_00000000000000000000000001";
const OTHER = "ws_00000000000000000000000002";

let root: string;
let data: string;
let file: string;
let target: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "stemma-backup-"));
	[data, file, target] = [join(root, "data"), join(root, "backup.tar"), join(root, "restored")];
	mkdirSync(join(data, "workspaces"), { recursive: true });
	const deployment = openForWriting(join(data, "deployment.sqlite"), deploymentMigrations);
	for (const [id, name] of [
		[ID, "first"],
		[OTHER, "second"],
	] as const) {
		deployment.prepare("INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, 1)").run(id, name);
		const workspace = openForWriting(join(data, "workspaces", `${id}.sqlite`), workspaceMigrations);
		workspace.prepare("INSERT INTO workspace_identity (id) VALUES (?)").run(id);
		workspace
			.prepare(
				"INSERT INTO agents (id, slug, version, graph, created_at, updated_at) VALUES ('ag_1', 'a', 1, ?, 1, 1)",
			)
			.run("x".repeat(100_000));
		workspace.close();
	}
	deployment.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Program that writes one row a transaction, and prints its number once it is on the disk. */
const WRITER = `
const { DatabaseSync } = require("node:sqlite");
const { writeSync } = require("node:fs");
const database = new DatabaseSync(process.argv[1], { timeout: 10_000 });
database.exec("PRAGMA synchronous = FULL");
database.exec("INSERT INTO runs (id, agent_id, agent_slug, agent_version, status, background, started_by, created_at, last_seq) VALUES ('run_1', 'ag_1', 'a', 1, 'running', 0, 'cl_1', 1, 1)");
const insert = database.prepare("INSERT INTO run_events (run_id, seq, event) VALUES ('run_1', ?, ?)");
for (let seq = 1; ; seq++) {
	insert.run(seq, "x".repeat(20_000));
	writeSync(1, seq + "\\n");
}`;

const listRoot = (): string[] => readdirSync(root).sort();

describe("a backup", () => {
	it("restores to the same rows, and only its owner can read it", async () => {
		const { manifest } = await createBackup({ data }, file);
		expect(manifest.parts.map(({ path, workspace_name }) => [path, workspace_name])).toEqual([
			["deployment.sqlite", undefined],
			[`workspaces/${ID}.sqlite`, "first"],
			[`workspaces/${OTHER}.sqlite`, "second"],
		]);
		expect(manifest.parts[1]?.tables).toMatchObject({ agents: 1, documents: 0 });
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(listRoot()).toEqual(["backup.tar", "data"]);
		await restoreBackup(file, target);
		expect(readdirSync(target).sort()).toEqual(["deployment.sqlite", "lock.sqlite", "workspaces"]);
		const again = await createBackup({ data: target }, join(root, "again.tar"));
		expect(again.manifest.parts.map(({ path, tables }) => ({ path, tables }))).toEqual(
			manifest.parts.map(({ path, tables }) => ({ path, tables })),
		);
	});

	it("does not replace a file unless it is asked to, and leaves nothing when it is stopped", async () => {
		writeFileSync(file, "mine");
		await expect(createBackup({ data }, file)).rejects.toMatchObject({ code: "archive_exists" });
		const controller = new AbortController();
		const onProgress = () => controller.abort(new Error("stopped"));
		await expect(
			createBackup({ data }, file, { canReplace: true, signal: controller.signal, onProgress }),
		).rejects.toThrow("stopped");
		expect(readFileSync(file, "utf8")).toBe("mine");
		expect(listRoot()).toEqual(["backup.tar", "data"]);
		await createBackup({ data }, file, { canReplace: true });
		expect(statSync(file).size).toBeGreaterThan(100_000);
	});

	it("holds what was acknowledged before it began, while another process writes", async () => {
		const path = join(data, "workspaces", `${ID}.sqlite`);
		const writer = spawn(process.execPath, ["-e", WRITER, path], { stdio: ["ignore", "pipe", "inherit"] });
		let acknowledged = 0;
		writer.stdout.setEncoding("utf8").on("data", (text: string) => {
			acknowledged = Number(text.trim().split("\n").at(-1));
		});
		try {
			await expect.poll(() => acknowledged).toBeGreaterThan(20);
			const before = acknowledged;
			await createBackup({ data }, file);
			const after = acknowledged;
			await expect.poll(() => acknowledged).toBeGreaterThan(after);
			await restoreBackup(file, target);
			const restored = openForReading(join(target, "workspaces", `${ID}.sqlite`));
			const row = restored
				.prepare<{ readonly rows: number; readonly last: number }>(
					"SELECT count(*) AS rows, max(seq) AS last FROM run_events",
				)
				.get();
			restored.close();
			expect(row?.rows).toBe(row?.last);
			expect(row?.last).toBeGreaterThanOrEqual(before);
		} finally {
			writer.kill("SIGKILL");
		}
	});

	it("needs a data folder, and a folder to write to", async () => {
		await expect(createBackup({ data: root }, file)).rejects.toMatchObject({ code: "data_folder_missing" });
		await expect(createBackup({ data }, join(root, "none", "b.tar"))).rejects.toMatchObject({
			code: "archive_missing",
		});
	});

	it("fails for a damaged workspace, or leaves it out and says so", async () => {
		writeFileSync(join(data, "workspaces", `${OTHER}.sqlite`), "no database ".repeat(1000));
		await expect(createBackup({ data }, file)).rejects.toMatchObject({
			code: "storage_corrupt",
			hint: expect.stringContaining("--skip-damaged"),
		});
		expect(existsSync(file)).toBe(false);
		const { manifest } = await createBackup({ data }, file, { skipsDamaged: true });
		expect(manifest.left_out).toMatchObject([{ workspace_id: OTHER, code: "storage_corrupt" }]);
		await restoreBackup(file, target);
		expect(readdirSync(join(target, "workspaces"))).toEqual([`${ID}.sqlite`]);
	});
});

describe("a restoration", () => {
	const expectRefusal = async (code: string): Promise<void> => {
		await expect(restoreBackup(file, target)).rejects.toMatchObject({ code });
		expect(existsSync(target)).toBe(false);
	};

	it("refuses a folder that is not empty", async () => {
		await createBackup({ data }, file);
		await expect(restoreBackup(file, data)).rejects.toMatchObject({ code: "data_folder_not_empty" });
		expect(readdirSync(data).sort()).toContain("deployment.sqlite");
	});

	it("refuses an archive that is cut anywhere", async () => {
		await createBackup({ data }, file);
		const whole = readFileSync(file);
		for (const share of [0, 0.01, 0.3, 0.6, 0.9]) {
			writeFileSync(file, whole);
			truncateSync(file, Math.floor(whole.length * share));
			await expectRefusal("archive_incomplete");
		}
		rmSync(file);
		await expectRefusal("archive_missing");
	});

	it("refuses an archive in which a byte has changed", async () => {
		await createBackup({ data }, file);
		const whole = readFileSync(file);
		const position = whole.indexOf("xxxxxxxxxxxxxxxx");
		whole[position] = 0x79;
		writeFileSync(file, whole);
		await expectRefusal("archive_damaged");
	});

	type Entries = Awaited<ReturnType<typeof unpackTar>>;
	async function rewrite(change: (entries: Entries) => void): Promise<void> {
		await createBackup({ data }, file, { canReplace: true });
		const entries = await unpackTar(readFileSync(file));
		change(entries);
		writeFileSync(file, await packTar(entries));
	}
	const toEntry = (name: string, content = "x"): Entries[number] => ({
		header: { name, size: content.length, type: "file" },
		data: new TextEncoder().encode(content),
	});

	it.each([
		"../escaped",
		"/etc/escaped",
		"workspaces/../../escaped",
		"first-credentials.json",
		"workspaces/x.sqlite",
	])("refuses a path that no backup has: %s", async (name) => {
		await rewrite((entries) => void entries.unshift(toEntry(name)));
		await expectRefusal("archive_unsafe");
		expect(listRoot()).toEqual(["backup.tar", "data"]);
	});

	it("refuses links, and entries that come twice or after the manifest", async () => {
		await rewrite(
			(entries) =>
				void entries.unshift({
					header: { name: "deployment.sqlite", size: 0, type: "symlink", linkname: "/etc/passwd" },
				}),
		);
		await expectRefusal("archive_unsafe");
		await rewrite((entries) => {
			const [first] = entries;
			if (first !== undefined) entries.unshift(first);
		});
		await expectRefusal("archive_unsafe");
		await rewrite((entries) => void entries.push(toEntry("deployment.sqlite")));
		await expectRefusal("archive_unsafe");
	});

	it("refuses a size that the disk has no room for, before it is written", async () => {
		const bytes = await packTar([toEntry("deployment.sqlite")]);
		// 2 to the power of 50, as GNU tar writes large numbers; then the sum of the header's bytes.
		bytes.set([0x80, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0], 124);
		bytes.fill(0x20, 148, 156);
		const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
		bytes.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
		writeFileSync(file, bytes);
		await expectRefusal("archive_no_space");
	});

	const changeManifest = (change: (manifest: Record<string, unknown>) => void) =>
		rewrite((entries) => {
			const last = entries.at(-1);
			if (last === undefined) return;
			const manifest = JSON.parse(new TextDecoder().decode(last.data));
			change(manifest);
			last.data = new TextEncoder().encode(JSON.stringify(manifest));
			last.header.size = last.data.length;
		});

	it("refuses a later format, and other counts than the manifest says", async () => {
		await changeManifest((manifest) => void Object.assign(manifest, { format_version: 2 }));
		await expectRefusal("archive_unsupported");
		await changeManifest((manifest) => void Object.assign(manifest, { parts: [] }));
		await expectRefusal("archive_damaged");
		await changeManifest(({ parts }) => {
			for (const part of parts as { tables: Record<string, number> }[]) part.tables.agents = 7;
		});
		await expectRefusal("archive_damaged");
	});

	it("refuses tables of a later version", async () => {
		const later = openForWriting(join(data, "workspaces", `${ID}.sqlite`), workspaceMigrations);
		later.database.exec("PRAGMA user_version = 999");
		later.close();
		await createBackup({ data }, file);
		await expectRefusal("archive_unsupported");
	});

	it("puts the backup of one workspace not in the place of another", async () => {
		copyFileSync(join(data, "workspaces", `${ID}.sqlite`), join(data, "workspaces", `${OTHER}.sqlite`));
		await expect(createBackup({ data }, file)).rejects.toMatchObject({ code: "storage_mismatch" });
	});
});
