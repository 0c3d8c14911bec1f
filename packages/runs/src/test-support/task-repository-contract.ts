import { A2aServerError } from "@stemma/a2a-server";
import { describe, expect, it } from "vitest";
import { listTasks, readConversation } from "../tasks/read-tasks";
import type { StoredTask, TaskFilter, TaskRepository } from "../tasks/task-repository";

/** Repository that the contract suite tests. */
export interface TasksUnderTest {
	readonly tasks: TaskRepository;
	add(task: StoredTask): Promise<void>;
}

const toTask = (number: number, more: Partial<StoredTask> = {}): StoredTask => ({
	run_id: `run_${number}`,
	context_id: "ctx_1",
	message_key: `m-${number}`,
	status: "completed",
	status_at: number,
	last_seq: 3,
	...more,
});

/** Tests that every repository of tasks passes. */
export function describeTaskRepository(name: string, open: () => Promise<TasksUnderTest>): void {
	describe(`${name} as a repository of tasks`, () => {
		async function openWith(...all: readonly StoredTask[]): Promise<TaskRepository> {
			const { tasks, add } = await open();
			for (const task of all) await add(task);
			return tasks;
		}

		const listIds = async (tasks: TaskRepository, filter: TaskFilter = {}): Promise<string[]> => {
			const found = await tasks.list(filter, { limit: 100 });
			expect(await tasks.count(filter)).toBe(found.length);
			return found.map(({ run_id }) => run_id);
		};

		it("finds a task by its run and by its message, and no other", async () => {
			const tasks = await openWith(toTask(1), toTask(2));
			expect(await tasks.find("run_2")).toMatchObject(toTask(2));
			expect(await tasks.findByMessage("m-1")).toMatchObject(toTask(1));
			expect(await tasks.find("run_x")).toBeUndefined();
			expect(await tasks.findByMessage("m-x")).toBeUndefined();
		});

		it("lists those whose status has changed last first, at one time by run", async () => {
			const tasks = await openWith(toTask(1, { status_at: 9 }), toTask(2), toTask(3, { status_at: 2 }));
			expect(await listIds(tasks)).toEqual(["run_1", "run_3", "run_2"]);
		});

		it("filters by conversation, time and state", async () => {
			const tasks = await openWith(
				toTask(1, { context_id: "ctx_2" }),
				toTask(2, { status: "failed" }),
				toTask(3, { status: "running" }),
				toTask(4, { status: "running", last_seq: 0 }),
				toTask(5, { status: "paused" }),
			);
			expect(await listIds(tasks, { contextId: "ctx_2" })).toEqual(["run_1"]);
			expect(await listIds(tasks, { changedSince: 4 })).toEqual(["run_5", "run_4"]);
			for (const [state, id] of [
				["TASK_STATE_COMPLETED", "run_1"],
				["TASK_STATE_FAILED", "run_2"],
				["TASK_STATE_WORKING", "run_3"],
				["TASK_STATE_SUBMITTED", "run_4"],
				["TASK_STATE_AUTH_REQUIRED", "run_5"],
			] as const)
				expect(await listIds(tasks, { state })).toEqual([id]);
			expect(await listIds(tasks, { state: "TASK_STATE_REJECTED" })).toEqual([]);
		});

		it("is paged without a gap, also where tasks change at one time", async () => {
			const tasks = await openWith(...[1, 2, 3, 4, 5].map((number) => toTask(number, { status_at: 7 })));
			const seen: string[] = [];
			let after: string | undefined;
			do {
				const page = await listTasks(tasks, { limit: 2, after }, ({ run_id }) => {
					seen.push(run_id);
					return { taskId: run_id, contextId: "", message: MESSAGE, createdAt: "", events: async () => [] };
				});
				expect(page.total).toBe(5);
				after = page.next;
			} while (after !== undefined);
			expect(seen).toEqual(["run_5", "run_4", "run_3", "run_2", "run_1"]);
			const refused = listTasks(tasks, { limit: 2, after: "odd" }, () => expect.unreachable());
			await expect(refused).rejects.toBeInstanceOf(A2aServerError);
		});

		it("reads what has completed in a conversation, newest first", async () => {
			const tasks = await openWith(
				toTask(1),
				toTask(2, { status: "failed" }),
				toTask(3, { status_at: 1 }),
				toTask(4, { context_id: "ctx_2" }),
			);
			const ids: string[] = [];
			for await (const { run_id } of readConversation(tasks, "ctx_1")) ids.push(run_id);
			expect(ids).toEqual(["run_3", "run_1"]);
		});
	});
}

const MESSAGE = { messageId: "m", role: "ROLE_USER", parts: [{ text: "" }] } as const;
