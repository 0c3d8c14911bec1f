import type { Attack, Step } from "../attacker/attack.ts";
import type { Hostile } from "../attacker/hostile.ts";
import { createAgent, desk, oneNode, runAgain, runAgent } from "./graphs.ts";

const REFUSED = ["422 *", "413 body_too_large", "400 *", "404 run_not_found", "409 *"];
/** Runs that never end by themselves last until the client leaves. */
const ENDLESS = [...REFUSED, "broken timeout"];

const agentNode = (id: string, script: string): Readonly<Record<string, unknown>> => ({
	id,
	kind: "agent",
	model: { model: script },
});

const refundGraph = (hostile: Hostile) => ({
	nodes: [
		desk("call-tools"),
		{ id: "look", kind: "tool", tool: "look", server: `${hostile.endpoints}/mcp/plain`, approval: true },
	],
	edges: [{ from: "desk", to: "look" }],
});

/** Starts runs in the background; what it does with their ids follows. */
const inBackground =
	(
		toGraph: (hostile: Hostile) => Readonly<Record<string, unknown>>,
		then: (hostile: Hostile, id: string) => Promise<unknown>,
	) =>
	async (hostile: Hostile): Promise<Step> => {
		const agent = await createAgent(hostile, toGraph(hostile));
		return async () => {
			const answer = await runAgent(hostile, agent, { input: "Go.", background: true });
			const id = /"id":"(run_[^"]+)"/.exec(answer?.text ?? "")?.[1];
			if (id !== undefined) await then(hostile, id);
		};
	};

const nothing = (): Promise<void> => Promise.resolve();

export const RUN_ATTACKS: readonly Attack[] = [
	{
		name: "endless-loop",
		expects: ENDLESS,
		everyMs: 300,
		concurrency: 4,
		start: runAgain(() => ({
			nodes: [desk("call-tools", { maxTurns: 1000 }), agentNode("other", "call-tools")],
			edges: [
				{ from: "desk", to: "other", maxCalls: 100_000 },
				{ from: "other", to: "desk", maxCalls: 100_000 },
			],
			limits: { maxSteps: 1_000_000, maxDepth: 1000 },
		})),
	},
	{
		name: "guarded-loop",
		expects: ENDLESS,
		everyMs: 300,
		concurrency: 2,
		start: runAgain(() => ({
			nodes: [desk("hello"), agentNode("other", "hello")],
			edges: [
				{ from: "desk", to: "other", mode: "then", when: { path: "", exists: true } },
				{ from: "other", to: "desk", mode: "then", when: { path: "", exists: true } },
			],
			limits: { maxSteps: 1_000_000 },
		})),
	},
	{
		name: "fan-out",
		expects: REFUSED,
		everyMs: 500,
		concurrency: 2,
		start: runAgain(() => ({
			nodes: [
				desk("call-many-tools"),
				...Array.from({ length: 100 }, (_, index) => agentNode(`a${index}`, "hello")),
			],
			edges: Array.from({ length: 100 }, (_, index) => ({ from: "desk", to: `a${index}`, maxCalls: 1000 })),
			limits: { maxSteps: 100_000 },
		})),
	},
	{
		name: "before-searches",
		expects: REFUSED,
		everyMs: 500,
		concurrency: 2,
		start: runAgain(
			(hostile) => ({
				nodes: [
					desk("hello"),
					...Array.from({ length: 200 }, (_, index) => ({
						id: `k${index}`,
						kind: "knowledge",
						topK: 50,
						knowledgeBases: [hostile.knowledgeBase],
					})),
				],
				edges: Array.from({ length: 200 }, (_, index) => ({ from: "desk", to: `k${index}`, mode: "before" })),
				limits: { maxSteps: 100_000 },
			}),
			{ input: "the refund parcel travel expense ".repeat(300) },
		),
	},
	{
		name: "nested-agents",
		expects: REFUSED,
		everyMs: 500,
		concurrency: 2,
		start: async (hostile) => {
			const slug = `nested-${hostile.random.between(0, 1e9)}`;
			const nodes = [
				desk("call-many-tools"),
				...Array.from({ length: 5 }, (_, index) => ({ id: `r${index}`, kind: "remote", agentId: slug })),
			];
			const edges = Array.from({ length: 5 }, (_, index) => ({
				from: "desk",
				to: `r${index}`,
				maxCalls: 100,
			}));
			await hostile.send("POST", "/v1/agents", { slug, graph: { nodes, edges } });
			return () => runAgent(hostile, slug);
		},
	},
	{
		name: "waiting-for-approvals",
		expects: REFUSED,
		everyMs: 100,
		concurrency: 2,
		start: inBackground(refundGraph, nothing),
	},
	{
		name: "approval-storm",
		expects: [...REFUSED, "404 approval_not_found", "410 *"],
		everyMs: 100,
		start: inBackground(refundGraph, async (hostile, id) => {
			for (let approval = 0; approval < 5; approval++)
				await hostile.send("POST", `/v1/runs/${id}/approvals/apr_${approval}`, {
					decision: "approve",
					reason: "x".repeat(900),
				});
		}),
	},
	{
		name: "background-runs",
		expects: REFUSED,
		everyMs: 50,
		concurrency: 4,
		start: inBackground(() => oneNode(desk("drip")), nothing),
	},
	{
		name: "cancel-storm",
		expects: REFUSED,
		everyMs: 100,
		concurrency: 2,
		start: inBackground(
			() => oneNode(desk("drip")),
			(hostile, id) => hostile.send("POST", `/v1/runs/${id}/cancel`),
		),
	},
	{
		name: "event-polls",
		expects: REFUSED,
		everyMs: 200,
		concurrency: 2,
		start: inBackground(
			() => oneNode(desk("drip")),
			(hostile, id) =>
				Promise.all(
					Array.from({ length: 50 }, () => hostile.send("GET", `/v1/runs/${id}/events?after=0&wait_ms=5000`)),
				),
		),
	},
	{
		name: "rejoin-odd",
		// The stream of a run that waits for its turn lasts until the client leaves.
		expects: [...ENDLESS, "200 broken timeout"],
		everyMs: 200,
		start: inBackground(
			() => oneNode(desk("hello")),
			async (hostile, id) => {
				for (const last of ["-1", "1e99", "9007199254740993", "x".repeat(5000)])
					await hostile.send("GET", `/v1/runs/${id}/events`, undefined, {
						headers: { accept: "text/event-stream", "last-event-id": last },
						timeoutMs: 20_000,
					});
			},
		),
	},
	{
		name: "large-context",
		expects: REFUSED,
		everyMs: 500,
		start: runAgain(() => oneNode(desk("hello", { instructions: "{{context.a}}".repeat(20_000) })), {
			input: "x".repeat(900_000),
			context: { a: "y".repeat(490), b: "z".repeat(900_000) },
		}),
	},
	{
		name: "many-messages",
		expects: REFUSED,
		everyMs: 1000,
		start: runAgain(() => oneNode(desk("hello")), {
			input: { messages: Array.from({ length: 40_000 }, () => ({ role: "user", content: "x" })) },
		}),
	},
	...(["hang", "many-tools", "bomb-schema", "huge-result", "endless", "deep"] as const).map(
		(script): Attack => ({
			name: `mcp-server-${script}`,
			expects: REFUSED,
			everyMs: 1000,
			concurrency: script === "hang" ? 5 : 1,
			start: runAgain((hostile) => ({
				nodes: [
					desk("call-tools"),
					{ id: "look", kind: "tool", tool: "look", server: `${hostile.endpoints}/mcp/${script}` },
				],
				edges: [{ from: "desk", to: "look" }],
				limits: { timeoutMs: 10_000 },
			})),
		}),
	),
	...(["hang", "endless", "huge-card", "garbage"] as const).map(
		(script): Attack => ({
			name: `a2a-agent-${script}`,
			expects: REFUSED,
			everyMs: 1000,
			concurrency: script === "hang" ? 5 : 1,
			start: runAgain((hostile) => ({
				nodes: [desk("call-tools"), { id: "far", kind: "remote", url: `${hostile.endpoints}/a2a/${script}` }],
				edges: [{ from: "desk", to: "far" }],
				limits: { timeoutMs: 10_000 },
			})),
		}),
	),
	{
		name: "deep-tool-arguments",
		expects: REFUSED,
		everyMs: 1000,
		start: runAgain((hostile) => ({
			nodes: [
				desk("deep-arguments"),
				{ id: "look", kind: "tool", tool: "look", server: `${hostile.endpoints}/mcp/plain` },
			],
			edges: [{ from: "desk", to: "look" }],
		})),
	},
	{
		name: "huge-agents",
		expects: REFUSED,
		everyMs: 1500,
		start: (hostile) => () =>
			createAgent(hostile, {
				nodes: [
					desk("hello"),
					...Array.from({ length: 15_000 }, (_, index) => ({ id: `n${index}`, kind: "agent" })),
				],
				edges: Array.from({ length: 15_000 }, (_, index) => ({ from: "desk", to: `n${index}` })),
			}),
	},
	{
		name: "agents-in-a-chain",
		expects: REFUSED,
		everyMs: 1500,
		start: (hostile) => () =>
			createAgent(hostile, {
				nodes: [
					desk("hello"),
					...Array.from({ length: 8000 }, (_, index) => ({ id: `n${index}`, kind: "agent" })),
				],
				edges: Array.from({ length: 8000 }, (_, index) => ({
					from: index === 0 ? "desk" : `n${index - 1}`,
					to: `n${index}`,
					mode: "then",
				})),
			}),
	},
	{
		name: "dense-graph",
		expects: REFUSED,
		everyMs: 2000,
		start: (hostile) => () => {
			const ids = Array.from({ length: 150 }, (_, index) => `n${index}`);
			return createAgent(hostile, {
				nodes: [desk("hello"), ...ids.map((id) => ({ id, kind: "agent" }))],
				edges: ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => ({ from, to }))),
			});
		},
	},
	{
		name: "thousands-of-agents",
		expects: REFUSED,
		everyMs: 50,
		concurrency: 2,
		start: (hostile) => () =>
			createAgent(hostile, oneNode(desk("hello", { instructions: "x".repeat(20_000) }))),
	},
	{
		name: "agent-replacements",
		// The agent itself may have been refused, and then has no id.
		expects: [...REFUSED, "404 route_not_found"],
		everyMs: 50,
		concurrency: 2,
		start: async (hostile) => {
			const agent = await createAgent(hostile, oneNode(desk("hello")));
			return () => hostile.send("PUT", `/v1/agents/${agent}`, { graph: oneNode(desk("hello")) });
		},
	},
];
