import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { type AgentRunStream, agents, ask } from "../index";
import { eventsOf } from "../test-support/fake-run";
import { clientOf, useTestServer } from "../test-support/test-client";
import { sendEvents, toSse } from "../test-support/test-server";
import type { WireRunEvent } from "../types/run";

const server = useTestServer();
/** Some thirty megabytes. */
const EVENT_COUNT = 100_000;
const COUNT = 30_000;
const WORD = "w".repeat(100);
const MEGABYTE = 2 ** 20;

const [first, word] = eventsOf([WORD]) as [WireRunEvent, WireRunEvent];
const last = eventsOf([]).at(-1) as WireRunEvent;

function eventAt(seq: number, count: number, terminal = last): WireRunEvent {
	if (seq === 1) return first;
	return { ...(seq === count ? terminal : word), seq };
}

const waitUntilDrained = (response: ServerResponse): Promise<void> =>
	new Promise((resolve) => {
		const go = (): void => {
			response.off("drain", go).off("close", go);
			resolve();
		};
		response.on("drain", go).on("close", go);
	});

/** A run of many events, each connection written as fast as it is read. */
function serveLongRun(count = COUNT, terminal = last) {
	const counters = { connections: 0, sent: 0 };
	const send = async (from: number, response: ServerResponse): Promise<void> => {
		counters.connections += 1;
		sendEvents(response, []);
		for (let seq = from + 1; seq <= count && !response.destroyed; ) {
			let text = "";
			for (const end = Math.min(count, seq + 99); seq <= end; seq++)
				text += toSse(eventAt(seq, count, terminal));
			counters.sent += text.length;
			if (!response.write(text)) await waitUntilDrained(response);
		}
		response.end();
	};
	server().on("POST /v1/agents/:id/run", (_, response) => send(0, response));
	server().on("GET /v1/runs/:id/events", ({ headers }, response) =>
		send(Number(headers["last-event-id"]), response),
	);
	return counters;
}

const later = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until no more is sent. */
async function waitUntilStalled(counters: { readonly sent: number }): Promise<void> {
	for (let before = -1; before !== counters.sent; ) {
		before = counters.sent;
		await later(150);
	}
}

/** All events are there, each once, in order. */
async function expectAll(stream: AgentRunStream, count = COUNT): Promise<void> {
	let expected = 1;
	for await (const { seq } of stream) {
		if (seq !== expected) expect(seq).toBe(expected);
		expected += 1;
	}
	expect(expected - 1).toBe(count);
}

describe("a run that is read slowly", () => {
	it("waits, and silence does not count meanwhile", async () => {
		const counters = serveLongRun(EVENT_COUNT);
		const timeouts = { idleTimeoutMs: 2000, eventTimeoutMs: 2000 };
		const stream = agents(clientOf(server())).stream("desk", { input: "" }, { timeouts });
		await waitUntilStalled(counters);
		// The rest waits in buffers of sockets.
		expect(counters.sent).toBeLessThan(12 * MEGABYTE);
		await later(3000);
		await expectAll(stream, EVENT_COUNT);
		expect(counters.connections).toBe(1);
	});

	it("goes on without its events where its result is awaited; they are read again when their turn comes", async () => {
		const counters = serveLongRun();
		const stream = agents(clientOf(server())).stream("desk", { input: "" });
		await waitUntilStalled(counters);
		expect((await stream.result()).status).toBe("completed");
		expect(counters.connections).toBe(1);
		await expectAll(stream);
		expect(counters.connections).toBe(2);
	});

	it("is read again up to a pause, too", async () => {
		const paused = eventsOf([], "paused").at(-1);
		const counters = serveLongRun(COUNT, paused);
		const stream = agents(clientOf(server())).stream("desk", { input: "" });
		await waitUntilStalled(counters);
		expect((await stream.result()).status).toBe("paused");
		await expectAll(stream);
		expect(counters.connections).toBe(2);
	});

	it("can be read and awaited at the same time", async () => {
		serveLongRun();
		const stream = agents(clientOf(server())).stream("desk", { input: "" });
		const reading = expectAll(stream);
		expect((await stream.result()).status).toBe("completed");
		await reading;
	});

	it("can be left while it waits", async () => {
		const counters = serveLongRun();
		const stream = agents(clientOf(server())).stream("desk", { input: "" });
		await waitUntilStalled(counters);
		stream.close();
		for await (const _ of stream) expect.unreachable();
		expect((await stream.result()).status).toBe("completed");
	});

	it("tells when events are not kept any more", async () => {
		const counters = serveLongRun();
		const stream = agents(clientOf(server())).stream("desk", { input: "" });
		await waitUntilStalled(counters);
		await stream.result();
		server().on("GET /v1/runs/:id/events", (_, response) => {
			response.writeHead(410, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { code: "events_expired", message: "They are gone." } }));
		});
		await expect(expectAll(stream)).rejects.toMatchObject({ code: "events_expired" });
		expect((await stream.result()).status).toBe("completed");
	});
});

describe("an answer that is read slowly", () => {
	const answer = { answer: "", citations: [], passages: [], receipt: [], usage: {} };

	function serveLongStream() {
		const counters = { sent: 0 };
		server().on("POST /v1/ask", async (_, response) => {
			sendEvents(response, []);
			for (let seq = 1; seq < 20_000 && !response.destroyed; seq++) {
				const text = toSse({ type: "text.delta", seq, text: WORD.repeat(10) } as never);
				counters.sent += text.length;
				if (!response.write(text)) await waitUntilDrained(response);
			}
			response.end(toSse({ type: "ask.completed", seq: 20_000, answer } as never));
		});
		return counters;
	}
	const request = { question: "?", knowledge_base_ids: ["kb_1"] };

	it("waits, and loses nothing", async () => {
		const counters = serveLongStream();
		const stream = ask(clientOf(server())).stream(request);
		await waitUntilStalled(counters);
		expect(counters.sent).toBeLessThan(12 * MEGABYTE);
		let count = 0;
		for await (const _ of stream) count += 1;
		expect(count).toBe(20_000);
	});

	it("goes on where it is awaited; its events are not kept then, and who reads them is told so", async () => {
		const counters = serveLongStream();
		const stream = ask(clientOf(server())).stream(request);
		await waitUntilStalled(counters);
		expect(await stream.answer()).toEqual(answer);
		const reading = (async () => {
			for await (const _ of stream);
		})();
		await expect(reading).rejects.toMatchObject({ code: "events_dropped" });
	});
});
