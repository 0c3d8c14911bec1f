import { DAY_MS } from "../../../usage/day";
import { openFileDatabase } from "../../test-support/file-database";
import { describeStorageRepository, type OpenedStorage } from "../../test-support/storage-contract";
import { type WorkspaceTables, workspaceMigrations } from "../../workspace-tables";
import { createStorageRepository } from "./storage-repository";

async function open(now: number, days: number): Promise<OpenedStorage> {
	const database = openFileDatabase<WorkspaceTables>(workspaceMigrations);
	const { prepare } = database.file;
	const insert = prepare(
		"INSERT INTO runs (id, agent_id, agent_slug, agent_version, status, background, started_by, created_at, ended_at, last_seq) VALUES (?, 'ag', 'a', 1, ?, 0, 'cl', ?, ?, 1)",
	);
	const insertResponse = prepare(
		"INSERT INTO responses (id, owner, background, status, created_at, bytes, head, input, outcome) VALUES (?, 'cl', 0, ?, ?, 0, '{}', '[]', '{}')",
	);
	for (let age = days - 1; age >= 0; age--) {
		const at = now - age * DAY_MS;
		const isEnded = age > 1;
		insert.run(`run_${at}`, isEnded ? "completed" : "paused", at, isEnded ? at : null);
		insertResponse.run(`resp_${at}`, isEnded ? "completed" : "in_progress", at);
	}
	async function listAges(table: "runs" | "responses"): Promise<readonly number[]> {
		const rows = await database.read.selectFrom(table).select("created_at").orderBy("id").execute();
		return rows.map(({ created_at }) => (now - created_at) / DAY_MS);
	}
	return {
		repository: createStorageRepository(database),
		listRuns: () => listAges("runs"),
		listResponses: () => listAges("responses"),
		async addBytes(bytes) {
			prepare("INSERT INTO run_events SELECT id, 1, ? FROM runs LIMIT 1").run("x".repeat(bytes));
		},
		async removeBytes() {
			prepare("DELETE FROM run_events").run();
		},
		close: database.close,
	};
}

describeStorageRepository(open);
