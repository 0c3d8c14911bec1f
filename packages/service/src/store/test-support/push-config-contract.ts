import { beforeEach, describe, expect, it } from "vitest";
import type { PushConfigContext, StoredPushConfig } from "../../a2a/repositories/push-config-repository";
import { addTask, type OpenedTasks, toPushConfig, toTask } from "./a2a-fixture";

/** Contract that each store of push configurations keeps. @param open - an empty one. */
export function describePushConfigRepository(open: () => OpenedTasks): void {
	describe("a repository of push configurations", () => {
		let opened: OpenedTasks;
		beforeEach(async () => {
			opened = open();
			for (const id of ["run_1", "run_2"]) await addTask(opened, toTask(id));
		});

		const put = (config: StoredPushConfig) => opened.pushConfigs.replace(config, () => config);
		const find = (run_id: string, id = "push") => opened.pushConfigs.find({ run_id, id });

		it("gives back what was stored last, by task and id", async () => {
			const [config, other] = [toPushConfig("run_1"), toPushConfig("run_2", { visibility: "answer" })];
			for (const each of [config, other, toPushConfig("run_1", { id: "a" })]) await put(each);
			expect([await find("run_1"), await find("run_2")]).toEqual([config, other]);
			expect(await find("run_1", "b")).toBeUndefined();
			const open = { scheme: null, secrets: null, is_finished: true, delivered_seq: 3, created_at: 2 };
			const replaced = toPushConfig("run_1", { ...open, url: "https://other.example", set_by: "cl_2" });
			await put(replaced);
			expect(await find("run_1")).toEqual(replaced);
			expect((await opened.pushConfigs.list("run_1")).map(({ id }) => id)).toEqual(["a", "push"]);
			expect(await find("run_2")).toEqual(other);
		});

		it("says what is stored to what creates a configuration, which may refuse", async () => {
			const contexts: PushConfigContext[] = [];
			const existing = toPushConfig("run_1");
			for (const id of ["push", "a", "push"])
				await opened.pushConfigs.replace({ run_id: "run_1", id }, (context) => {
					contexts.push(context);
					return toPushConfig("run_1", { id });
				});
			const run = { status: "completed", lastSeq: 3 };
			expect(contexts).toEqual([
				{ count: 0, run },
				{ count: 1, run },
				{ count: 2, run, existing },
			]);
			const refused = opened.pushConfigs.replace({ run_id: "run_2", id: "push" }, () => {
				throw new Error("Too many.");
			});
			await expect(refused).rejects.toThrow("Too many.");
			expect(await opened.pushConfigs.list("run_2")).toEqual([]);
		});

		it("deletes a configuration, and all of a task with its run", async () => {
			for (const id of ["a", "b"]) await put(toPushConfig("run_1", { id }));
			await put(toPushConfig("run_2"));
			await opened.pushConfigs.delete({ run_id: "run_1", id: "a" });
			expect(await opened.pushConfigs.list("run_1")).toMatchObject([{ id: "b" }]);
			await opened.deleteRun("run_1");
			expect(await opened.pushConfigs.list("run_1")).toEqual([]);
			expect(await find("run_2")).toBeDefined();
		});

		it("lists what has something left to deliver, until it is finished", async () => {
			for (const id of ["run_1", "run_2"]) await put(toPushConfig(id));
			const [one, other] = ["run_1", "run_2"].map((run_id) => ({ run_id, id: "push" }));
			expect(await opened.pushConfigs.listPending()).toEqual([one, other]);
			await opened.pushConfigs.finish({ run_id: "run_1", id: "push" });
			expect(await opened.pushConfigs.listPending()).toEqual([other]);
			expect(await find("run_1")).toEqual(toPushConfig("run_1", { is_finished: true, secrets: null }));
		});

		it("finishes all that a client has set, and tells which had something left", async () => {
			await put(toPushConfig("run_1"));
			await put(toPushConfig("run_1", { id: "finished", is_finished: true }));
			await put(toPushConfig("run_2", { set_by: "cl_2" }));
			const { finishAllOf } = opened.pushConfigs;
			expect(await finishAllOf("cl_1")).toEqual([{ run_id: "run_1", id: "push" }]);
			expect(await finishAllOf("cl_1")).toEqual([]);
			expect(await find("run_1")).toMatchObject({ is_finished: true, secrets: null });
			expect(await find("run_2")).toEqual(toPushConfig("run_2", { set_by: "cl_2" }));
		});

		it("records how far a receiver is, unless its configuration was replaced or deleted", async () => {
			const config = toPushConfig("run_1");
			await put(config);
			const { advance } = opened.pushConfigs;
			expect(await advance(config, 2, false)).toBe(true);
			expect(await find("run_1")).toEqual({ ...config, delivered_seq: 2 });
			const replaced = toPushConfig("run_1", { created_at: 2 });
			await put(replaced);
			expect(await advance(config, 3, true)).toBe(false);
			expect(await find("run_1")).toEqual(replaced);
			expect(await advance(replaced, 3, true)).toBe(true);
			const finished = { ...replaced, delivered_seq: 3, is_finished: true, secrets: null };
			expect(await find("run_1")).toEqual(finished);
			await opened.pushConfigs.delete(replaced);
			expect(await advance(replaced, 4, false)).toBe(false);
		});
	});
}
