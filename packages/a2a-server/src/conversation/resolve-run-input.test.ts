import { expect, it } from "vitest";
import { completed, failed, started, type TestRunEvent } from "../test-support/run-events";
import { createMessage, createTestAgent } from "../test-support/test-agent";
import { CONVERSATION_LIMITS } from "./read-turns";

const RETURN_IMMEDIATELY = { returnImmediately: true };

/** An agent in whose runs happens only what is told, and what its runs were given. */
function createAgent() {
	const { call, store } = createTestAgent({ script: [] });
	const send = async (text: string, more: object = { contextId: "c" }): Promise<string> => {
		const params = { message: createMessage(text, more), configuration: RETURN_IMMEDIATELY };
		return (await call("SendMessage", params)).result.task.id;
	};
	return {
		call,
		store,
		send,
		/** Asks, and the run ends so. */
		async runConversation(text: string, end: TestRunEvent, more?: object): Promise<void> {
			store.emit(await send(text, more), started, end);
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
	const { runConversation, send, lastInput } = createAgent();
	await runConversation("How long?", completed("Five days."));
	expect(lastInput()).toBe("How long?");
	await runConversation("And abroad?", completed({ days: 9 }));
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
	let created = 0;
	const { call, store } = createTestAgent({ createContextId: () => `secret ${++created}` });
	const { result } = await call("SendMessage", { message: createMessage("a?") });
	expect(result.task.contextId).toBe("secret 1");
	await call("SendMessage", { message: createMessage("b?", { contextId: result.task.contextId }) });
	expect(store.starts[1]).toMatchObject({ contextId: "secret 1", input: { messages: [{}, {}, {}] } });
	expect(created).toBe(1);
});

it("keeps contexts apart, and messages without one", async () => {
	const { runConversation, send, lastInput } = createAgent();
	await runConversation("a?", completed("a."));
	await send("b?", { contextId: "another" });
	expect(lastInput()).toBe("b?");
	await send("c?", {});
	expect(lastInput()).toBe("c?");
});

it("leaves out what failed, what is under way, and what has no text", async () => {
	const { runConversation, send, lastContents } = createAgent();
	await runConversation("a?", completed("a."));
	await runConversation("b?", failed("half"));
	await send("c?");
	await runConversation("d?", completed(null));
	await runConversation("e?", completed(" "));
	await send("f?");
	expect(lastContents()).toEqual(["a?", "a.", "f?"]);
});

it("gives data as it came, and remembers it", async () => {
	const { runConversation, send, lastInput, lastContents } = createAgent();
	await runConversation("a?", completed("a."));
	await runConversation("", completed("b."), { contextId: "c", parts: [{ data: { query: "b" } }] });
	expect(lastInput()).toEqual({ query: "b" });
	await send("c?");
	expect(lastContents()).toEqual(["a?", "a.", '{"query":"b"}', "b.", "c?"]);
});

it("keeps the history of a task to its own message", async () => {
	const { runConversation, send, call } = createAgent();
	await runConversation("a?", completed("a."));
	const id = await send("b?");
	const { result } = await call("GetTask", { id });
	expect(result.history).toMatchObject([{ parts: [{ text: "b?" }], taskId: id }]);
});

it("reads no conversation for the same message again", async () => {
	const { call, store, runConversation } = createAgent();
	await runConversation("a?", completed("a."));
	const message = createMessage("b?", { contextId: "c" });
	for (const _ of [1, 2]) await call("SendMessage", { message, configuration: RETURN_IMMEDIATELY });
	expect(store.conversationReads).toEqual(["run_1"]);
});

it("goes on with the last tasks, and reads no more of them", async () => {
	const { runConversation, send, lastContents, store } = createAgent();
	const { tasks } = CONVERSATION_LIMITS;
	for (let number = 1; number <= tasks + 1; number++)
		await runConversation(`${number}?`, completed(`${number}.`));
	store.conversationReads.splice(0);
	await send("now?");
	const contents = lastContents() as string[];
	expect(contents).toHaveLength(2 * tasks + 1);
	expect(contents.slice(0, 2)).toEqual(["2?", "2."]);
	expect(store.conversationReads).toHaveLength(tasks);
});

it("goes on with whole turns of so many characters, from the last on", async () => {
	const { runConversation, send, lastContents, store } = createAgent();
	const half = "x".repeat(CONVERSATION_LIMITS.characters / 2 - 2);
	await runConversation("before", completed("before."));
	await runConversation("a?", completed(`${half}!`));
	await runConversation("b?", completed(half));
	store.conversationReads.splice(0);
	await send("c?");
	expect(lastContents()).toEqual(["b?", half, "c?"]);
	// What does not fit ends it: no older turn takes its place.
	expect(store.conversationReads).toEqual(["run_3", "run_2"]);
	await runConversation("d?", completed("d."), { contextId: "full" });
	await runConversation("e?", completed("y".repeat(CONVERSATION_LIMITS.characters - 6)), {
		contextId: "full",
	});
	await send("f?", { contextId: "full" });
	expect((lastContents() as string[]).length).toBe(5);
});
