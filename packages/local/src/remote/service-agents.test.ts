import { createClient } from "@stemma/client";
import type { Json, ReceiptRow, RunResult } from "@stemma/core";
import type { AgentRequest } from "@stemma/engine";
import { beginEvents, type RequestHandler, sendJson, useRpcServer } from "@stemma/simulators/rpc";
import { describe, expect, it } from "vitest";
import { remoteAgents } from "./remote-agents";

const server = useRpcServer();

const row: ReceiptRow = {
	stage: "answer",
	payer: "workspace",
	provider: "openai-compatible",
	vendor_host: "api.vendor.example",
	model: "large-1",
	input_tokens: 10,
	output_tokens: 5,
	ms: 3,
	attempts: 1,
	reason: "The workspace's own key.",
};

const resultOf = (over: Partial<RunResult>): RunResult => ({
	run_id: "run_there",
	status: "completed",
	output: "Five days.",
	citations: [],
	usage: { input_tokens: 10, output_tokens: 5, model_calls: 1, steps: 2 },
	receipt: [row, { ...row, run_id: "run_further" }],
	...over,
});

type TestEvent = readonly [type: string, fields?: object];

/** A run with these events; it stays open where the last one is no end. */
const serveRun =
	(...events: readonly TestEvent[]): RequestHandler =>
	({ path }, response) => {
		if (path.endsWith("/cancel")) return sendJson(response, { id: "run_there", status: "running" });
		beginEvents(response);
		for (const [index, [type, fields]] of events.entries()) {
			const event = { type, run_id: "run_there", seq: index + 1, at: "2026-01-01T00:00:00Z", ...fields };
			response.write(`id: ${event.seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
		}
		if (/^run\.(completed|failed|cancelled|paused)$/.test(events.at(-1)?.[0] ?? "")) response.end();
	};

const delta = (text: string, final = true): TestEvent => [
	"text.delta",
	{ node: "desk", invocation: 1, text, final },
];
const completed = (over: Partial<RunResult> = {}): TestEvent => ["run.completed", { result: resultOf(over) }];

interface Received {
	readonly texts: string[];
	readonly signal?: AbortSignal;
}

function run(request: Partial<AgentRequest> = {}, { texts, signal }: Received = { texts: [] }) {
	const client = createClient({ clientKey: "ck_1_secret", baseUrl: server.url, retryDelayMs: 5 });
	return remoteAgents({ client, depth: 3 }).run(
		{ runId: "run_here", node: "legal", agent: { agentId: "ag_legal" }, input: "How long?", ...request },
		{
			signal: signal ?? new AbortController().signal,
			onText: (text) => texts.push(text),
			onReset: () => texts.push("reset"),
		},
	);
}

describe("an agent of the service", () => {
	it("is given input and context, and tells its text as it comes", async () => {
		const texts: string[] = [];
		server.handle(
			serveRun(
				["run.started"],
				delta("Hm.", false),
				delta("Four"),
				["text.reset", { node: "desk", invocation: 1 }],
				delta("Five "),
				delta("days."),
				completed(),
			),
		);
		const outcome = await run({ context: { customer: "Ada" } }, { texts });
		expect(texts).toEqual(["Four", "reset", "Five ", "days."]);
		expect(outcome).toEqual({
			output: "Five days.",
			citations: [],
			receipt: [
				{ run_id: "run_there", ...row },
				{ ...row, run_id: "run_further" },
			],
		});
		const [request] = server.received;
		expect(request?.path).toBe("/v1/agents/ag_legal/run");
		expect(request?.headers["stemma-depth"]).toBe("3");
		expect(request?.rpc).toEqual({ input: "How long?", context: { customer: "Ada" } });
	});

	it.each<[string, readonly TestEvent[], Json, readonly string[]]>([
		["text that was not told", [completed()], "Five days.", ["Five days."]],
		["more text than was told", [delta("Five"), completed()], "Five days.", ["Five", " days."]],
		[
			"other text than was told",
			[delta("Four."), completed()],
			"Five days.",
			["Four.", "reset", "Five days."],
		],
		["JSON", [delta("{"), completed({ output: { days: 5 } })], { days: 5 }, ["{", "reset"]],
	])("may give %s", async (_, events, output, received) => {
		const texts: string[] = [];
		server.handle(serveRun(["run.started"], ...events));
		expect(await run({}, { texts })).toMatchObject({ output });
		expect(texts).toEqual(received);
	});

	it("is not given context that may not become instructions", async () => {
		server.handle(serveRun(completed()));
		await run({ context: { customer: "Ada" }, untrustedContext: true });
		expect(server.received[0]?.rpc).toEqual({ input: "How long?" });
	});

	it("has no receipt for those who are not shown one", async () => {
		const { receipt: _, ...result } = resultOf({});
		server.handle(serveRun(["run.completed", { result }]));
		expect((await run()).receipt).toEqual([]);
	});

	it("that fails says why, and what it took", async () => {
		const error = { code: "model_required", message: "There is no model.", hint: "Set one." };
		const result = resultOf({ status: "failed", output: null, error });
		server.handle(serveRun(["run.started"], ["run.failed", { error, result }]));
		await expect(run()).rejects.toMatchObject({ ...error, receipt: [{ ...row, run_id: "run_there" }, {}] });
	});

	it("that was stopped by somebody else is a failure, with what it took", async () => {
		const result = resultOf({ status: "cancelled", output: null });
		server.handle(serveRun(["run.started"], ["run.cancelled", { result }]));
		await expect(run()).rejects.toMatchObject({ code: "remote_cancelled", receipt: [{}, {}] });
	});

	it("that waits for an approval is stopped, and a failure", async () => {
		const result = resultOf({ status: "paused", output: null });
		server.handle(serveRun(["run.started", { run_token: "rt_1" }], ["run.paused", { result }]));
		await expect(run()).rejects.toMatchObject({ code: "remote_paused", receipt: [{}, {}] });
		await expect.poll(() => server.received.at(-1)?.path).toBe("/v1/runs/run_there/cancel");
		expect(server.received.at(-1)?.headers).toMatchObject({
			"stemma-depth": "3",
			"stemma-run-token": "rt_1",
		});
	});

	it("is stopped there when it is stopped here", async () => {
		const controller = new AbortController();
		server.handle(serveRun(["run.started"], delta("Fi")));
		const texts: string[] = [];
		const outcome = run({}, { texts, signal: controller.signal });
		await expect.poll(() => texts).toEqual(["Fi"]);
		controller.abort(new Error("enough"));
		await expect(outcome).rejects.toThrow("enough");
		await expect.poll(() => server.received.map(({ path }) => path)).toContain("/v1/runs/run_there/cancel");
	});

	it("that cannot be run keeps the service's words", async () => {
		server.handle((_, response) =>
			sendJson(
				response,
				{ error: { code: "agent_not_found", message: "No such agent.", hint: "Look." } },
				404,
			),
		);
		await expect(run()).rejects.toMatchObject({
			code: "agent_not_found",
			message: "No such agent.",
			hint: "Look.",
		});
	});

	it("takes no secret, and needs a service", async () => {
		server.handle(serveRun(completed()));
		await expect(run({ secret: "legal" })).rejects.toThrow('The node "legal" has a secret');
		const alone = remoteAgents().run(
			{ runId: "run_here", node: "legal", agent: { agentId: "ag_legal" }, input: "" },
			{ signal: new AbortController().signal, onText: () => undefined, onReset: () => undefined },
		);
		await expect(alone).rejects.toThrow(
			'The agent "ag_legal" is one of a service, and there is no service here.',
		);
		expect(server.received).toEqual([]);
	});
});
