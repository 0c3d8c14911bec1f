import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, type AgentProgram, loadAgentProgram, textsOf } from "./clients/ag-ui-agent";
import type { Target } from "./fixture";
import { readGuideRoute, runGuideProgram } from "./guide-route";
import { isInstalled, useServers } from "./use-servers";

// biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React
const servers = useServers();
const { enqueue, listCalls } = servers;
let program: AgentProgram;
let threads = 0;
beforeAll(async () => {
	if (isInstalled) program = await loadAgentProgram();
});

describe.skipIf(!isInstalled).each(["service", "runtime"] as const)(
	"AG-UI's client, against the %s",
	(name) => {
		const open = (agent: string): Agent => {
			const { toUrl, fetch } = servers.fixture.targets[name];
			return program.openAgent({ url: toUrl(agent, "ag-ui"), fetch, threadId: `thread-${threads++}` });
		};

		it("gets a plain answer, and sends what was said before", async () => {
			enqueue({ kind: "reply", text: "Good morning." }, { kind: "reply", text: "As I said." });
			const agent = open("plain");
			await agent.run("Good morning?");
			await agent.run("Again?");
			expect(textsOf(agent)).toEqual(["Good morning?", "Good morning.", "Again?", "As I said."]);
			expect(agent.state.stemma).toMatchObject({
				status: "completed",
				run_id: expect.stringMatching(/^run_/),
			});
			expect(agent.state.stemma?.receipt).toHaveLength(1);
			const { messages = [] } = (servers.fixture.service.vendor.requests.at(-1)?.body ?? {}) as {
				messages?: readonly { readonly content: unknown }[];
			};
			expect(messages.map(({ content }) => content)).toEqual(["Good morning?", "Good morning.", "Again?"]);
		});

		it("gets the sources of an answer", async () => {
			enqueue({ kind: "reply", text: "It takes five working days [1]." });
			const agent = open("cited");
			await agent.run("How long does a refund take?");
			expect(textsOf(agent).at(-1)).toBe("It takes five working days [1].");
			expect(agent.state.stemma?.citations).toMatchObject([{ n: 1, title: "Returns" }]);
		});

		it.each([true, false])("decides on an approval: %s", async (approved) => {
			enqueue(
				{
					kind: "reply",
					text: "Let me see.",
					toolCalls: [{ id: "c", name: "refund", arguments: { order: 7 } }],
				},
				{ kind: "reply", reasoning: "Hm.", text: "That is that." },
			);
			const agent = open("desk");
			await agent.run("Refund 7.");
			expect(textsOf(agent)).toEqual(["Refund 7."]);
			const [interrupt] = agent.interrupts;
			expect(interrupt?.metadata).toEqual({
				stemma: { node: "refund", tool: "refund", arguments: { order: 7 } },
			});
			expect(listCalls()).toEqual([]);
			await agent.run(undefined, {
				resume: [{ interruptId: interrupt?.id, status: "resolved", payload: { approved } }],
			});
			expect(listCalls()).toEqual(approved ? [{ order: 7 }] : []);
			expect(agent.interrupts).toEqual([]);
			expect(textsOf(agent)).toEqual(["Refund 7.", "That is that."]);
			expect(agent.messages.flatMap(({ toolCalls = [] }) => toolCalls)).toMatchObject([
				{ function: { name: "refund", arguments: '{"order":7}' } },
			]);
			expect(agent.messages.filter(({ role }) => role === "tool")).toMatchObject([
				{ content: approved ? "It is refunded." : expect.stringContaining("denied") },
			]);
			expect(agent.messages.filter(({ role }) => role === "reasoning")).toMatchObject([{ content: "Hm." }]);
		});

		it("says what is wrong with a request", async () => {
			const agent = open("plain");
			agent.addMessage({ id: "s", role: "system", content: "Lie." });
			await expect(agent.run("Hello?")).rejects.toThrow(/messages\[0\]\.role/);
			const tools = [{ name: "alert", description: "Alerts", parameters: { type: "object" } }];
			await expect(open("plain").run("Hello?", { tools })).rejects.toThrow(/Tools of the page/);
			await expect(open("nobody").run("Hello?")).rejects.toThrow(/agent_not_found/);
		});
	},
);

describe.skipIf(!isInstalled)("AG-UI's client, against the route of docs/front-ends.md", () => {
	it("gets answers, and decides on approvals", async () => {
		const route = readGuideRoute(servers.fixture, "ag-ui", "desk");
		const fetch: Target["fetch"] = (url, init) => route(new Request(url, init));
		const agent = program.openAgent({ url: "http://app.test/api/agent", fetch, threadId: "guide" });
		enqueue(
			{ kind: "reply", toolCalls: [{ id: "c", name: "refund", arguments: { order: 7 } }] },
			{ kind: "reply", text: "That is that." },
		);
		await agent.run("Refund 7.");
		const [interrupt] = agent.interrupts;
		await agent.run(undefined, {
			resume: [{ interruptId: interrupt?.id, status: "resolved", payload: { approved: true } }],
		});
		expect(textsOf(agent)).toEqual(["Refund 7.", "That is that."]);
		expect(listCalls()).toEqual([{ order: 7 }]);
	});
});

describe.skipIf(!isInstalled)("the program of docs/front-ends.md", () => {
	it("shows an answer and its sources", async () => {
		enqueue({ kind: "reply", text: "It takes five working days [1]." });
		const { fetch } = servers.fixture.targets["client key"];
		const printed: unknown[] = [];
		const console = { log: (...values: readonly unknown[]) => printed.push(...values) };
		const HttpAgent = program.createHttpAgent(fetch);
		const settings = { STEMMA_URL: "http://service.test", CLIENT_KEY: "ck_of_the_target" };
		await runGuideProgram({ HttpAgent, console, ...settings }, "cited");
		expect(printed).toMatchObject(["It takes five working days [1].", [{ n: 1, title: "Returns" }]]);
	});
});

describe.skipIf(!isInstalled)("AG-UI's client with a client key", () => {
	it("gets the answer alone", async () => {
		enqueue({ kind: "reply", reasoning: "Secret.", text: "Hello." });
		const { toUrl, fetch } = servers.fixture.targets["client key"];
		const url = toUrl("plain", "ag-ui");
		const agent = program.openAgent({ url, fetch, threadId: "mine" });
		await agent.run("Hello?");
		expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([
			["user", "Hello?"],
			["assistant", "Hello."],
		]);
		expect(agent.state.stemma).toMatchObject({ status: "completed", receipt: [] });
	});
});
