import { getEventListeners } from "node:events";
import { agents, ask, chatCompletions, createClient, type FetchResponse } from "@stemma/client";
import { describe, expect, it } from "vitest";
import { INPUT, readAll } from "./calls";
import { CLIENT_KEY } from "./credentials";
import { useServerFixture, watchProcess } from "./server-fixture";

const EVENTS = [
	{ type: "run.started", seq: 1, run_id: "run_1", at: "2026-01-01T00:00:00.000Z" },
	{
		type: "run.completed",
		seq: 2,
		run_id: "run_1",
		at: "2026-01-01T00:00:00.000Z",
		result: { run_id: "run_1", status: "completed", output: "Done.", citations: [], receipt: [] },
	},
];
const TEXT = EVENTS.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;
const fixture = useServerFixture();

describe("10,000 runs on one signal", () => {
	watchProcess();

	it("leave no listener on it, and no more than those under way have at any time", {
		timeout: 120_000,
	}, async () => {
		const fetch = async (): Promise<FetchResponse> =>
			new Response(TEXT, { headers: { "content-type": "text/event-stream" } });
		const desk = agents(createClient({ clientKey: CLIENT_KEY, baseUrl: "http://127.0.0.1:1", fetch }));
		const { signal } = new AbortController();
		let max = 0;
		for (let round = 0; round < 100; round++) {
			const results = Array.from({ length: 100 }, () => desk.run("desk", INPUT, { signal }));
			max = Math.max(max, listeners(signal));
			for (const { status } of await Promise.all(results)) expect(status).toBe("completed");
		}
		expect(max).toBeLessThanOrEqual(200);
		expect(listeners(signal)).toBe(0);
	});

	it("leave none when they fail, either", async () => {
		const fetch = async (): Promise<FetchResponse> => {
			throw new TypeError("fetch failed");
		};
		const client = createClient({
			clientKey: CLIENT_KEY,
			baseUrl: "http://127.0.0.1:1",
			fetch,
			maxRetries: 0,
		});
		const { signal } = new AbortController();
		const runs = Array.from({ length: 1000 }, () => agents(client).run("desk", INPUT, { signal }));
		const outcomes = await Promise.allSettled(runs);
		expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
		expect(listeners(signal)).toBe(0);
	});
});

describe("1,000 streams that are aborted at once", () => {
	it("all end with the reason, stop their runs, and leave nothing", async () => {
		const { server, client } = fixture();
		const shared = client({ timeouts: { headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 } });
		const OPEN = { kind: "events", maxEvents: 1, ending: "silence" } as const;
		server.setDefault("run", OPEN);
		server.setDefault("ask", { ...OPEN, data: [{ type: "text.delta", seq: 1, text: "x" }] });
		server.setDefault("chat", { ...OPEN, data: [{ choices: [] }] });
		const controller = new AbortController();
		const options = { signal: controller.signal };
		const question = { question: "How long?", knowledge_base_ids: ["kb_1"] };
		const chat = { model: "default", messages: [{ role: "user" as const, content: "q" }] };
		const streams: AsyncIterable<unknown>[] = [
			...Array.from({ length: 600 }, () => agents(shared).stream("desk", INPUT, options)),
			...Array.from({ length: 200 }, () => ask(shared).stream(question, options)),
			...Array.from({ length: 200 }, () => chatCompletions(shared).stream(chat, options)),
		];
		const reading = Promise.allSettled(streams.map((stream) => readAll(stream)));
		await expect.poll(() => server.openResponses, { timeout: 120_000 }).toBe(1000);
		const reason = new Error("All of them.");
		controller.abort(reason);
		for (const outcome of await reading) expect(outcome).toEqual({ status: "rejected", reason });
		expect(listeners(controller.signal)).toBe(0);
		await expect
			.poll(() => server.runs.filter((run) => run.isCancelled).length, { timeout: 120_000 })
			.toBe(600);
		await expect.poll(() => server.openResponses, { timeout: 120_000 }).toBe(0);
	});

	it("before they began, send nothing", async () => {
		const { server, client } = fixture();
		const shared = client();
		const signal = AbortSignal.abort(new Error("Never."));
		const streams = Array.from({ length: 1000 }, () => agents(shared).stream("desk", INPUT, { signal }));
		const outcomes = await Promise.allSettled(streams.map((stream) => stream.result()));
		expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
		expect(server.requests).toEqual([]);
	});
});
