import { expect, it } from "vitest";
import { completed, failed, type Happening, started } from "../test-support/run-events";
import { ask, createTestAgent } from "../test-support/test-agent";
import { CONVERSATION_LIMITS } from "./read-turns";

const AT_ONCE = { returnImmediately: true };

/** An agent in whose runs happens only what is told, and what its runs were given. */
function createAgent() {
	const { call, store } = createTestAgent({ script: [] });
	const send = async (text: string, more: object = { contextId: "c" }): Promise<string> => {
		const params = { message: ask(text, more), configuration: AT_ONCE };
		return (await call("SendMessage", params)).result.task.id;
	};
	return {
		call,
		store,
		send,
		/** Asks, and the run ends so. */
		async converse(text: string, end: Happening, more?: object): Promise<void> {
			store.tell(await send(text, more), started, end);
		},
		lastInput: () => store.starts.at(-1)?.input,
		/** The contents of the messages that the last run was given. */
		lastContents(): unknown {
			const input = store.starts.at(-1)?.input as { messages: { content: string }[] };
			return input.messages.map(({ content }) => content);
		},
	};
}

it("begins with the message alone, and goes on with all that was answered", async () => {
	const { converse, send, lastInput } = createAgent();
	await converse("How long?", completed("Five days."));
	expect(lastInput()).toBe("How long?");
	await converse("And abroad?", completed({ days: 9 }));
	await send("Thanks.");
	expect(lastInput()).toEqual({
		messages: [
			{ role: "user", content: "How long?" },
			{ role: "assistant", content: "Five days." },
			{ role: "user", content: "And abroad?" },
			{ role: "assistant", content: '{"days":9}' },
			{ role: "user", content: "Thanks." },
		],
	});
});

it("goes on with the context that the server has made", async () => {
	let made = 0;
	const { call, store } = createTestAgent({ createContextId: () => `secret ${++made}` });
	const { result } = await call("SendMessage", { message: ask("a?") });
	expect(result.task.contextId).toBe("secret 1");
	await call("SendMessage", { message: ask("b?", { contextId: result.task.contextId }) });
	expect(store.starts[1]).toMatchObject({ contextId: "secret 1", input: { messages: [{}, {}, {}] } });
	expect(made).toBe(1);
});

it("keeps contexts apart, and messages without one", async () => {
	const { converse, send, lastInput } = createAgent();
	await converse("a?", completed("a."));
	await send("b?", { contextId: "another" });
	expect(lastInput()).toBe("b?");
	await send("c?", {});
	expect(lastInput()).toBe("c?");
});

it("leaves out what failed, what is under way, and what has no text", async () => {
	const { converse, send, lastContents } = createAgent();
	await converse("a?", completed("a."));
	await converse("b?", failed("half"));
	await send("c?");
	await converse("d?", completed(null));
	await converse("e?", completed(" "));
	await send("f?");
	expect(lastContents()).toEqual(["a?", "a.", "f?"]);
});

it("gives data as it came, and remembers it", async () => {
	const { converse, send, lastInput, lastContents } = createAgent();
	await converse("a?", completed("a."));
	await converse("", completed("b."), { contextId: "c", parts: [{ data: { query: "b" } }] });
	expect(lastInput()).toEqual({ query: "b" });
	await send("c?");
	expect(lastContents()).toEqual(["a?", "a.", '{"query":"b"}', "b.", "c?"]);
});

it("keeps the history of a task to its own message", async () => {
	const { converse, send, call } = createAgent();
	await converse("a?", completed("a."));
	const id = await send("b?");
	const { result } = await call("GetTask", { id });
	expect(result.history).toMatchObject([{ parts: [{ text: "b?" }], taskId: id }]);
});

it("reads no conversation for the same message again", async () => {
	const { call, store, converse } = createAgent();
	await converse("a?", completed("a."));
	const message = ask("b?", { contextId: "c" });
	for (const _ of [1, 2]) await call("SendMessage", { message, configuration: AT_ONCE });
	expect(store.conversed).toEqual(["run_1"]);
});

it("goes on with the last tasks, and reads no more of them", async () => {
	const { converse, send, lastContents, store } = createAgent();
	const { tasks } = CONVERSATION_LIMITS;
	for (let number = 1; number <= tasks + 1; number++) await converse(`${number}?`, completed(`${number}.`));
	store.conversed.splice(0);
	await send("now?");
	const contents = lastContents() as string[];
	expect(contents).toHaveLength(2 * tasks + 1);
	expect(contents.slice(0, 2)).toEqual(["2?", "2."]);
	expect(store.conversed).toHaveLength(tasks);
});

it("goes on with whole turns of so many characters, from the last on", async () => {
	const { converse, send, lastContents, store } = createAgent();
	const half = "x".repeat(CONVERSATION_LIMITS.characters / 2 - 2);
	await converse("before", completed("before."));
	await converse("a?", completed(`${half}!`));
	await converse("b?", completed(half));
	store.conversed.splice(0);
	await send("c?");
	expect(lastContents()).toEqual(["b?", half, "c?"]);
	// What does not fit ends it: no older turn takes its place.
	expect(store.conversed).toEqual(["run_3", "run_2"]);
	await converse("d?", completed("d."), { contextId: "full" });
	await converse("e?", completed("y".repeat(CONVERSATION_LIMITS.characters - 6)), { contextId: "full" });
	await send("f?", { contextId: "full" });
	expect((lastContents() as string[]).length).toBe(5);
});
