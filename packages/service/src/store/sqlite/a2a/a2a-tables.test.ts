import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openForWriting } from "../../sqlite-file";
import { workspaceMigrations } from "../../workspace-tables";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-tables-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const RUN = `INSERT INTO runs
	(id, agent_id, agent_slug, agent_version, status, background, started_by, created_at, ended_at, last_seq)
	VALUES (?, 'ag_1', 'desk', 1, 'completed', 0, 'cl_1', 1, 2, 3)`;
const TASK = `INSERT INTO a2a_tasks (run_id, agent_id, started_by, context_id, message_key, message)
	VALUES (?, 'ag_1', 'cl_1', 'context', ?, '{}')`;

it("a file of the version before is brought up to date, and keeps what it has", () => {
	const path = join(folder, "workspace.sqlite");
	const before = openForWriting(path, workspaceMigrations.slice(0, 1));
	before.execute(RUN, ["run_1"]);
	before.close();
	const after = openForWriting(path, workspaceMigrations);
	expect(after.execute("SELECT id FROM runs", []).rows).toEqual([{ id: "run_1" }]);
	after.execute(TASK, ["run_1", "message"]);
	expect(() => after.execute(TASK, ["run_2", "other"])).toThrow();
	after.close();
});

it("tasks of a file of before have the times of their runs", () => {
	const path = join(folder, "workspace.sqlite");
	const before = openForWriting(path, workspaceMigrations.slice(0, 4));
	before.execute("BEGIN", []);
	before.execute(TASK, ["run_1", "message"]);
	before.execute(RUN, ["run_1"]);
	before.execute("COMMIT", []);
	before.close();
	const after = openForWriting(path, workspaceMigrations);
	expect(after.execute("SELECT run_id, status_at FROM a2a_tasks", []).rows).toEqual([
		{ run_id: "run_1", status_at: 2 },
	]);
	after.close();
});

it("a task has a run, and a message of a caller one task", () => {
	const file = openForWriting(join(folder, "workspace.sqlite"), workspaceMigrations);
	file.execute("BEGIN", []);
	file.execute(TASK, ["run_1", "message"]);
	file.execute(RUN, ["run_1"]);
	file.execute("COMMIT", []);
	file.execute(RUN, ["run_2"]);
	expect(() => file.execute(TASK, ["run_2", "message"])).toThrow();
	file.execute("DELETE FROM runs WHERE id = 'run_1'", []);
	expect(file.execute("SELECT * FROM a2a_tasks", []).rows).toEqual([]);
	file.close();
});
