import { expect, test } from "vitest";
import { createWorkspaceTurns } from "../fairness/workspace-queue";
import { createModelCallQueue } from "./model-call-queue";

test("a workspace has no more calls at once than it may, and waits for no other's", async () => {
	const queue = createModelCallQueue(2, createWorkspaceTurns());
	const started: string[] = [];
	const start = (workspace: string) =>
		queue.acquire(workspace, undefined).then((release) => {
			started.push(workspace);
			return release;
		});
	const [first, second, third] = [start("a"), start("a"), start("a")];
	await Promise.all([first, second, start("b")]);
	expect(started.toSorted()).toEqual(["a", "a", "b"]);
	(await first)();
	await third;
	expect(started.toSorted()).toEqual(["a", "a", "a", "b"]);
	await queue.stop();
});

test("a call whose caller has left is not made", async () => {
	const queue = createModelCallQueue(1, createWorkspaceTurns());
	const release = await queue.acquire("a", undefined);
	const released = new AbortController();
	const waiting = queue.acquire("a", released.signal);
	released.abort(new Error("left"));
	await expect(waiting).rejects.toThrow("left");
	release();
	await queue.stop();
});
