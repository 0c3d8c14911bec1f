import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NodeXmlHttpRequest } from "../test-support/node-xml-http-request";
import { useTestServer } from "../test-support/test-client";
import { createTestServer } from "../test-support/test-server";
import type { A2aStream } from "./task-stream";
import { anyLog } from "./test-support/any-log";
import {
	agentAt,
	cardOf,
	chunkOf,
	type Disconnect,
	messageOf,
	type ReceivedCall,
	serveAgent,
	serveTask,
	statusOf,
	taskOf,
	toTask,
} from "./test-support/fake-agent";
import type { A2aStreamResponse } from "./wire";

const server = useTestServer();
afterEach(() => vi.unstubAllGlobals());

const LOG: readonly A2aStreamResponse[] = [
	{ task: taskOf("SUBMITTED") },
	statusOf("WORKING"),
	chunkOf("It takes "),
	chunkOf("five ", { append: true }),
	chunkOf("days.", { append: true, lastChunk: true }),
	statusOf("COMPLETED"),
];

async function readAll(stream: A2aStream): Promise<A2aStreamResponse[]> {
	const events: A2aStreamResponse[] = [];
	for await (const event of stream) events.push(event);
	return events;
}

const methodsOf = (calls: readonly ReceivedCall[]): string[] => calls.map(({ method }) => method);
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a stream", () => {
	it("gives the events, the task and the text, and sends the message once", async () => {
		const agent = serveAgent(server());
		serveTask(agent, LOG);
		const stream = agentAt(server()).stream("How long?");
		expect(stream.taskId).toBeUndefined();
		expect(await readAll(stream)).toEqual(LOG);
		expect(await stream.result()).toEqual({ task: toTask(LOG) });
		expect(await stream.text()).toBe("It takes five days.");
		expect(stream.taskId).toBe("task_1");
		expect(stream.requestId).toMatch(/^req_/);
		await later(50);
		expect(methodsOf(agent.calls)).toEqual(["SendStreamingMessage"]);
		const [call] = agent.calls;
		expect(call?.request.headers).toMatchObject({ accept: "text/event-stream", "a2a-version": "1.0" });
		expect(call?.request.headers).not.toHaveProperty("idempotency-key");
		expect(call?.params.message).toMatchObject({ role: "ROLE_USER", parts: [{ text: "How long?" }] });
		expect(call?.params.message?.messageId).toMatch(/^[\da-f]{32}$/);
	});

	it("of a message has no task", async () => {
		const agent = serveAgent(server());
		agent.on("SendStreamingMessage", ({ event, response }) => {
			event({ message: messageOf("Five days.") });
			response.end();
		});
		const stream = agentAt(server()).stream("How long?");
		expect(await stream.result()).toEqual({ message: messageOf("Five days.") });
		expect(await stream.text()).toBe("Five days.");
		expect(stream.taskId).toBeUndefined();
	});

	it.each(["FAILED", "REJECTED", "CANCELED"])(
		"of a task that ends as %s has a result, but no text",
		async (state) => {
			const message = messageOf(`Not with sk_secret_token: ${"x".repeat(9000)}`);
			const status = { ...taskOf(state).status, message };
			serveTask(serveAgent(server()), [{ task: taskOf("WORKING", { status }) }]);
			const stream = agentAt(server(), { token: "sk_secret_token" }).stream("How long?");
			expect(await stream.result()).toEqual({ task: taskOf(state, { status }) });
			const error = await stream.text().catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({ name: "A2aError", code: `task_${state.toLowerCase()}` });
			expect(JSON.stringify(error)).toContain("Not with [redacted]");
			expect(JSON.stringify(error).length).toBeLessThan(5000);
		},
	);

	it("ends where the task waits for someone, also if the agent leaves it open", async () => {
		const agent = serveAgent(server());
		const status = { ...taskOf("INPUT_REQUIRED").status, message: messageOf("Which one?") };
		agent.on("SendStreamingMessage", ({ event }) => event({ task: taskOf("x", { status }) }));
		const stream = agentAt(server()).stream("How long?");
		expect(await stream.text()).toBe("Which one?");
		expect(await readAll(stream)).toHaveLength(1);
	});

	it("ends at once where the task waits for someone and the agent ends it, too", async () => {
		const agent = serveAgent(server());
		serveTask(agent, [...LOG.slice(0, 3), statusOf("INPUT_REQUIRED")]);
		const stream = agentAt(server()).stream("How long?");
		expect(await readAll(stream)).toHaveLength(4);
		expect(await stream.text()).toBe("It takes ");
		await later(50);
		expect(methodsOf(agent.calls)).toEqual(["SendStreamingMessage"]);
	});

	it("that goes on with a task does not end with what the task waited for", async () => {
		const agent = serveAgent(server());
		agent.on("SendStreamingMessage", async ({ event, response }) => {
			event({ task: taskOf("INPUT_REQUIRED") });
			await later(1300);
			event(statusOf("COMPLETED"));
			response.end();
		});
		const stream = agentAt(server()).stream({ taskId: "task_1", parts: [{ text: "That one." }] });
		expect(await stream.result()).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
	});

	it("of an agent that cannot stream waits for the whole answer, however long it takes", async () => {
		const agent = serveAgent(server(), cardOf(server().url, { capabilities: {} }));
		agent.on("SendMessage", async ({ reply }) => {
			await later(1500);
			reply({ task: toTask(LOG) });
		});
		const stream = agentAt(server(), { timeouts: { headersTimeoutMs: 1000 } }).stream("How long?");
		expect(await readAll(stream)).toEqual([{ task: toTask(LOG) }]);
		expect(await stream.text()).toBe("It takes five days.");
	});

	it("works where only whole bodies can be had", async () => {
		serveTask(serveAgent(server()), LOG);
		const fetchUnstreamed = async (url: string, init: RequestInit) => {
			const response = await fetch(url, init);
			const text = await response.text();
			return { status: response.status, ok: response.ok, headers: response.headers, text: async () => text };
		};
		const stream = agentAt(server(), { fetch: fetchUnstreamed as never }).stream("How long?");
		expect(await readAll(stream)).toEqual(LOG);
	});

	it("goes over XMLHttpRequest in React Native, and leaves it when it has grown long", async () => {
		vi.stubGlobal("XMLHttpRequest", NodeXmlHttpRequest);
		vi.stubGlobal("Response", class {});
		const agent = serveAgent(server());
		const filler = "x".repeat(300_000);
		const fragments = Array.from({ length: 8 }, (_, at) =>
			chunkOf(filler, { artifactId: "big", append: at > 0 }),
		);
		serveTask(agent, [...LOG.slice(0, 5), ...fragments, statusOf("COMPLETED")]);
		expect((await agentAt(server()).stream("How long?").text()).length).toBe(8 * 300_000 + 21);
		expect(methodsOf(agent.calls)).toEqual(["SendStreamingMessage", "SubscribeToTask", "GetTask"]);
	});
});

describe("a stream that breaks", () => {
	const anyDisconnect: fc.Arbitrary<Disconnect> = fc.record({
		sentEvents: fc.integer({ min: 1, max: 6 }),
		missedEvents: fc.integer({ min: 0, max: 4 }),
		kind: fc.constantFrom("broken", "ended"),
	});

	it("comes to the same task, wherever it is cut", async () => {
		await fc.assert(
			fc.asyncProperty(anyLog, fc.array(anyDisconnect, { maxLength: 4 }), async (log, disconnects) => {
				const own = await createTestServer();
				try {
					const agent = serveAgent(own);
					serveTask(agent, log, disconnects);
					const stream = agentAt(own, { retryDelayMs: 0 }).stream("Go.");
					const events = await readAll(stream);
					expect(await stream.result()).toEqual({ task: toTask(log) });
					// What the reader was told leads there, too.
					expect(toTask(events.slice(lastTask(events))).status).toEqual(toTask(log).status);
					expect(methodsOf(agent.calls).filter((method) => method === "SendStreamingMessage")).toHaveLength(
						1,
					);
				} finally {
					await own.close();
				}
			}),
			{ numRuns: 60 },
		);
	});

	const lastTask = (events: readonly A2aStreamResponse[]): number =>
		events.map((event) => "task" in event).lastIndexOf(true);

	it("is taken up again by SubscribeToTask; what has not changed is told once", async () => {
		const agent = serveAgent(server());
		serveTask(agent, LOG, [
			{ sentEvents: 3, missedEvents: 1, kind: "broken" },
			{ sentEvents: 0, missedEvents: 0, kind: "broken" },
			{ sentEvents: 0, missedEvents: 0, kind: "ended" },
		]);
		const events = await readAll(agentAt(server()).stream("How long?"));
		expect(methodsOf(agent.calls)).toEqual(["SendStreamingMessage", ...Array(3).fill("SubscribeToTask")]);
		expect(events).toEqual([...LOG.slice(0, 3), { task: toTask(LOG.slice(0, 4)) }, ...LOG.slice(4)]);
	});

	it("asks for the task if it has ended meanwhile", async () => {
		const agent = serveAgent(server());
		serveTask(agent, LOG, [{ sentEvents: 2, missedEvents: 4, kind: "broken" }]);
		const stream = agentAt(server()).stream("How long?");
		expect(await stream.text()).toBe("It takes five days.");
		expect(methodsOf(agent.calls)).toEqual(["SendStreamingMessage", "SubscribeToTask", "GetTask"]);
	});

	it.each([-32004, -32601])("looks again and again where the agent cannot subscribe (%i)", async (code) => {
		const agent = serveAgent(server());
		serveTask(agent, LOG, [{ sentEvents: 1, missedEvents: 0, kind: "broken" }]);
		agent.on("SubscribeToTask", ({ fail }) => fail(code));
		let taskReads = 0;
		agent.on("GetTask", ({ reply }) => {
			taskReads += 1;
			reply(taskReads < 12 ? taskOf("WORKING") : toTask(LOG));
		});
		expect(await agentAt(server(), { retryDelayMs: 0 }).stream("How long?").text()).toBe(
			"It takes five days.",
		);
		expect(taskReads).toBe(12);
	});

	it("is not sent again where nothing is known of its task", async () => {
		const agent = serveAgent(server());
		const disconnects: ((call: ReceivedCall) => void)[] = [
			({ response }) => void response.socket?.destroy(),
			({ response }) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(": hi\n\n"),
		];
		for (const [index, disconnect] of disconnects.entries()) {
			agent.on("SendStreamingMessage", disconnect);
			await expect(agentAt(server()).stream("Go.").result()).rejects.toMatchObject({
				code: ["connection_failed", "stream_cut_off"][index],
			});
			expect(agent.calls).toHaveLength(index + 1);
		}
	});

	it("is sent again, as the same message, where nothing was begun", async () => {
		const agent = serveAgent(server());
		agent.on("SendStreamingMessage", (call) => {
			serveTask(agent, LOG);
			call.response.writeHead(503).end();
		});
		expect(await agentAt(server()).stream("How long?").text()).toBe("It takes five days.");
		const [first, second] = agent.calls.map(({ params }) => params.message?.messageId);
		expect(agent.calls).toHaveLength(2);
		expect(first).toBe(second);
	});

	it("is given up after eight tries that brought nothing", async () => {
		const agent = serveAgent(server());
		serveTask(agent, LOG, [{ sentEvents: 1, missedEvents: 0, kind: "broken" }]);
		agent.on("SubscribeToTask", ({ response }) => void response.socket?.destroy());
		const stream = agentAt(server()).stream("How long?");
		await expect(stream.result()).rejects.toMatchObject({ name: "StreamError", code: "stream_lost" });
		expect(agent.calls).toHaveLength(1 + 8);
	});

	it("comes back after silence", async () => {
		const agent = serveAgent(server());
		serveTask(agent, LOG);
		agent.on("SendStreamingMessage", ({ event }) => event(LOG[0]));
		const stream = agentAt(server(), { timeouts: { idleTimeoutMs: 600 } }).stream("How long?");
		expect(await stream.text()).toBe("It takes five days.");
	});

	it("is given up at once where the agent does not know the task any more", async () => {
		const agent = serveAgent(server());
		serveTask(agent, LOG, [{ sentEvents: 2, missedEvents: 0, kind: "broken" }]);
		agent.on("SubscribeToTask", ({ fail }) => fail(-32001));
		await expect(agentAt(server()).stream("Go.").result()).rejects.toMatchObject({ code: "task_not_found" });
		expect(agent.calls).toHaveLength(2);
	});
});

describe("a stream that is left", () => {
	/** A task that works until it is canceled. */
	function serveEndless() {
		const agent = serveAgent(server());
		const open = new Set<ReceivedCall>();
		const follow = (call: ReceivedCall) => {
			open.add(call);
			call.response.on("close", () => open.delete(call));
			call.event({ task: taskOf("WORKING") });
		};
		agent.on("SendStreamingMessage", follow);
		agent.on("SubscribeToTask", follow);
		agent.on("CancelTask", ({ reply }) => {
			reply(taskOf("CANCELED"));
			for (const { event, response } of open) {
				event(statusOf("CANCELED"));
				response.end();
			}
		});
		return { agent, open, cancels: () => agent.calls.filter(({ method }) => method === "CancelTask") };
	}

	it("by its loop or by close lets the task go on", async () => {
		const { open, cancels } = serveEndless();
		const client = agentAt(server());
		for await (const _ of client.stream("Go.")) break;
		const stream = client.stream("Go.");
		await expect.poll(() => stream.taskId).toBe("task_1");
		stream.close();
		await expect.poll(() => open.size).toBe(0);
		expect(cancels()).toHaveLength(0);
	});

	it("connects again where its result is wanted after all", async () => {
		const { agent, open } = serveEndless();
		const stream = agentAt(server()).stream("Go.");
		for await (const _ of stream) break;
		await expect.poll(() => open.size).toBe(0);
		const result = stream.result();
		await expect.poll(() => open.size).toBe(1);
		expect(methodsOf(agent.calls)).toEqual(["SendStreamingMessage", "SubscribeToTask"]);
		stream.cancel();
		expect(await result).toMatchObject({ task: { status: { state: "TASK_STATE_CANCELED" } } });
	});

	it("by cancel ends the task, and tells how", async () => {
		const { cancels } = serveEndless();
		const stream = agentAt(server()).stream("Go.");
		// Before its task is known.
		stream.cancel();
		expect(await readAll(stream)).toEqual([{ task: taskOf("WORKING") }, statusOf("CANCELED")]);
		expect(cancels().map(({ params }) => params.id)).toEqual(["task_1"]);
	});

	it("by an aborted signal ends the task, too", async () => {
		const { open, cancels } = serveEndless();
		const controller = new AbortController();
		const stream = agentAt(server()).stream("Go.", { signal: controller.signal });
		await expect.poll(() => stream.taskId).toBe("task_1");
		controller.abort(new Error("Enough."));
		await expect(stream.result()).rejects.toThrow("Enough.");
		await expect.poll(() => [cancels().length, open.size]).toEqual([1, 0]);
	});

	it("before it has begun sends nothing", async () => {
		const { agent } = serveEndless();
		const controller = new AbortController();
		const stream = agentAt(server()).stream("Go.", { signal: controller.signal });
		controller.abort(new Error("Enough."));
		await expect(readAll(stream)).rejects.toThrow("Enough.");
		await later(50);
		expect(agent.calls).toHaveLength(0);
	});

	it("without an event for too long ends the task", async () => {
		const { cancels } = serveEndless();
		const stream = agentAt(server(), { timeouts: { eventTimeoutMs: 800, idleTimeoutMs: 200 } }).stream("Go.");
		await expect(stream.result()).rejects.toMatchObject({ code: "event_timeout" });
		await expect.poll(() => cancels()).toHaveLength(1);
	});
});

describe("a task that is there", () => {
	it("is followed, also if it has ended", async () => {
		const agent = serveAgent(server());
		serveTask(agent, LOG, [{ sentEvents: 0, missedEvents: 3, kind: "ended" }]);
		const client = agentAt(server());
		const events = await readAll(client.subscribe("task_1"));
		expect(events[0]).toEqual({ task: taskOf("SUBMITTED") });
		const again = client.subscribe("task_1");
		expect(again.taskId).toBe("task_1");
		expect(await readAll(again)).toEqual([{ task: toTask(LOG) }]);
		expect(await again.text()).toBe("It takes five days.");
	});
});

describe("a stream of something else", () => {
	const hostile: readonly (readonly [string, (call: ReceivedCall) => void])[] = [
		[
			"another task",
			({ event }) =>
				event({
					...statusOf("WORKING"),
					statusUpdate: { taskId: "other", status: taskOf("WORKING").status },
				}),
		],
		["two things at once", ({ event }) => event({ task: taskOf("WORKING"), message: messageOf("x") })],
		["nothing", ({ event }) => event({})],
		["a task that is a list", ({ event }) => event({ task: [] })],
		[
			"an artifact without parts that are a list",
			({ event }) =>
				event({ artifactUpdate: { taskId: "task_1", artifact: { artifactId: "a", parts: "x" } } }),
		],
		["a status without a state", ({ event }) => event({ statusUpdate: { taskId: "task_1", status: {} } })],
		["no JSON", ({ response }) => void response.write("data: {nope\n\n")],
		[
			"another request's answer",
			({ response }) =>
				void response.write(
					`data: ${JSON.stringify({ jsonrpc: "2.0", id: "other", result: { task: taskOf("WORKING") } })}\n\n`,
				),
		],
		[
			"another protocol",
			({ response }) =>
				void response.write(`data: ${JSON.stringify({ result: { task: taskOf("WORKING") } })}\n\n`),
		],
	];

	it.each(hostile)("%s is refused", async (_, misbehave) => {
		const agent = serveAgent(server());
		agent.on("SendStreamingMessage", (call) => {
			call.event({ task: taskOf("SUBMITTED") });
			misbehave(call);
		});
		const stream = agentAt(server()).stream("Go.");
		await expect(stream.result()).rejects.toMatchObject({
			name: "A2aError",
			code: "invalid_agent_response",
			reason: "INVALID_AGENT_RESPONSE",
		});
		expect(agent.calls).toHaveLength(1);
	});

	it("an error half-way is the agent's own", async () => {
		const agent = serveAgent(server());
		agent.on("SendStreamingMessage", ({ event, response, request }) => {
			event({ task: taskOf("WORKING") });
			const { id } = request.json<{ id: string }>();
			response.write(
				`event: error\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "Broken." } })}\n\n`,
			);
		});
		await expect(agentAt(server()).stream("Go.").result()).rejects.toMatchObject({
			code: "internal_error",
			message: "Broken.",
			rpcCode: -32603,
		});
	});

	it.each([
		["an event without end", (): string => "x".repeat(2 ** 16)],
		[
			"artifacts without end",
			(id: string): string =>
				`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: chunkOf("x".repeat(50_000), { append: true }) })}\n\n`,
		],
		[
			"parts without end",
			(id: string): string =>
				`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: chunkOf("", { artifactId: `${Math.random()}` }) })}\n\n`,
		],
	])("%s ends the stream, with little memory", async (_, make) => {
		const agent = serveAgent(server());
		let sent = 0;
		agent.on("SendStreamingMessage", async ({ event, response, request }) => {
			event({ task: taskOf("WORKING") });
			const { id } = request.json<{ id: string }>();
			while (!response.destroyed) {
				const text = make(id);
				sent += text.length;
				if (!response.write(text)) await later(1);
			}
		});
		const stream = agentAt(server(), { maxResultBytes: 400_000 }).stream("Go.");
		await expect(stream.result()).rejects.toMatchObject({
			code: expect.stringMatching(/^(response_too_large|sse_event_too_large)$/),
		});
		expect(sent).toBeLessThan(2 ** 24);
	});
});
