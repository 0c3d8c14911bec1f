import { beforeEach, describe, expect, it } from "vitest";
import { addTask, type OpenedTasks, toPushConfig, toTask } from "./a2a-fixture";

const refuse = (): never => {
	throw new Error("No room.");
};

/** Contract that each store of a workspace's tasks keeps. @param open - an empty one. */
export function describeWorkspaceTasks(open: () => OpenedTasks): void {
	describe("a repository of the tasks of a workspace", () => {
		let opened: OpenedTasks;
		beforeEach(() => {
			opened = open();
		});

		const forAgent = (agentId: string, startedBy = "cl_1") => opened.tasks.forAgent({ agentId, startedBy });

		it("gives back a task with what its run says of it", async () => {
			const found = toTask("run_1", { status: "running", last_seq: 2, ended_at: null });
			await addTask(opened, found);
			expect(await opened.tasks.find("run_1")).toEqual(found);
			expect(await forAgent("ag_1").find("run_1")).toEqual(found);
			expect(await opened.tasks.find("run_2")).toBeUndefined();
		});

		it("shows an agent its own tasks alone, of all callers", async () => {
			await addTask(opened, toTask("run_1", { started_by: "cl_2" }));
			await addTask(opened, toTask("run_2", { agent_id: "ag_2" }));
			const tasks = forAgent("ag_1");
			expect([await tasks.find("run_1"), await tasks.find("run_2")]).toEqual([
				expect.objectContaining({ run_id: "run_1" }),
				undefined,
			]);
			expect(await tasks.list({}, { limit: 9 })).toMatchObject([{ run_id: "run_1" }]);
			expect(await tasks.count({})).toBe(1);
		});

		it("finds messages and conversations of the same caller alone", async () => {
			await addTask(opened, toTask("run_1", { message_key: "m" }));
			await addTask(opened, toTask("run_2", { message_key: "m", started_by: "cl_2" }));
			for (const [caller, run_id] of [
				["cl_1", "run_1"],
				["cl_2", "run_2"],
			] as const) {
				const tasks = forAgent("ag_1", caller);
				expect(await tasks.findByMessage("m")).toMatchObject({ run_id });
				expect(await tasks.findCompleted("ctx_1")).toMatchObject({ run_id });
			}
			expect(await forAgent("ag_2").findByMessage("m")).toBeUndefined();
			expect(await forAgent("ag_1", "cl_3").findByMessage("m")).toBeUndefined();
		});

		it("deletes a task with its run", async () => {
			await addTask(opened, toTask("run_1"));
			await opened.deleteRun("run_1");
			expect(await opened.tasks.find("run_1")).toBeUndefined();
		});
	});

	describe("a repository of tasks that are added with their runs", () => {
		it("tells which run the same caller has started with a message, and adds nothing then", async () => {
			const opened = open();
			const { tasks, pushConfigs } = opened;
			await addTask(opened, toTask("run_1", { message_key: "m" }));
			const again = toTask("run_2", { message_key: "m" });
			expect(await addTask(opened, again, toPushConfig("run_2"), refuse)).toEqual({
				...{ kind: "existing", runId: "run_1" },
			});
			expect(await tasks.find("run_2")).toBeUndefined();
			expect(await pushConfigs.list("run_2")).toEqual([]);
			for (const [id, other] of [
				["run_3", { started_by: "cl_2" }],
				["run_4", { agent_id: "ag_2" }],
			] as const)
				expect(await addTask(opened, toTask(id, { message_key: "m", ...other }))).toEqual({ kind: "new" });
			expect(await tasks.find("run_3")).toMatchObject({ started_by: "cl_2" });
			expect(await tasks.find("run_4")).toMatchObject({ agent_id: "ag_2" });
		});

		it("adds a task with its push configuration and its run, or none of them", async () => {
			const opened = open();
			const { tasks, pushConfigs } = opened;
			const refused = addTask(opened, toTask("run_1"), toPushConfig("run_1"), refuse);
			await expect(refused).rejects.toThrow("No room.");
			expect([await tasks.find("run_1"), await pushConfigs.list("run_1")]).toEqual([undefined, []]);
			await addTask(opened, toTask("run_1"), toPushConfig("run_1"));
			expect(await tasks.find("run_1")).toMatchObject({ run_id: "run_1" });
			expect(await pushConfigs.list("run_1")).toEqual([toPushConfig("run_1")]);
		});
	});
}
