import type { Behaviour } from "@stemma/simulators/openai";
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, type AgentProgram, loadAgentProgram, textsOf } from "./clients/ag-ui-agent";
import { type Chat, type ChatProgram, loadChatProgram, partsOf, textOf } from "./clients/ai-sdk-chat";
import type { Target } from "./fixture";
import { readGuideRoute } from "./guide-route";
import { isInstalled, useServers } from "./use-servers";

// biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React
const servers = useServers();
const { enqueue, listCalls } = servers;
let chatProgram: ChatProgram;
let agentProgram: AgentProgram;
beforeAll(async () => {
	if (!isInstalled) return;
	[chatProgram, agentProgram] = await Promise.all([loadChatProgram(), loadAgentProgram()]);
});

let conversations = 0;
const openChat = ({ toUrl, fetch }: Target, agent: string, id = `odd-${conversations++}`): Chat =>
	chatProgram.openChat({ api: toUrl(agent, "ui"), fetch, id });
const openAgent = ({ toUrl, fetch }: Target, agent: string): Agent =>
	agentProgram.openAgent({ url: toUrl(agent, "ag-ui"), fetch, threadId: `odd-${conversations++}` });

const reply = (text: string, more: object = {}): Behaviour => ({ kind: "reply", text, ...more });
const refund = (order: number) => ({ id: `c${order}`, name: "refund", arguments: { order } });
const REFUNDS = reply("Let me see.", { reasoning: "Hm.", toolCalls: [refund(7), refund(8)] });

const listWaiting = (chat: Chat) =>
	partsOf(chat.messages.at(-1), "dynamic-tool").filter(({ state }) => state === "approval-requested");
const untilAnswered = (chat: Chat, text: string) =>
	expect
		.poll(() => [chat.status, chat.error, textOf(chat.messages.at(-1))])
		.toEqual(["ready", undefined, text]);
const statesOf = (chat: Chat) =>
	partsOf(chat.messages.at(-1), "dynamic-tool").map(({ input, state }) => [input, state]);

const toResume = ({ interrupts }: Agent, ...approved: readonly boolean[]) => ({
	resume: interrupts.map(({ id }, index) => ({
		interruptId: id,
		status: "resolved",
		payload: { approved: approved[index] },
	})),
});

describe.skipIf(!isInstalled).each(["service", "runtime"] as const)("against the %s", (name) => {
	const getTarget = (): Target => servers.fixture.targets[name];

	describe("useChat's chat", () => {
		it("decides on two calls that wait at once", async () => {
			enqueue(REFUNDS, reply("That is that."));
			const chat = openChat(getTarget(), "desk");
			await chat.send("Refund 7 and 8.");
			for (const [index, { approval }] of listWaiting(chat).entries())
				await chat.approve(approval?.id ?? "", index === 1);
			await untilAnswered(chat, "That is that.");
			expect(listCalls()).toEqual([{ order: 8 }]);
			expect(statesOf(chat)).toEqual([
				[{ order: 7 }, "output-denied"],
				[{ order: 8 }, "output-available"],
			]);
			expect(partsOf(chat.messages.at(-1), "reasoning").map(({ text }) => text)).toEqual(["Hm."]);
		});

		it("decides on a call that still waits when another one was decided elsewhere", async () => {
			enqueue(REFUNDS, reply("That is that."));
			const { sdk } = getTarget();
			const id = `odd-${conversations++}`;
			const chat = openChat(getTarget(), "desk", id);
			await chat.send("Refund 7 and 8.");
			const { run_id = "" } = chat.messages.at(-1)?.metadata ?? {};
			const [first] = listWaiting(chat);
			await sdk.runs.decide(run_id, first?.approval?.id ?? "", { decision: "approve" });
			await expect.poll(listCalls).toEqual([{ order: 7 }]);
			await expect.poll(() => sdk.runs.stream(run_id).result()).toMatchObject({ approvals: [{}] });
			const reloaded = openChat(getTarget(), "desk", id);
			await reloaded.resume();
			expect(statesOf(reloaded)).toEqual([
				[{ order: 7 }, "output-available"],
				[{ order: 8 }, "approval-requested"],
			]);
			await reloaded.approve(listWaiting(reloaded)[0]?.approval?.id ?? "", true);
			await untilAnswered(reloaded, "That is that.");
			expect(listCalls()).toEqual([{ order: 7 }, { order: 8 }]);
		});

		it("shows calls of a run that was cancelled while it waited as ended", async () => {
			enqueue(REFUNDS);
			const id = `odd-${conversations++}`;
			const chat = openChat(getTarget(), "desk", id);
			await chat.send("Refund 7 and 8.");
			await getTarget().sdk.runs.cancel(chat.messages.at(-1)?.metadata?.run_id ?? "");
			const reloaded = openChat(getTarget(), "desk", id);
			await reloaded.resume();
			expect(statesOf(reloaded)).toEqual([
				[{ order: 7 }, "output-error"],
				[{ order: 8 }, "output-error"],
			]);
			expect(reloaded.messages.at(-1)?.metadata).toMatchObject({ status: "cancelled" });
		});

		it("goes on behind an answer without text, and takes JSON as text", async () => {
			enqueue(reply(""), reply("Five days."));
			const chat = openChat(getTarget(), "plain");
			await chat.send("Well?");
			expect([chat.status, textOf(chat.messages.at(-1))]).toEqual(["ready", ""]);
			await chat.send("How long?");
			expect([chat.error, textOf(chat.messages.at(-1))]).toEqual([undefined, "Five days."]);
			enqueue(reply('{ "days": 5 }'));
			const form = openChat(getTarget(), "form");
			await form.send("How long?");
			expect([form.error, textOf(form.messages.at(-1))]).toEqual([undefined, '{"days":5}']);
		});

		it.each([
			["an umlaut and a blank", "größe 1"],
			["characters of Japanese", "日本"],
			["a percent sign", "100%"],
			["256 characters", "x".repeat(256)],
		])("is found by an id with %s", async (_, id) => {
			enqueue(reply("Hello."));
			await openChat(getTarget(), "plain", id).send("Hello?");
			const reloaded = openChat(getTarget(), "plain", id);
			await reloaded.resume();
			expect([reloaded.error, textOf(reloaded.messages[0])]).toEqual([undefined, "Hello."]);
		});

		it("is found by any id where the transport encodes it", async () => {
			const { toUrl, fetch } = getTarget();
			const open = () =>
				chatProgram.openChat({
					api: toUrl("plain", "ui"),
					fetch,
					id: "a/../b?c#d%41",
					prepareReconnectToStreamRequest: ({ api, id }) => ({
						api: `${api}/${encodeURIComponent(id)}/stream`,
					}),
				});
			enqueue(reply("Hello."));
			await open().send("Hello?");
			const reloaded = open();
			await reloaded.resume();
			expect([reloaded.error, textOf(reloaded.messages[0])]).toEqual([undefined, "Hello."]);
		});
	});

	describe("AG-UI's client", () => {
		it("decides on two calls that wait at once, and keeps the reasoning of each turn", async () => {
			enqueue(REFUNDS, reply("That is that."), REFUNDS, reply("That is all."));
			const agent = openAgent(getTarget(), "desk");
			for (const text of ["That is that.", "That is all."]) {
				await agent.run("Refund 7 and 8.");
				expect(agent.interrupts.map(({ metadata }) => metadata.stemma.arguments)).toEqual([
					{ order: 7 },
					{ order: 8 },
				]);
				await agent.run(undefined, toResume(agent, false, true));
				expect(textsOf(agent).at(-1)).toBe(text);
			}
			expect(listCalls()).toEqual([{ order: 8 }, { order: 8 }]);
			expect(agent.messages.map(({ role }) => role)).toEqual(
				[0, 1].flatMap(() => [
					...["user", "reasoning", "assistant", "tool", "assistant", "tool", "assistant"],
				]),
			);
		});

		it("takes JSON as text", async () => {
			enqueue(reply('{ "days": 5 }'));
			const agent = openAgent(getTarget(), "form");
			await agent.run("How long?");
			expect(textsOf(agent).at(-1)).toBe('{"days":5}');
		});
	});

	const post = async (protocol: "ui" | "ag-ui", body: object) => {
		const { toUrl, fetch } = getTarget();
		const headers = { "content-type": "application/json" };
		const response = await fetch(toUrl("plain", protocol), {
			method: "POST",
			headers,
			body: JSON.stringify(body),
		});
		return { status: response.status, text: await response.text() };
	};

	const nothing = { toString: 1 };
	it.each([
		["ui", { id: "c", messages: [{ role: nothing, parts: [] }] }, "messages[0].role"],
		["ui", { id: "c", messages: [{ role: "tool", parts: [] }] }, "messages[0].role"],
		["ui", { id: "c", messages: [{ role: "user", parts: [{ type: nothing }] }] }, "messages[0].parts[0]"],
		["ui", { id: "c".repeat(257), messages: [{ role: "user", parts: [] }] }, "id"],
		["ag-ui", { messages: [{ id: "m", role: nothing, content: "x" }] }, "messages[0].role"],
		["ag-ui", { messages: [{ id: "m", role: "user", content: [nothing] }] }, "messages[0].content[0]"],
		["ag-ui", { messages: [], resume: [{ interruptId: nothing }] }, "resume[0].interruptId"],
	] as const)("says what is wrong with a request in %s: %j", async (protocol, body, param) => {
		const ids = protocol === "ag-ui" ? { threadId: "t", runId: "r" } : {};
		const { status, text } = await post(protocol, { ...ids, ...body });
		expect([status, JSON.parse(text).error]).toEqual([
			400,
			expect.objectContaining({ code: "invalid_request", param }),
		]);
	});

	// The models that a runtime asks are behind chat completions, which have a limit.
	const outcome = name === "service" ? "Many." : "at most 5,000 items";

	it(`answers 10,000 messages in both protocols: ${outcome}`, async () => {
		const texts = Array.from({ length: 9_999 }, (_, n) => `Message ${n}.`);
		const toRole = (n: number) => (n % 2 === 0 ? "user" : "assistant");
		if (name === "service") enqueue(reply("Many."), reply("Many."));
		const chat = texts.map((text, n) => ({ role: toRole(n), parts: [{ type: "text", text }] }));
		const thread = texts.map((content, n) => ({ id: `m${n}`, role: toRole(n), content }));
		expect((await post("ui", { id: "many", messages: chat })).text).toContain(outcome);
		const input = { threadId: "t", runId: "r", messages: thread };
		expect((await post("ag-ui", input)).text).toContain(outcome);
	});
});

describe.skipIf(!isInstalled)("against the routes of docs/front-ends.md", () => {
	it("two calls that wait at once are decided", async () => {
		enqueue(REFUNDS, reply("That is that."), REFUNDS, reply("That is all."));
		const chatRoute = readGuideRoute(servers.fixture, "ai-sdk", "desk");
		const fetch: Target["fetch"] = (url, init) => chatRoute(new Request(url, init));
		const chat = chatProgram.openChat({ api: "http://app.test/api/chat", fetch });
		await chat.send("Refund 7 and 8.");
		for (const { approval } of listWaiting(chat)) await chat.approve(approval?.id ?? "", true);
		await untilAnswered(chat, "That is that.");
		expect(listCalls()).toEqual([{ order: 7 }, { order: 8 }]);

		const agentRoute = readGuideRoute(servers.fixture, "ag-ui", "desk");
		const agent = agentProgram.openAgent({
			url: "http://app.test/api/agent",
			fetch: (url, init) => agentRoute(new Request(url, init)),
			threadId: "guide",
		});
		await agent.run("Refund 7 and 8.");
		await agent.run(undefined, toResume(agent, true, true));
		expect([textsOf(agent).at(-1), agent.interrupts]).toEqual(["That is all.", []]);
		expect(listCalls()).toHaveLength(4);
	});
});
