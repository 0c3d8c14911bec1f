import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agents, ask, chatCompletions, createClient, type StemmaClient } from "../index";
import { eventsOf } from "../test-support/fake-run";
import { CLIENT_KEY } from "../test-support/test-client";
import { toSse } from "../test-support/test-server";

const run = eventsOf(["It"]).map(toSse).join("");
const answer = { answer: "It", citations: [], passages: [], receipt: [], usage: {} };
const askCompleted = toSse({ type: "ask.completed", seq: 1, answer } as never);
const askFailed = toSse({ type: "ask.failed", seq: 1, error: { code: "c", message: "No." } } as never);
const chat = 'data: {"choices":[]}\n\ndata: [DONE]\n\n';

/** How long after the last event the body ends. */
const END_MS = 30;
let server: Server;
let client: StemmaClient;
let body: string;
let sockets: number;
let responses: ServerResponse[];
let isEnded: boolean;

beforeEach(async () => {
	[sockets, responses, isEnded] = [0, [], true];
	server = createServer((request, response) => {
		request.resume();
		responses.push(response);
		response.writeHead(200, { "content-type": "text/event-stream" }).write(body);
		if (isEnded) setTimeout(() => response.end(), END_MS);
	});
	server.on("connection", () => {
		sockets += 1;
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	client = createClient({ clientKey: CLIENT_KEY, baseUrl: `http://127.0.0.1:${port}` });
});
afterEach(() => {
	server.closeAllConnections();
	server.close();
});

async function readAll(events: AsyncIterable<unknown>): Promise<void> {
	for await (const _ of events);
}

const question = { question: "?", knowledge_base_ids: ["kb_1"] };
const messages = [{ role: "user" as const, content: "?" }];

describe.each<readonly [string, string, () => PromiseLike<unknown>]>([
	["a run", run, () => agents(client).run("desk", { input: "" })],
	["the events of a run", run, () => readAll(agents(client).stream("desk", { input: "" }))],
	["an answer", askCompleted, () => ask(client)(question)],
	["an answer that failed", askFailed, () => ask(client)(question).catch(() => undefined)],
	["a completion", chat, () => readAll(chatCompletions(client).stream({ model: "m", messages }))],
])("the connection of %s", (_, text, call) => {
	it("serves the next one, as its body is read to the end", async () => {
		body = text;
		// Where the next one comes before this side has seen the end, it opens another.
		for (let count = 0; count < 60 && sockets === responses.length; count++) {
			await call();
			await expect.poll(() => responses.at(-1)?.writableFinished).toBe(true);
			await wait(3 * END_MS);
		}
		expect(sockets).toBeLessThan(responses.length);
	});

	it("is closed soon where the body does not end, and nobody waits for that", async () => {
		[body, isEnded] = [text, false];
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
		try {
			// Time does not go on: what waited for it would never end.
			await call();
			vi.advanceTimersByTime(5000);
		} finally {
			vi.useRealTimers();
		}
		await expect.poll(() => responses[0]?.destroyed).toBe(true);
	});
});
