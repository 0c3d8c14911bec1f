import type { A2aMessage, A2aTask } from "@stemma/client/a2a";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBody } from "../test-support/tenant";
import {
	type A2aFixture,
	call,
	type RpcOptions,
	sendMessage,
	startA2aFixture,
	toMessage,
} from "./test-support/a2a-fixture";

let fixture: A2aFixture;
let mine: string;
let others: string;
beforeAll(async () => {
	fixture = await startA2aFixture(built);
	[mine, others] = await Promise.all([fixture.makeKey(), fixture.makeKey()]);
});
afterAll(() => fixture.close());

/** Says something, gets this answer, and tells with what the model was asked. */
async function converse(
	text: string,
	{
		answer = `To ${text}`,
		more,
		...options
	}: RpcOptions & { answer?: string; more?: Partial<A2aMessage> } = {},
): Promise<{ readonly task: A2aTask; readonly prompts: readonly unknown[] }> {
	fixture.vendor.enqueue({ kind: "reply", text: answer });
	const task = await sendMessage(fixture, toMessage(text, more), { configuration: {}, ...options });
	expect(task.status.state).toBe("TASK_STATE_COMPLETED");
	const messages = fixture.vendor.requests.at(-1)?.body?.messages as { role: string; content: unknown }[];
	const prompts = messages.filter(({ role }) => role !== "system").map(({ content }) => content);
	return { task, prompts };
}

async function addClient(): Promise<string> {
	const json = { name: "another", scopes: ["agents:run"] };
	const made = await getBody<{ id: string; client_secret: string }>(
		fixture.send("POST", "/v1/clients", { json }),
	);
	const form = new URLSearchParams({
		grant_type: "client_credentials",
		client_id: made.id,
		client_secret: made.client_secret,
	});
	return (
		await getBody<{ access_token: string }>(fixture.send("POST", "/oauth/token", { form, token: null }))
	).access_token;
}

describe("a message of a server goes on with its context", () => {
	it("by what was said and answered there, also after a restart", async () => {
		const more = { contextId: "conversation" };
		await converse("One?", { more });
		await fixture.restart();
		const { task, prompts } = await converse("Two?", { more });
		expect(prompts).toEqual(["One?", "To One?", "Two?"]);
		expect(fixture.vendor.requests.at(-1)?.body?.messages).toContainEqual(
			expect.objectContaining({ role: "assistant", content: "To One?" }),
		);
		const { result } = await call<A2aTask>(fixture, "GetTask", { id: task.id });
		expect(result).toEqual(task);
		expect(result.history).toMatchObject([{ parts: [{ text: "Two?" }] }]);
	});

	it("that the service has made", async () => {
		const { task } = await converse("One?");
		expect(task.contextId).toMatch(/^ctx_\w{26}$/);
		const { prompts } = await converse("Two?", { more: { contextId: task.contextId } });
		expect(prompts).toEqual(["One?", "To One?", "Two?"]);
	});

	it("without what was stopped, what is under way, and what another agent was asked", async () => {
		const graph = { nodes: [{ id: "other", kind: "coordinator" }] };
		await getBody(fixture.send("POST", "/v1/agents", { json: { graph, slug: "other" } }));
		const more = { contextId: "mixed" };
		await converse("One?", { more });
		await converse("Elsewhere?", { more, agent: "other" });
		const stalled = {
			kind: "reply",
			text: "Half of an answer.",
			fault: { kind: "stall", after: 3 },
		} as const;
		fixture.vendor.enqueue(stalled, { kind: "silence" });
		const { id } = await sendMessage(fixture, toMessage("Stop?", more));
		await expect
			.poll(async () => (await call<A2aTask>(fixture, "GetTask", { id })).result.artifacts)
			.toBeDefined();
		const stopped = await call<A2aTask>(fixture, "CancelTask", { id });
		expect(stopped.result).toMatchObject({ status: { state: "TASK_STATE_CANCELED" }, artifacts: [{}] });
		const running = await sendMessage(fixture, toMessage("Running?", more));
		await expect.poll(() => fixture.vendor.requests.at(-1)?.isAnswered).toBe(false);
		expect((await converse("Two?", { more })).prompts).toEqual(["One?", "To One?", "Two?"]);
		await call(fixture, "CancelTask", { id: running.id });
	});

	it("of its own: that of another server, or of a page, is another conversation", async () => {
		const token = await addClient();
		const { task } = await converse("Theirs?", { token: mine });
		for (const contextId of [task.contextId, "shared"]) {
			const more = { contextId };
			expect((await converse("Ours?", { more })).prompts).toEqual(["Ours?"]);
			expect((await converse("Another's?", { more, token })).prompts).toEqual(["Another's?"]);
			expect((await converse("Ours again?", { more })).prompts).toEqual(["Ours?", "To Ours?", "Ours again?"]);
		}
	});
});

describe("a message of a client key", () => {
	it("goes on with the context that it was given, also after a restart", async () => {
		const { task } = await converse("One?", { token: mine });
		await fixture.restart();
		const { prompts } = await converse("Two?", { token: mine, more: { contextId: task.contextId } });
		expect(prompts).toEqual(["One?", "To One?", "Two?"]);
	});

	it("begins anew in any other: chosen, cut, forged, of a server, or of another key", async () => {
		const { task: own } = await converse("Secret?", { token: mine });
		const { task: second } = await converse("Secret?", { token: mine });
		const { task: servers } = await converse("Secret?");
		const { task: theirs } = await converse("Secret?", { token: others });
		const [id = "", token = ""] = own.contextId.split(".");
		const contextIds = [
			"chosen",
			id,
			`${id}.`,
			`${id}.${token.slice(0, -1)}`,
			`${id}.${second.contextId.split(".")[1]}`,
			servers.contextId,
			theirs.contextId,
		];
		for (const contextId of contextIds)
			for (const text of ["Known?", "Still not?"]) {
				const { task, prompts } = await converse(text, { token: mine, more: { contextId } });
				expect([prompts, task.contextId]).toEqual([[text], contextId]);
			}
	});

	it("is another one in another context, though visitors say the same under the same id", async () => {
		const visitors = [];
		for (const text of ["My dog bites.", "My cat scratches."])
			visitors.push((await converse(text, { token: mine })).task);
		const message = { messageId: "the same id for all of them" };
		const seen = [];
		for (const { contextId } of visitors) {
			const more = { ...message, contextId };
			seen.push((await converse("And what now?", { token: mine, more })).prompts[0]);
		}
		expect(seen).toEqual(["My dog bites.", "My cat scratches."]);
	});

	const sendTwice = async (message: A2aMessage, [first, second]: readonly (string | undefined)[]) => {
		const send = (visitor: string | undefined) =>
			call<{ task: A2aTask }>(
				fixture,
				"SendMessage",
				{ message, configuration: { returnImmediately: true } },
				{ token: mine, headers: visitor === undefined ? {} : { "stemma-visitor": visitor } },
			);
		return [await send(first), await send(second)] as const;
	};
	const [ada, bob] = ["a".repeat(32), "b".repeat(32)];

	it.each([
		["a number", { messageId: "1" }],
		["a long one", { messageId: "the first message of a page" }],
		["a number in a context that the page has chosen", { messageId: "1", contextId: "main" }],
	])("is that of one visitor, whatever its id: %s", async (_, more) => {
		const message = toMessage("Hello?", more);
		const [sameVisitor, again] = await sendTwice(message, [ada, ada]);
		expect(again.result.task.id).toBe(sameVisitor.result.task.id);
		const [theirs] = await sendTwice(message, [bob, bob]);
		expect(theirs.result.task.id).not.toBe(sameVisitor.result.task.id);
	});

	it.each([
		["a number", { messageId: "2" }],
		["a short one", { messageId: "m".repeat(15) }],
		["a number in a context that the page has chosen", { messageId: "2", contextId: "main" }],
	])("without a visitor is another one each time: %s", async (_, more) => {
		const [first, second] = await sendTwice(toMessage("Hello?", more), []);
		expect(second.result.task.id).not.toBe(first.result.task.id);
	});

	it("without a visitor is refused the second time, where its id may be a secret", async () => {
		const [first, second] = await sendTwice(toMessage("Hello?", { messageId: "m".repeat(16) }), []);
		expect(first.result.task.id).toMatch(/^run_/);
		expect(second.error).toMatchObject({ data: [{ metadata: { code: "message_id_reused" } }] });
	});

	it("that names its context is known again by any id", async () => {
		const { task } = await converse("Hello?", { token: mine });
		const message = toMessage("And?", { messageId: "1", contextId: task.contextId });
		const send = () => sendMessage(fixture, message, { token: mine });
		expect((await send()).id).toBe((await send()).id);
	});
});
