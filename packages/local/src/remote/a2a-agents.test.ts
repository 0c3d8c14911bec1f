import type { TraceContext } from "@stemma/core";
import type { AgentRequest } from "@stemma/engine";
import {
	artifact,
	createA2aHandler,
	sendJson,
	status,
	submitted,
	useRpcServer,
} from "@stemma/simulators/rpc";
import { describe, expect, it } from "vitest";
import { type RemoteAgentsOptions, remoteAgents } from "./remote-agents";

const server = useRpcServer();

function run(
	request: Partial<AgentRequest> = {},
	texts: string[] = [],
	signal: AbortSignal = new AbortController().signal,
	options: RemoteAgentsOptions = { depth: 2 },
	traceContext?: TraceContext,
) {
	return remoteAgents(options).run(
		{ runId: "run_here", node: "legal", agent: { url: server.url }, input: "How long?", ...request },
		{ signal, traceContext, onText: (text) => texts.push(text), onReset: () => texts.push("reset") },
	);
}

const calls = (method: string) => server.received.filter(({ rpc }) => rpc.method === method);

describe("an A2A agent", () => {
	it("is told of the trace that a call is part of", async () => {
		const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
		server.handle(
			createA2aHandler({ events: [submitted, artifact("a", [{ text: "Five." }]), status("COMPLETED")] }),
		);
		await run({}, [], undefined, undefined, { traceparent });
		expect(calls("SendStreamingMessage").map(({ headers }) => headers.traceparent)).toEqual([traceparent]);
	});

	it("is sent a message, tells its text as it comes, and leaves one row", async () => {
		const texts: string[] = [];
		server.handle(
			createA2aHandler({
				events: [
					submitted,
					status("WORKING", "Looking it up."),
					artifact("a", [{ text: "Five " }]),
					artifact("a", [{ text: "days." }], true),
					status("COMPLETED"),
				],
			}),
		);
		const outcome = await run({ context: { customer: "Ada" } }, texts);
		expect(texts).toEqual(["Five ", "days."]);
		expect(outcome).toEqual({
			output: "Five days.",
			receipt: [
				{
					stage: "answer",
					payer: "external",
					provider: "a2a",
					vendor_host: new URL(server.url).host,
					model: "Legal",
					input_tokens: 0,
					output_tokens: 0,
					estimated: true,
					ms: expect.any(Number),
					attempts: 1,
					reason: "Another agent answered, on its own account.",
				},
			],
		});
		const [card, message] = server.received;
		expect(card?.path).toBe("/.well-known/agent-card.json");
		expect(message?.rpc).toMatchObject({
			method: "SendStreamingMessage",
			params: { message: { role: "ROLE_USER", parts: [{ text: "How long?" }] } },
		});
		expect(message?.headers).toMatchObject({ "a2a-version": "1.0", "stemma-depth": "2" });
		expect(message?.headers.authorization).toBeUndefined();
		expect(JSON.stringify(message?.rpc)).not.toContain("Ada");
	});

	it("is sent data as data, and may give some", async () => {
		const texts: string[] = [];
		server.handle(
			createA2aHandler({ events: [submitted, artifact("a", [{ data: { days: 5 } }]), status("COMPLETED")] }),
		);
		expect((await run({ input: { order: "A1" } }, texts)).output).toEqual({ days: 5 });
		expect(texts).toEqual([]);
		expect(calls("SendStreamingMessage")[0]?.rpc.params).toMatchObject({
			message: { parts: [{ data: { order: "A1" } }] },
		});
	});

	it("may answer as a whole", async () => {
		const texts: string[] = [];
		const respond = createA2aHandler({ streaming: false, events: [] });
		server.handle((request, response) => {
			if (request.rpc.method !== "SendMessage") return respond(request, response);
			const message = { messageId: "m1", role: "ROLE_AGENT", parts: [{ text: "Five." }] };
			sendJson(response, { jsonrpc: "2.0", id: request.rpc.id, result: { message } });
		});
		expect((await run({}, texts)).output).toBe("Five.");
		expect(texts).toEqual(["Five."]);
	});

	it("is sent its secret, which is asked for each call, by one client for each value", async () => {
		const values = ["first-secret", "first-secret", "second-secret"];
		const port = remoteAgents({ secret: (name, url) => `${values.shift()} ${name} ${url}`.split(" ")[0] });
		server.handle(createA2aHandler({ events: [artifact("a", [{ text: "Yes." }]), status("COMPLETED")] }));
		for (let count = 0; count < 3; count++)
			await port
				.atDepth(count)
				.run(
					{ runId: "run_here", node: "legal", agent: { url: server.url }, input: "?", secret: "legal" },
					{ signal: new AbortController().signal, onText: () => undefined, onReset: () => undefined },
				);
		expect(
			calls("SendStreamingMessage").map(({ headers }) => [headers.authorization, headers["stemma-depth"]]),
		).toEqual([
			["Bearer first-secret", "0"],
			["Bearer first-secret", "1"],
			["Bearer second-secret", "2"],
		]);
		expect(server.received.filter(({ method }) => method === "GET")).toHaveLength(2);
	});

	it("is not called without its secret", async () => {
		server.handle(createA2aHandler({ events: [] }));
		await expect(run({ secret: "legal" })).rejects.toMatchObject({
			code: "secret_missing",
			message: 'There is no value for the secret "legal".',
			hint: expect.stringContaining("`remoteAgents`"),
		});
		expect(server.received).toEqual([]);
	});

	it.each([
		["FAILED", "remote_failed", 'The agent "Legal" failed: No law for that.', 0],
		["REJECTED", "remote_rejected", 'The agent "Legal" rejected the task: No law for that.', 0],
		[
			"CANCELED",
			"remote_cancelled",
			'The agent "Legal" was stopped: the task was cancelled there: No law for that.',
			0,
		],
		[
			"INPUT_REQUIRED",
			"remote_input_required",
			'The agent "Legal" asks for more input before it continues, which graphs cannot give: No law for that.',
			1,
		],
		[
			"AUTH_REQUIRED",
			"remote_auth_required",
			'The agent "Legal" asks for authorization or an approval before it continues, which graphs cannot give: No law for that.',
			1,
		],
	])("that ends as %s is a failure, with its words and a row", async (state, code, message, cancelled) => {
		server.handle(
			createA2aHandler({
				events: [submitted, artifact("a", [{ text: "Fi" }]), status(state, "No law\nfor that.")],
			}),
		);
		await expect(run()).rejects.toMatchObject({
			code,
			message,
			receipt: [{ payer: "external", model: "Legal" }],
		});
		await expect.poll(() => calls("CancelTask").length).toBe(cancelled);
	});

	it("is told to stop when the run stops", async () => {
		const controller = new AbortController();
		const texts: string[] = [];
		server.handle(createA2aHandler({ events: [submitted, artifact("a", [{ text: "Fi" }]), "hold"] }));
		const outcome = run({}, texts, controller.signal);
		await expect.poll(() => texts).toEqual(["Fi"]);
		controller.abort(new Error("enough"));
		await expect(outcome).rejects.toThrow("enough");
		await expect.poll(() => calls("CancelTask").map(({ rpc }) => rpc.params)).toEqual([{ id: "t1" }]);
	});

	it("that goes on without end is told to stop", async () => {
		const much = artifact("a", [{ text: "x".repeat(500_000) }]);
		server.handle(
			createA2aHandler({ events: [submitted, ...Array.from({ length: 9 }, () => much), "hold"] }),
		);
		await expect(run()).rejects.toMatchObject({ code: "remote_answer_too_large", receipt: [{}] });
		await expect.poll(() => calls("CancelTask").length).toBe(1);
	});

	it("that is not there is a failure without a row", async () => {
		server.handle((_, response) => sendJson(response, { oh: "no" }));
		const error = await run().catch((caught: unknown) => caught);
		expect(error).toMatchObject({ code: "invalid_agent_response" });
		expect(error).not.toHaveProperty("receipt");
	});

	it("that takes no message is a failure without a row, in its words", async () => {
		const respond = createA2aHandler({ events: [] });
		const rejected = { code: -32005, message: "Only in Latin." };
		server.handle((request, response) => {
			if (request.method === "GET") return respond(request, response);
			sendJson(response, { jsonrpc: "2.0", id: request.rpc.id, error: rejected });
		});
		const error = await run().catch((caught: unknown) => caught);
		expect(error).toMatchObject({ code: "content_type_not_supported", message: "Only in Latin." });
		expect(error).not.toHaveProperty("receipt");
	});
});
