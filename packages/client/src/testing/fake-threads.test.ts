import { expect, it } from "vitest";
import { createFakeStemma } from "../testing";
import type { ThreadMessage } from "../types/thread";

const read = (messages: readonly ThreadMessage[]) =>
	messages.map(({ role, text, status }) => [role, text, status]);

it("keeps what is said to an agent, which gets the branch before it", async () => {
	const inputs: unknown[] = [];
	const fake = createFakeStemma({ credential: "client_key" });
	fake.agents.on("desk", ({ input }) => {
		inputs.push(input);
		return "Five days.";
	});
	const { agents, threads } = fake.stemma;
	const { id: thread_id, token: thread_token } = await threads.create();
	const options = { thread_token };
	const stream = agents.stream("desk", { thread_id, input: "How long?" }, options);
	await stream.result();
	await agents.run("desk", { thread_id, input: "And then?" }, options);
	const { messages } = await threads.messages(thread_id, options);
	expect(read(messages)).toEqual([
		["user", "How long?", "completed"],
		["assistant", "Five days.", "completed"],
		["user", "And then?", "completed"],
		["assistant", "Five days.", "completed"],
	]);
	expect(messages[1]).toMatchObject({ run_id: stream.run_id, run_token: stream.run_token });
	expect(inputs).toEqual([
		"How long?",
		{
			messages: [
				{ role: "user", content: "How long?" },
				{ role: "assistant", content: "Five days." },
				{ role: "user", content: "And then?" },
			],
		},
	]);
	await agents.run("desk", { thread_id, regenerate_of: messages[1]?.id ?? "" }, options);
	expect(inputs.at(-1)).toBe("How long?");
	await agents.run("desk", { thread_id, parent_id: null, input: "How much?" }, options);
	expect(inputs.at(-1)).toBe("How much?");
	const branches = (await threads.messages(thread_id, options)).messages.filter(
		({ text }) => text !== "Five days.",
	);
	expect(branches.map(({ parent_id }) => parent_id)).toEqual([null, messages[1]?.id, null]);
	const branch = await threads.messages(thread_id, { ...options, branch: messages[1]?.id });
	expect(read(branch.messages)).toEqual(read(messages.slice(0, 2)));
	expect(await threads.get(thread_id, options)).toMatchObject({ title: "How long?", message_count: 7 });
	await threads.delete(thread_id, options);
	await expect(threads.get(thread_id, options)).rejects.toMatchObject({ code: "thread_not_found" });
});

it("keeps questions about documents", async () => {
	const questions: unknown[] = [];
	const fake = createFakeStemma();
	fake.ask.on(({ question, history }) => {
		questions.push([question, history?.length]);
		return { answer: "Five days.", passages: [] };
	});
	const { ask, threads } = fake.stemma;
	const { id: thread_id, token } = await threads.create({ title: "Refunds" });
	expect(token).toBeUndefined();
	const first = await ask({ question: "How long?", thread_id });
	expect(first).toMatchObject({ thread_id, message_id: expect.stringMatching(/^msg_/) });
	await ask({ question: "And then?", thread_id });
	await ask({ thread_id, regenerate_of: first.message_id ?? "" });
	expect(questions).toEqual([
		["How long?", 0],
		["And then?", 2],
		["How long?", 0],
	]);
	const all = await threads.messages(thread_id);
	expect([all.messages.length, all.has_more, all.next]).toEqual([5, false, null]);
	const page = await threads.messages(thread_id, { limit: 3 });
	expect(page).toMatchObject({
		messages: all.messages.slice(0, 3),
		has_more: true,
		next: page.messages[2]?.id,
	});
	const rest = await threads.messages(thread_id, { after: page.next ?? "" });
	expect(rest).toMatchObject({ messages: all.messages.slice(3), has_more: false });
	const stored = await ask({ question: "And now?", thread_id, store: true });
	expect((await threads.messages(thread_id)).messages.at(-1)).toMatchObject({ answer_id: stored.answer_id });
});

it("refuses what the service would", async () => {
	const fake = createFakeStemma({ credential: "client_key", agents: { desk: "Five days." } });
	const { agents, threads } = fake.stemma;
	const { id: thread_id, token: thread_token } = await threads.create();
	const run = (request: object, options = { thread_token }) =>
		agents.run("desk", { thread_id, input: "How long?", ...request }, options);
	await expect(run({}, { thread_token: "tht_other" })).rejects.toMatchObject({ code: "thread_not_found" });
	await expect(run({ parent_id: "msg_9" })).rejects.toMatchObject({ code: "message_not_found" });
	await expect(run({ if_active: "wait" })).rejects.toMatchObject({ code: "invalid_request" });
	await expect(threads.list()).rejects.toMatchObject({ code: "not_allowed_for_client_key" });
});
