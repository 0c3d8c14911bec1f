import { expect, test } from "vitest";
import { createWorkspaceQueue } from "./workspace-queue";

const work = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

test("the refusal of work beyond the limit of its workspace names the setting", async () => {
	const queue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: 1,
		name: "searches",
		setting: "limits.waiting_searches",
	});
	const accepted = [queue.run("a", work), queue.run("a", work)];
	await expect(queue.run("a", work)).rejects.toMatchObject({
		code: "too_many_waiting",
		retryAfterSeconds: 1,
		hint: expect.stringContaining("limits.waiting_searches"),
	});
	await Promise.all([...accepted, queue.run("b", work)]);
});

test("work that has waited too long is refused", async () => {
	const queue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: 9,
		maxWaitMs: 10,
		name: "uploads",
		retryAfterSeconds: 5,
	});
	const first = queue.run("a", work);
	await expect(queue.run("a", work)).rejects.toMatchObject({
		code: "too_many_waiting",
		retryAfterSeconds: 5,
	});
	await first;
});
