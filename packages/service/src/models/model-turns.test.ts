import { expect, test } from "vitest";
import { createMainThreadTurns } from "../fairness/main-thread-turns";
import { createModelTurns } from "./model-turns";

test("a workspace has no more calls at once than it may, and waits for no other's", async () => {
	const turns = createModelTurns(2, createMainThreadTurns());
	const started: string[] = [];
	const start = (workspace: string) =>
		turns.enter(workspace, undefined).then((leave) => {
			started.push(workspace);
			return leave;
		});
	const [first, second, third] = [start("a"), start("a"), start("a")];
	await Promise.all([first, second, start("b")]);
	expect(started.toSorted()).toEqual(["a", "a", "b"]);
	(await first)();
	await third;
	expect(started.toSorted()).toEqual(["a", "a", "a", "b"]);
	await turns.stop();
});

test("a call whose caller has left is not made", async () => {
	const turns = createModelTurns(1, createMainThreadTurns());
	const leave = await turns.enter("a", undefined);
	const leaving = new AbortController();
	const waiting = turns.enter("a", leaving.signal);
	leaving.abort(new Error("left"));
	await expect(waiting).rejects.toThrow("left");
	leave();
	await turns.stop();
});
