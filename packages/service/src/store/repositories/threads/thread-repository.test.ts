import { expect, it } from "vitest";
import { openMemoryDatabase } from "../../../http/test-support/memory-database";
import type { Database } from "../../database";
import { toNewThread, toNewTurn } from "../../test-support/thread-fixture";
import { type WorkspaceTables, workspaceMigrations } from "../../workspace-tables";
import { createThreadRepository } from "./thread-repository";

it("reads lists of threads and of messages in a reading thread", async () => {
	const database = openMemoryDatabase<WorkspaceTables>(workspaceMigrations);
	const names: string[] = [];
	const readJob: Database<WorkspaceTables>["readJob"] = (name, input) => {
		names.push(name);
		return database.readJob(name, input);
	};
	const threads = createThreadRepository({ ...database, readJob });
	await threads.insert(toNewThread("thr_1"), () => undefined);
	await threads.appendTurn(toNewTurn(1));
	expect(await threads.list({ limit: 9, query: "question", owner: "cl_1", after: "thr_2" })).toHaveLength(1);
	expect(await threads.listMessages("thr_1")).toHaveLength(2);
	expect(await threads.listBranch("thr_1", "a1")).toHaveLength(2);
	expect(names).toEqual(["listThreads", "listThreadMessages", "listThreadBranch"]);
});
