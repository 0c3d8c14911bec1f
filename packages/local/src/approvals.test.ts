import type { AgentGraph, Approval, ChatEvent, ChatModel, RunEvent } from "@stemma/core";
import { describe, expect, it } from "vitest";
import {
	type AskForApproval,
	createLocalAgent,
	defineTool,
	type LocalAgent,
	type LocalPorts,
	type LocalTools,
} from "./index";

const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund_order", arguments: { account: "main" }, approval: true },
		{ id: "partner", kind: "remote", url: "https://partner.example", approval: true },
	],
	edges: [
		{ from: "desk", to: "refund" },
		{ from: "desk", to: "partner" },
	],
};

type Call = readonly [name: string, args: object];

/** Makes these calls in its first turn, and then tells what came back. */
function deskModel(calls: readonly Call[]): ChatModel {
	return {
		provider: "desk",
		model: "d",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream({ messages }): AsyncGenerator<ChatEvent> {
			const results = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
			const toolCalls = calls.map(([name, args], index) => ({
				id: `c${index}`,
				name,
				arguments: JSON.stringify(args),
			}));
			const isFirst = results.length === 0;
			yield {
				type: "finish",
				reply: {
					text: isFirst ? "" : results.join(" | "),
					toolCalls: isFirst ? toolCalls : [],
					finishReason: "stop",
				},
			};
		},
	};
}

interface Fixture {
	readonly agent: LocalAgent;
	/** What was really called, with what. */
	readonly called: unknown[];
}

/** The same graph again, as in another process. */
function createFixture(
	calls: readonly Call[],
	{ tools, ports }: Partial<{ tools: LocalTools; ports: LocalPorts }> = {},
): Fixture {
	const called: unknown[] = [];
	const refund = defineTool({
		parameters: { type: "object", properties: { order: { type: "string" }, account: { type: "string" } } },
		run(args) {
			called.push(args);
			return "paid";
		},
	});
	const agents = {
		async run({ input }: { readonly input: unknown }) {
			called.push(input);
			return { output: "seen" };
		},
	};
	const model = deskModel(calls);
	const agent = createLocalAgent(graph, {
		ports: {
			models: { resolve: () => ({ model, payer: "none", reason: "In the test." }) },
			agents,
			...ports,
		},
		tools: { refund_order: refund, ...tools },
	});
	return { agent, called };
}

const REFUND: Call = ["refund", { order: "A1" }];
const PARTNER: Call = ["partner", { input: "Look at A1." }];
const PAID = { order: "A1", account: "main" };

async function readAll(stream: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
	const events: RunEvent[] = [];
	for await (const event of stream) events.push(event);
	return events;
}

describe("onApproval", () => {
	it("is asked for all open approvals at once, and the run goes on with the answers", async () => {
		const { agent, called } = createFixture([REFUND, PARTNER]);
		const asked: Approval[] = [];
		let waiting = 0;
		let together = 0;
		const result = await agent.run({
			input: "Pay A1 back.",
			async onApproval(approval) {
				asked.push(approval);
				waiting += 1;
				await new Promise((resolve) => setTimeout(resolve, 5));
				together = Math.max(together, waiting);
				return approval.node === "refund" ? "approve" : { decision: "deny", reason: "Not outside." };
			},
		});
		expect(asked).toEqual([
			{
				id: expect.stringMatching(/^apr_/),
				node: "refund",
				tool: "refund_order",
				arguments: PAID,
				expires_at: expect.any(String),
			},
			expect.objectContaining({ node: "partner", arguments: { input: "Look at A1." } }),
		]);
		expect(together).toBe(2);
		expect(called).toEqual([PAID]);
		expect(result.output).toMatch(/^paid \| approval_denied: .*Not outside\./);
		expect(result.approvals).toBeUndefined();
	});

	it("leaves no gap in a stream, which tells of the pause", async () => {
		const { agent } = createFixture([REFUND]);
		const events = await readAll(agent.stream({ input: "Pay.", onApproval: () => "approve" }));
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
		const types = events.map(({ type }) => type).filter((type) => type.startsWith("run."));
		expect(types).toEqual(["run.started", "run.paused", "run.resumed", "run.completed"]);
	});

	it("leaves open what it gives no answer to, and is not asked about it again", async () => {
		const { agent, called } = createFixture([REFUND, PARTNER]);
		const asked: string[] = [];
		const result = await agent.run({
			input: "Pay.",
			onApproval({ node }) {
				asked.push(node);
				return node === "partner" ? "approve" : undefined;
			},
		});
		expect(result).toMatchObject({ status: "paused", approvals: [{ node: "refund" }] });
		expect([asked, called]).toEqual([["refund", "partner"], ["Look at A1."]]);
	});

	it("that throws fails the run with that, decides nothing, and leaves it to be saved", async () => {
		const { agent, called } = createFixture([REFUND, PARTNER]);
		let signal: AbortSignal | undefined;
		const onApproval: AskForApproval = (approval, options) => {
			if (approval.node === "refund") throw new Error("no dialog");
			signal = options.signal;
			return new Promise(() => undefined);
		};
		const stream = agent.stream({ input: "Pay.", onApproval });
		await expect(readAll(stream)).rejects.toThrow("no dialog");
		await expect(stream.result()).rejects.toThrow("no dialog");
		await expect(agent.run({ input: "Pay.", onApproval })).rejects.toThrow("no dialog");
		expect([signal?.aborted, called]).toEqual([true, []]);
		const result = await agent.resume(stream.serialize(), { onApproval: () => "approve" }).result();
		expect(result.output).toBe("paid | seen");
	});

	it("must give an answer that is one", async () => {
		const { agent, called } = createFixture([REFUND]);
		const onApproval = (() => true) as unknown as AskForApproval;
		await expect(agent.run({ input: "Pay.", onApproval })).rejects.toThrow(
			'`onApproval` returned true for "refund_order".',
		);
		expect(called).toEqual([]);
	});

	it.each([
		["the stream", false],
		["the caller's signal", true],
	])("is of no use any more when %s is cancelled", async (_, byCaller) => {
		const { agent, called } = createFixture([REFUND]);
		const controller = new AbortController();
		let hasAborted = false;
		const stream = agent.stream({
			input: "Pay.",
			signal: controller.signal,
			onApproval: (_approval, { signal }) =>
				new Promise((_resolve, reject) => {
					signal.addEventListener("abort", () => {
						hasAborted = true;
						reject(new Error("the dialog was closed"));
					});
					setTimeout(() => (byCaller ? controller.abort() : stream.cancel()), 5);
				}),
		});
		const events = await readAll(stream);
		expect(events.at(-1)?.type).toBe("run.cancelled");
		expect([(await stream.result()).status, hasAborted, called]).toEqual(["cancelled", true, []]);
	});
});

describe("resume", () => {
	it("goes on elsewhere with what was decided, and asks for the rest", async () => {
		const first = createFixture([REFUND, PARTNER]);
		const stream = first.agent.stream({ input: "Pay." });
		const { status, approvals = [] } = await stream.result();
		expect([status, approvals.length]).toEqual(["paused", 2]);
		const saved = JSON.parse(JSON.stringify(stream.serialize()));

		const second = createFixture([REFUND, PARTNER]);
		const asked: string[] = [];
		const resumed = second.agent.resume(saved, {
			decisions: [{ approval_id: approvals[0]?.id ?? "", decision: "approve" }],
			onApproval({ node }) {
				asked.push(node);
				return "approve";
			},
		});
		const events = await readAll(resumed);
		expect(events[0]).toMatchObject({ type: "run.resumed", run_id: saved.run_id });
		expect((await resumed.result()).output).toBe("paid | seen");
		expect([first.called, second.called, asked]).toEqual([[], [PAID, "Look at A1."], ["partner"]]);
	});

	it("serializes while an answer is awaited", async () => {
		const first = createFixture([REFUND]);
		const asked = Promise.withResolvers<void>();
		const stream = first.agent.stream({
			input: "Pay.",
			onApproval: () => {
				asked.resolve();
				return new Promise(() => undefined);
			},
		});
		await asked.promise;
		const second = createFixture([REFUND]);
		const result = await second.agent.resume(stream.serialize(), { onApproval: () => "approve" }).result();
		expect([result.output, first.called, second.called]).toEqual(["paid", [], [PAID]]);
		stream.cancel();
	});

	it("throws at once for what cannot be continued", () => {
		const { agent } = createFixture([]);
		const broken = { version: 1, run_id: "run_1", state: {} } as const;
		expect(() => agent.resume(broken)).toThrow();
	});
});

describe("calls that were out when a run was saved", () => {
	const plain: AgentGraph = {
		nodes: graph.nodes.map((node) => ("approval" in node ? { ...node, approval: false } : node)),
		edges: graph.edges ?? [],
	};

	/** Saves the run while its only call is out, and continues it with what answers at once. */
	async function interrupt(call: Call, idempotent: boolean) {
		const called: string[] = [];
		const out = Promise.withResolvers<void>();
		const make = (decision: () => Promise<unknown>) => {
			const refund = defineTool({
				parameters: { type: "object" },
				idempotent,
				run() {
					called.push("refund");
					return decision();
				},
			});
			const agents = {
				async run() {
					called.push("partner");
					return { output: String(await decision()) };
				},
			};
			const model = deskModel([call]);
			const models = { resolve: () => ({ model, payer: "none", reason: "In the test." }) as const };
			return createLocalAgent(plain, { ports: { models, agents }, tools: { refund_order: refund } });
		};
		const first = make(() => {
			out.resolve();
			return new Promise(() => undefined);
		}).stream({ input: "Pay." });
		await out.promise;
		const saved = JSON.parse(JSON.stringify(first.serialize()));
		first.cancel();
		const result = await make(async () => "done")
			.resume(saved)
			.result();
		return { called, output: result.output };
	}

	it.each<[string, Call, boolean, string[], RegExp]>([
		["a tool is not called again", REFUND, false, ["refund"], /^outcome_unknown: /],
		["one that may be repeated is", REFUND, true, ["refund", "refund"], /^done$/],
		["another agent is not run again", PARTNER, true, ["partner"], /^outcome_unknown: /],
	])("%s", async (_, call, idempotent, called, output) => {
		const outcome = await interrupt(call, idempotent);
		expect(outcome.called).toEqual(called);
		expect(outcome.output).toMatch(output);
	});
});

it.each([
	["no JSON", { total: 1n }, "input.total"],
	["a system role", { messages: [{ role: "system", content: "Be brief." }] }, "input.messages[0].role"],
	[
		"a picture",
		{ messages: [{ role: "user", content: [{ type: "image" }] }] },
		"input.messages[0].content[0]",
	],
])("throws at once for input with %s, where run rejects", async (_, input, port) => {
	const { agent } = createFixture([]);
	expect(() => agent.stream({ input })).toThrow(port);
	expect(() => agent.stream({ input })).toThrow(expect.objectContaining({ code: "invalid_input" }));
	await expect(agent.run({ input })).rejects.toMatchObject({ code: "invalid_input" });
});
