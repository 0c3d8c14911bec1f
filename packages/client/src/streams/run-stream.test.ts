import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import {
	type AgentRunStream,
	agents,
	NotFoundError,
	RunFailedError,
	runs,
	StreamError,
	TimeoutError,
	type WireRunEvent,
} from "../index";
import {
	eventsOf,
	type FakeRunOptions,
	resultOf,
	serveRun,
	truncateMidEvent,
} from "../test-support/fake-run";
import { clientOf, useTestServer } from "../test-support/test-client";
import {
	closeConnection,
	neverRespond,
	respondWithError,
	respondWithEvents,
	respondWithHtml,
	sendEvents,
	toSse,
} from "../test-support/test-server";

const server = useTestServer();
const TEXT = "It takes five days.";

async function readAll(stream: AgentRunStream): Promise<WireRunEvent[]> {
	const events: WireRunEvent[] = [];
	for await (const event of stream) events.push(event);
	return events;
}

/** All events are there, each once, in order. */
async function expectCompleteStream(stream: AgentRunStream): Promise<void> {
	const events = await readAll(stream);
	expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
	expect(events.at(-1)?.type).toBe("run.completed");
	expect(await stream.text()).toBe(TEXT);
}

const paths = (): string[] => server().requests.map(({ method, path }) => `${method} ${path}`);
const start = (options?: FakeRunOptions) => {
	const run = serveRun(server(), options);
	return { run, desk: agents(clientOf(server())) };
};

describe("run", () => {
	it("gives the result, with the request's id", async () => {
		const { desk } = start();
		const result = await desk.run("desk", { input: "How long?", context: { customer: "Ada" } });
		expect(result).toEqual(resultOf("completed", TEXT));
		expect(result.requestId).toBe("req_1");
		expect(Object.keys(result)).not.toContain("requestId");
		expect(paths()).toEqual(["POST /v1/agents/desk/run"]);
		expect(server().requests[0]?.json()).toEqual({ input: "How long?", context: { customer: "Ada" } });
	});

	it.each(["completed", "paused", "cancelled"] as const)("resolves when the run is %s", async (status) => {
		const { desk } = start({ status });
		expect((await desk.run("desk", { input: "" })).status).toBe(status);
	});

	it("rejects a failed run with its result", async () => {
		const { desk } = start({ status: "failed" });
		const error = await desk.run("desk", { input: "" }).catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(RunFailedError.is);
		expect(error).toMatchObject({ code: "model_failed", hint: "Mend it.", result: { status: "failed" } });
	});

	it("rejects what was not started, with the service's error", async () => {
		server().on("POST /v1/agents/:id/run", respondWithError(404, { code: "agent_not_found" }));
		const error = await agents(clientOf(server()))
			.run("desk", { input: "" })
			.catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(NotFoundError.is);
	});

	it("checks and types the output by a schema", async () => {
		const { desk } = start({ words: ["7"] });
		const validate = (value: unknown) =>
			value === "7" ? { value: 7 } : { issues: [{ message: "Seven is wanted." }] };
		const output = { "~standard": { validate } };
		const result = await desk.run("desk", { input: "", output });
		expect(result.output + 1).toBe(8);
		expect(server().requests[0]?.json()).toEqual({ input: "" });
		serveRun(server(), { words: ["8"] });
		await expect(desk.run("desk", { input: "", output })).rejects.toMatchObject({ code: "output_invalid" });
	});
});

describe("stream", () => {
	it("gives events as they come, then the result", async () => {
		const { desk } = start();
		const stream = desk.stream("desk", { input: "" });
		expect(stream.run_id).toBeUndefined();
		await expectCompleteStream(stream);
		expect(stream).toMatchObject({ run_id: "run_1", run_token: "rt_secret_token", requestId: "req_1" });
	});

	it("keeps the run's token out of what is printed", async () => {
		const { desk } = start();
		const stream = desk.stream("desk", { input: "" });
		const events = await readAll(stream);
		expect(events[0]).toHaveProperty("run_token", "rt_secret_token");
		expect(`${inspect(stream)}${inspect(events)}${JSON.stringify(events)}`).not.toContain("rt_secret");
	});

	it("loses nothing when it is read late", async () => {
		const { desk } = start();
		const stream = desk.stream("desk", { input: "" });
		await stream.result();
		await expectCompleteStream(stream);
	});

	it("passes on kinds of events that it does not know", async () => {
		const { events } = serveRun(server());
		const future = { ...events[1], type: "run.dreamt", seq: 2 };
		server().on(
			"POST /v1/agents/:id/run",
			respondWithEvents([events[0], future, { ...events[5], seq: 9 }] as never),
		);
		const seen = await readAll(agents(clientOf(server())).stream("desk", { input: "" }));
		expect(seen.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
			"1 run.started",
			"2 run.dreamt",
			"9 run.completed",
		]);
	});

	it("refuses what is no event", async () => {
		server().on("POST /v1/agents/:id/run", (_, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" }).end("data: hello\n\n");
		});
		const stream = agents(clientOf(server())).stream("desk", { input: "" });
		await expect(readAll(stream)).rejects.toMatchObject({ code: "stream_invalid", requestId: "req_1" });
	});

	it.each([
		["no object", "[]"],
		["without its result", '{"type":"run.completed","seq":6,"run_id":"run_1"}'],
	])("refuses an event that is %s", async (_, data) => {
		const { events } = serveRun(server());
		server().on("POST /v1/agents/:id/run", (_, response) => {
			sendEvents(response, events.slice(0, 2));
			response.end(`data: ${data}\n\n`);
		});
		const stream = agents(clientOf(server())).stream("desk", { input: "" });
		await expect(stream.result()).rejects.toMatchObject({ code: "stream_invalid", requestId: "req_1" });
	});

	it("says at once when something else than the service answers", async () => {
		server().on("POST /v1/agents/:id/run", respondWithHtml);
		const stream = agents(clientOf(server())).stream("desk", { input: "" });
		await expect(readAll(stream)).rejects.toMatchObject({
			code: "invalid_response",
			hint: expect.stringContaining("`baseUrl`"),
			requestId: "req_1",
		});
		expect(server().requests).toHaveLength(1);
	});
});

describe("rejoining", () => {
	it.each([1, 2, 3, 4, 5, 6])("after a cut in event %i, without loss or repeats", async (cut) => {
		const { desk, run } = start({
			serve({ from, events, number }, response) {
				if (number === 1) return truncateMidEvent(response, events.slice(0, cut));
				sendEvents(response, events.slice(from));
				response.end();
			},
		});
		await expectCompleteStream(desk.stream("desk", { input: "" }));
		const [first, second] = server().requests;
		expect(run.keys.size).toBe(1);
		if (cut === 1) {
			expect(second?.path).toBe("/v1/agents/desk/run");
			expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
		} else {
			expect(second?.headers).toMatchObject({
				"last-event-id": String(cut - 1),
				"stemma-run-token": "rt_secret_token",
			});
			expect(paths()[1]).toBe("GET /v1/runs/run_1/events");
		}
	});

	it.each([
		["repeated", [1, 2, 3, 2, 3, 3, 4, 5, 6]],
		["overtaken, without a loss", [1, 2, 4, 3, 5, 4, 3, 6]],
	])("passes on each event once where some are %s", async (_, order) => {
		const { desk } = start({
			serve({ events }, response) {
				sendEvents(response, order.map((seq) => events[seq - 1]) as WireRunEvent[]);
				response.end();
			},
		});
		const seqs = (await readAll(desk.stream("desk", { input: "" }))).map(({ seq }) => seq);
		expect(seqs).toEqual([...new Set(order)]);
	});

	it("ends where the credential was taken away meanwhile", async () => {
		const { desk } = start({
			serve: ({ events }, response) => truncateMidEvent(response, events.slice(0, 4)),
		});
		server().on("GET /v1/runs/:id/events", respondWithError(401, { code: "invalid_token" }));
		const stream = desk.stream("desk", { input: "" });
		await expect(readAll(stream)).rejects.toMatchObject({ status: 401, code: "invalid_token" });
		await expect(stream.result()).rejects.toMatchObject({ code: "invalid_token" });
		expect(server().requests).toHaveLength(2);
	});

	it("outlasts a proxy's page, once the service has answered", async () => {
		const { desk } = start({
			serve({ from, events, number }, response) {
				if (number === 1) return truncateMidEvent(response, events.slice(0, 4));
				if (number === 2) return void response.setHeader("content-type", "text/html").end("<html>");
				sendEvents(response, events.slice(from));
				response.end();
			},
		});
		await expectCompleteStream(desk.stream("desk", { input: "" }));
	});

	it("passes over events that it has seen", async () => {
		const { desk } = start({
			serve({ events, number }, response) {
				if (number === 1) return truncateMidEvent(response, events.slice(0, 4));
				sendEvents(response, events);
				response.end();
			},
		});
		await expectCompleteStream(desk.stream("desk", { input: "" }));
	});

	it("outlasts a restart, refused connections included", async () => {
		const { desk } = start({
			serve({ from, events, number }, response) {
				if (number > 1) {
					sendEvents(response, events.slice(from));
					return void response.end();
				}
				sendEvents(response, events.slice(0, 3));
				setTimeout(() => void server().restart(60), 20);
			},
		});
		await expectCompleteStream(desk.stream("desk", { input: "" }));
	});

	it("outlasts many drops, as long as each brings something new", async () => {
		const words = Array.from({ length: 20 }, (_, index) => `${index} `);
		const { desk } = start({
			words,
			serve({ from, events }, response) {
				sendEvents(response, events.slice(from, from + 1));
				response.end();
			},
		});
		expect(await readAll(desk.stream("desk", { input: "" }))).toHaveLength(22);
	});

	it("rejoins a stream that has fallen silent, with `idleTimeoutMs`", async () => {
		const { desk } = start({
			serve({ from, events, number }, response) {
				sendEvents(response, events.slice(from, number === 1 ? 3 : undefined));
				if (number > 1) response.end();
			},
		});
		await expectCompleteStream(desk.stream("desk", { input: "" }, { timeouts: { idleTimeoutMs: 600 } }));
	});

	it("takes heartbeats for signs of life", async () => {
		const { desk } = start({
			serve({ events }, response) {
				sendEvents(response, events.slice(0, 3));
				const heartbeat = setInterval(() => response.write(": beat\n\n"), 40);
				setTimeout(() => {
					clearInterval(heartbeat);
					response.end(events.slice(3).map(toSse).join(""));
				}, 3000);
			},
		});
		await expectCompleteStream(desk.stream("desk", { input: "" }, { timeouts: { idleTimeoutMs: 1500 } }));
		expect(server().requests).toHaveLength(1);
	});

	it("gives up in the end, and says what to do", async () => {
		const { desk } = start({
			serve: ({ events }, response) => truncateMidEvent(response, events.slice(0, 3)),
		});
		const stream = desk.stream("desk", { input: "" });
		const error = await readAll(stream).catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(StreamError.is);
		expect(error).toMatchObject({ code: "stream_lost", message: expect.stringContaining("run_1") });
		await expect(stream.result()).rejects.toBe(error);
	});

	it("does not wait for hours, if that is what the service asks", async () => {
		const { desk } = start({
			serve: ({ events }, response) => truncateMidEvent(response, events.slice(0, 3)),
		});
		const later = { "retry-after": "3600" };
		server().on("GET /v1/runs/:id/events", respondWithError(429, { code: "rate_limited" }, later));
		await expect(desk.run("desk", { input: "" })).rejects.toMatchObject({ code: "rate_limited" });
	});

	it("gives up at once where the service refuses", async () => {
		const { desk } = start({
			serve: ({ events }, response) => truncateMidEvent(response, events.slice(0, 3)),
		});
		server().on("GET /v1/runs/:id/events", respondWithError(410, { code: "events_expired" }));
		await expect(desk.run("desk", { input: "" })).rejects.toMatchObject({
			code: "events_expired",
			status: 410,
		});
		expect(server().requests).toHaveLength(2);
	});

	it("reads the run where the start is answered with its result", async () => {
		serveRun(server());
		server().on("POST /v1/agents/:id/run", (_, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ ...resultOf("completed", TEXT), run_token: "rt_secret_token" }));
		});
		await expectCompleteStream(agents(clientOf(server())).stream("desk", { input: "" }));
	});

	it("starts one run, however often the start must be sent", async () => {
		const { run } = start();
		const served = agents(clientOf(server()));
		server().sequence("POST /v1/agents/:id/run", closeConnection, closeConnection, (request, response) => {
			run.isCancelled = false;
			sendEvents(response, run.events);
			response.end();
			expect(request.headers["idempotency-key"]).toBe(server().requests[0]?.headers["idempotency-key"]);
		});
		await expectCompleteStream(served.stream("desk", { input: "" }));
		expect(server().requests).toHaveLength(3);
	});
});

/** Sends the first events and then stays open, until the run is cancelled. */
const waiting = (sent: number): FakeRunOptions => ({
	serve({ events }, response) {
		sendEvents(response, events.slice(0, sent));
		const timer = setInterval(() => {
			if (!paths().includes("POST /v1/runs/run_1/cancel")) return;
			clearInterval(timer);
			const end = { ...events[5], type: "run.cancelled", seq: 6, result: resultOf("cancelled", "It ") };
			response.end(toSse(end));
		}, 5);
		response.on("close", () => clearInterval(timer));
	},
});

describe("leaving", () => {
	it("the loop detaches; the run goes on, and its result can still be had", async () => {
		const { desk, run } = start({
			serve({ from, events, number }, response) {
				sendEvents(response, events.slice(from, number === 1 ? 3 : undefined));
				if (number > 1) response.end();
			},
		});
		const stream = desk.stream("desk", { input: "" });
		for await (const { type } of stream) if (type === "text.delta") break;
		expect((await stream.result()).output).toBe(TEXT);
		expect(run.isCancelled).toBe(false);
		expect(paths()).toEqual(["POST /v1/agents/desk/run", "GET /v1/runs/run_1/events"]);
	});

	it("leaves the run alone: neither its time nor a later abort stops it", async () => {
		const { desk, run } = start(waiting(2));
		const abortController = new AbortController();
		const stream = desk.stream(
			"desk",
			{ input: "" },
			{ signal: abortController.signal, timeouts: { timeoutMs: 1000 } },
		);
		for await (const { type } of stream) if (type === "text.delta") break;
		await expect.poll(() => getEventListeners(abortController.signal, "abort")).toEqual([]);
		await new Promise((resolve) => setTimeout(resolve, 1200));
		abortController.abort();
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(run.isCancelled).toBe(false);
		// Whoever asks for the result again is under both again.
		await expect(stream.result()).rejects.toBe(abortController.signal.reason);
		await expect.poll(() => run.isCancelled).toBe(true);
	});

	it("at once does not keep the run from being started", async () => {
		const { desk } = start(waiting(2));
		const stream = desk.stream("desk", { input: "" });
		stream.close();
		expect(await readAll(stream)).toEqual([]);
		await expect.poll(() => stream.run_id).toBe("run_1");
		expect(paths()).toEqual(["POST /v1/agents/desk/run"]);
	});
});

describe("stopping", () => {
	it("cancel() stops the run and reads on to its end", async () => {
		const { desk } = start(waiting(3));
		const stream = desk.stream("desk", { input: "" });
		const types: string[] = [];
		for await (const { type } of stream) {
			types.push(type);
			if (type === "text.delta") stream.cancel();
		}
		expect(types.at(-1)).toBe("run.cancelled");
		expect((await stream.result()).status).toBe("cancelled");
		expect(server().requests.at(-1)?.headers["stemma-run-token"]).toBe("rt_secret_token");
		expect(paths().filter((path) => path.endsWith("/cancel"))).toHaveLength(1);
	});

	it("hands its functions on alone, and is not wrapped by what observes objects", async () => {
		const { cancel, close, result } = start().desk.stream("desk", { input: "" });
		close();
		expect((await result()).status).toBe("completed");
		cancel();
		expect(Object.isExtensible(start().desk.stream("desk", { input: "" }))).toBe(false);
	});

	it("cancel() asks again where it failed before", async () => {
		const { desk } = start({ serve: ({ events }, response) => sendEvents(response, events.slice(0, 2)) });
		const stream = desk.stream("desk", { input: "" });
		await expect.poll(() => stream.run_id).toBe("run_1");
		server().on("POST /v1/runs/:id/cancel", respondWithError(500, { code: "internal_error" }));
		const cancels = () => paths().filter((path) => path.endsWith("/cancel")).length;
		stream.cancel();
		await expect.poll(() => cancels()).toBe(1);
		await vi.waitFor(() => {
			stream.cancel();
			expect(cancels()).toBeGreaterThan(1);
		}, 30_000);
		stream.close();
	});

	it("cancel() before the run is known stops it as soon as it is", async () => {
		const { desk } = start(waiting(1));
		const stream = desk.stream("desk", { input: "" });
		stream.cancel();
		stream.close();
		await expect.poll(() => paths()).toContain("POST /v1/runs/run_1/cancel");
	});

	it("an aborted signal rejects with its reason, and stops the run", async () => {
		const { desk } = start(waiting(2));
		const controller = new AbortController();
		const reason = new Error("enough");
		const stream = desk.stream("desk", { input: "" }, { signal: controller.signal });
		const reading = (async () => {
			for await (const { type } of stream) if (type === "text.delta") controller.abort(reason);
		})();
		await expect(reading).rejects.toBe(reason);
		await expect(stream.result()).rejects.toBe(reason);
		await expect.poll(() => paths()).toContain("POST /v1/runs/run_1/cancel");
	});

	it("an abort before the run is known stops it as soon as it is", async () => {
		const { desk } = start({
			serve: ({ events }, response) => void setTimeout(() => sendEvents(response, events.slice(0, 1)), 100),
		});
		const controller = new AbortController();
		const failed = desk.run("desk", { input: "" }, { signal: controller.signal }).catch((error) => error);
		await expect.poll(() => server().requests).toHaveLength(1);
		controller.abort("no");
		expect(await failed).toBe("no");
		await expect.poll(() => paths()).toContain("POST /v1/runs/run_1/cancel");
	});

	it("an abort before anything was sent sends nothing", async () => {
		const { desk } = start();
		const controller = new AbortController();
		const failed = desk.run("desk", { input: "" }, { signal: controller.signal }).catch((error) => error);
		controller.abort("no");
		expect(await failed).toBe("no");
		await new Promise((resolve) => setTimeout(resolve, 30));
		expect(paths()).toEqual([]);
	});

	it.each([
		["before", 0],
		["during", 60],
	])("an abort %s the answer that nothing was started does not start it", async (_, abortMs) => {
		const { desk } = start();
		server().on("POST /v1/agents/:id/run", (_, response) => {
			setTimeout(() => response.writeHead(503, { "retry-after": "0.1" }).end(), 30);
		});
		const controller = new AbortController();
		const failed = desk.run("desk", { input: "" }, { signal: controller.signal }).catch((error) => error);
		await expect.poll(() => server().requests).toHaveLength(1);
		await new Promise((resolve) => setTimeout(resolve, abortMs));
		controller.abort("no");
		expect(await failed).toBe("no");
		await new Promise((resolve) => setTimeout(resolve, 250));
		expect(paths()).toEqual(["POST /v1/agents/desk/run"]);
	});

	it("an abort before the call sends nothing", async () => {
		const { desk } = start();
		const failed = desk.run("desk", { input: "" }, { signal: AbortSignal.abort("no") });
		await expect(failed).rejects.toBe("no");
		expect(paths()).toEqual([]);
	});

	it("timeoutMs stops the run, too", async () => {
		const { desk } = start(waiting(2));
		const error = await desk
			.run("desk", { input: "" }, { timeouts: { timeoutMs: 1000 } })
			.catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(TimeoutError.is);
		expect(error).toMatchObject({ timeout: "timeoutMs" });
		await expect.poll(() => paths()).toContain("POST /v1/runs/run_1/cancel");
	});

	it("eventTimeoutMs stops a run that sends no events, whatever else it sends", async () => {
		const { desk } = start({
			serve({ events }, response) {
				sendEvents(response, events.slice(0, 2));
				const heartbeat = setInterval(() => response.write(": beat\n\n"), 20);
				response.on("close", () => clearInterval(heartbeat));
			},
		});
		const stream = desk.stream(
			"desk",
			{ input: "" },
			{ timeouts: { eventTimeoutMs: 1500, idleTimeoutMs: 1000 } },
		);
		const error = await readAll(stream).catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(TimeoutError.is);
		expect(error).toMatchObject({ timeout: "eventTimeoutMs", code: "event_timeout" });
		await expect.poll(() => paths()).toContain("POST /v1/runs/run_1/cancel");
	});

	it("eventTimeoutMs does not stop a run whose events come, nor one that was left", async () => {
		const { desk, run } = start({
			serve({ events }, response) {
				sendEvents(response, events.slice(0, 1));
				events.slice(1).forEach((event, index) => {
					setTimeout(() => response.write(toSse(event)), 700 * (index + 1));
				});
			},
		});
		const timeouts = { eventTimeoutMs: 2000 };
		const detachedRun = desk.stream("desk", { input: "" }, { timeouts });
		for await (const _ of detachedRun) break;
		expect((await desk.run("desk", { input: "" }, { timeouts })).status).toBe("completed");
		expect(run.isCancelled).toBe(false);
	});

	it("lets go of the signal, and of every failure that nobody waits for", async () => {
		const warnings: unknown[] = [];
		const recordWarning = (what: unknown): void => void warnings.push(what);
		process.on("unhandledRejection", recordWarning).on("warning", recordWarning);
		const { desk } = start();
		const { signal } = new AbortController();
		const streams = Array.from({ length: 100 }, () => desk.stream("desk", { input: "" }, { signal }));
		expect(getEventListeners(signal, "abort").length).toBeLessThan(10);
		await Promise.all(streams.map((stream) => stream.result()));
		server().on("POST /v1/agents/:id/run", respondWithError(404, { code: "agent_not_found" }));
		for (let count = 0; count < 100; count++) desk.stream("desk", { input: "" }, { signal });
		await expect.poll(() => getEventListeners(signal, "abort")).toHaveLength(0);
		await new Promise((resolve) => setTimeout(resolve, 20));
		process.off("unhandledRejection", recordWarning).off("warning", recordWarning);
		expect(warnings).toEqual([]);
	});

	it("headersTimeoutMs alone fails the start", async () => {
		server().on("POST /v1/agents/:id/run", neverRespond);
		const failed = agents(clientOf(server())).run(
			"desk",
			{ input: "" },
			{ timeouts: { headersTimeoutMs: 50 } },
		);
		await expect(failed).rejects.toMatchObject({ timeout: "headersTimeoutMs" });
	});
});

describe("where fetch cannot stream", () => {
	it("starts in the background, and polls", async () => {
		vi.stubGlobal("Response", class {});
		try {
			const { desk } = start();
			await expectCompleteStream(desk.stream("desk", { input: "" }));
		} finally {
			vi.unstubAllGlobals();
		}
		expect(server().requests[0]?.json()).toEqual({ input: "", background: true });
		expect(paths()).toEqual(["POST /v1/agents/desk/run", ...Array(3).fill("GET /v1/runs/run_1/events")]);
		expect(
			server()
				.requests.slice(1)
				.map(({ query }) => query.toString()),
		).toEqual(["after=0&wait_ms=25000", "after=2&wait_ms=25000", "after=4&wait_ms=25000"]);
	});

	it("reads a body whole where it turns out to be missing", async () => {
		serveRun(server());
		const fetch = async (url: string, init: object) => {
			const response = await globalThis.fetch(url, init);
			const text = await response.text();
			return { ok: response.ok, status: response.status, headers: response.headers, text: async () => text };
		};
		await expectCompleteStream(agents(clientOf(server(), { fetch })).stream("desk", { input: "" }));
	});
});

describe("a run that paused", () => {
	const at = { run_id: "run_1", at: "2026-01-01T00:00:00.000Z" };
	const [, ...rest] = eventsOf(["It ", "takes ", "five ", "days."]);
	const log = [
		{ type: "run.started", seq: 1, ...at },
		{ type: "run.paused", seq: 2, ...at, result: resultOf("paused", null) },
		{ type: "run.resumed", seq: 3, ...at },
		...rest.map((event, index) => ({ ...event, seq: index + 4 })),
	] as WireRunEvent[];
	const seqsOf = (events: readonly WireRunEvent[]): number[] => events.map(({ seq }) => seq);
	const follow = () => runs(clientOf(server())).stream("run_1");

	it("and was resumed is read to its end", async () => {
		server().on("GET /v1/runs/:id/events", respondWithEvents(log));
		const stream = follow();
		expect(seqsOf(await readAll(stream))).toEqual(seqsOf(log));
		expect((await stream.result()).status).toBe("completed");
	});

	it("is read on where the connection broke before it was told that it goes on", async () => {
		server().sequence(
			"GET /v1/runs/:id/events",
			(_, response) => {
				sendEvents(response, log.slice(0, 2));
				setTimeout(() => response.socket?.destroy(), 20);
			},
			respondWithEvents(log.slice(2)),
		);
		expect(seqsOf(await readAll(follow()))).toEqual(seqsOf(log));
	});

	it.each(["ends", "stays open"])("ends the stream where its body %s after that", async (bodyEnd) => {
		server().on("GET /v1/runs/:id/events", (_, response) => {
			sendEvents(response, log.slice(0, 2));
			if (bodyEnd === "ends") response.end();
		});
		const stream = follow();
		expect(seqsOf(await readAll(stream))).toEqual([1, 2]);
		expect((await stream.result()).status).toBe("paused");
		expect(server().requests).toHaveLength(1);
	});

	it("stands where its connection broke, and cannot be had again", async () => {
		server().sequence(
			"GET /v1/runs/:id/events",
			(_, response) => {
				sendEvents(response, log.slice(0, 2));
				setTimeout(() => response.socket?.destroy(), 20);
			},
			respondWithError(404, { code: "run_not_found" }),
		);
		expect((await follow().result()).status).toBe("paused");
	});

	it("has its result for whoever left at that event", async () => {
		server().on("GET /v1/runs/:id/events", ({ headers }, response) => {
			// As the service does: who knows of the pause waits for what comes next.
			if (headers["last-event-id"] === undefined) sendEvents(response, log.slice(0, 2));
			else sendEvents(response, []);
		});
		const stream = follow();
		for await (const { type } of stream) if (type === "run.paused") break;
		expect((await stream.result()).status).toBe("paused");
	});

	it("is followed from the pause on by whoever asks for that, as long as it takes", async () => {
		server().on("GET /v1/runs/:id/events", ({ headers }, response) => {
			expect(headers["last-event-id"]).toBe("2");
			sendEvents(response, []);
			setTimeout(() => response.end(log.slice(2).map(toSse).join("")), 50);
		});
		const stream = runs(clientOf(server())).stream("run_1", { after: 2 });
		expect(seqsOf(await readAll(stream))).toEqual(seqsOf(log.slice(2)));
		expect((await stream.result()).status).toBe("completed");
		expect(server().requests).toHaveLength(1);
	});
});

describe("runs.stream", () => {
	it("joins a run by its id, from where one likes", async () => {
		serveRun(server());
		const stream = runs(clientOf(server())).stream("run_1", { after: 3, run_token: "rt_secret_token" });
		expect((await readAll(stream)).map(({ seq }) => seq)).toEqual([4, 5, 6]);
		expect(server().requests[0]?.headers).toMatchObject({ "last-event-id": "3" });
	});

	it.each(["eventTimeoutMs", "timeoutMs"] as const)(
		"does not stop a run that it follows with %s",
		async (name) => {
			const { events } = serveRun(server());
			server().on("GET /v1/runs/:id/events", (_, response) => {
				sendEvents(response, events.slice(0, 2));
				const heartbeat = setInterval(() => response.write(": beat\n\n"), 20);
				response.on("close", () => clearInterval(heartbeat));
			});
			const timeouts = { [name]: 1000 };
			const error = await readAll(runs(clientOf(server())).stream("run_1", { timeouts })).catch(
				(thrown: unknown) => thrown,
			);
			expect(error).toMatchObject({ timeout: name });
			await new Promise((resolve) => setTimeout(resolve, 250));
			expect(server().requests.map(({ path }) => path)).not.toContain("/v1/runs/run_1/cancel");
		},
	);

	it("refuses runs that are not there", async () => {
		serveRun(server());
		await expect(runs(clientOf(server())).stream("run_1").result()).rejects.toSatisfy(NotFoundError.is);
	});
});
