import { agents, runs } from "@stemma/client";
import type { EventStream } from "@stemma/simulators/hostile";
import { describe, expect, it } from "vitest";
import { INPUT, readAll } from "./calls";
import { catchError, SHORT_TIMEOUTS, useServerFixture } from "./server-fixture";

const WORDS = Array.from({ length: 2000 }, (_, index) => `${index} `);
const fixture = useServerFixture();
const SILENT: EventStream = { kind: "events", maxEvents: 3, ending: "heartbeats" };

describe("a service that is restarted on the same port", () => {
	it("goes on with the run where it was", async () => {
		const { server, client } = fixture();
		server.enqueue("run", SILENT);
		const seqs: number[] = [];
		for await (const event of agents(client()).stream("desk", INPUT)) {
			seqs.push(event.seq);
			if (event.seq === 3) await server.restart({ downMs: 30 });
		}
		expect(seqs).toEqual([1, 2, 3, 4, 5, 6]);
		expect(server.runs).toHaveLength(1);
	});

	it.each([
		["knows the run no more", 404, "NotFoundError", "run_not_found"],
		["has its events no more", 410, "ApiError", "events_expired"],
	])("and %s ends the stream at once: %i", async (_, status, name, code) => {
		const { server, client } = fixture();
		server.enqueue("run", SILENT);
		const text = JSON.stringify({ error: { code, message: "They are gone.", hint: "Start anew." } });
		if (status === 410) server.setDefault("events", { kind: "status", status, body: { text } });
		const stream = agents(client()).stream("desk", INPUT);
		for await (const event of stream) if (event.seq === 3) break;
		const result = stream.result();
		await server.restart({ losesRuns: true });
		expect(await catchError(result)).toMatchObject({ name, status, code });
		expect(server.requests.length).toBeLessThanOrEqual(3);
	});

	it("before a run has told its id starts it anew, with the same key", async () => {
		const { server, client } = fixture();
		server.enqueue("run", { kind: "events", maxEvents: 0, ending: "heartbeats" });
		const result = agents(client()).run("desk", INPUT);
		await expect.poll(() => server.requests.length).toBe(1);
		await server.restart({ losesRuns: true, downMs: 10 });
		expect((await result).status).toBe("completed");
		expect(new Set(server.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
	});

	it("is asked again with the same idempotency key by whoever gave one", async () => {
		const { server, client } = fixture();
		const desk = agents(client());
		for (let time = 0; time < 2; time++) await desk.run("desk", INPUT, { idempotencyKey: "order-7" });
		expect(server.runs).toHaveLength(1);
	});
});

describe("two thousand drops in a row", () => {
	const fixtureWithManyRuns = useServerFixture({ words: WORDS });

	it.each(["cut", "end"] as const)(
		"lose nothing and repeat nothing (%s)",
		{ timeout: 120_000 },
		async (ending) => {
			const { server, client } = fixtureWithManyRuns();
			const one: EventStream = { kind: "events", maxEvents: 1, replay: 1, ending };
			server.setDefault("run", one);
			server.setDefault("events", one);
			const stream = agents(client({ retryDelayMs: 0 })).stream("desk", INPUT);
			const seqs = (await readAll(stream)).map(({ seq }) => seq);
			expect(seqs).toEqual(WORDS.map((_, index) => index + 1).concat(2001, 2002));
			// What is read and not yet passed on is lost with its connection.
			expect(server.requests.length).toBeGreaterThanOrEqual(2002);
			expect(server.requests.length).toBeLessThan(2200);
			expect(await stream.text()).toBe(WORDS.join(""));
		},
	);
});

describe("a run that is to stop", () => {
	it("is stopped, though its stream never spoke again", async () => {
		const { server, client } = fixture();
		server.enqueue("run", { ...SILENT, ending: "silence" });
		const stream = agents(client({ timeouts: SHORT_TIMEOUTS })).stream("desk", INPUT);
		const events: string[] = [];
		for await (const event of stream) {
			events.push(event.type);
			if (event.seq === 3) stream.cancel();
		}
		expect(events.at(-1)).toBe("run.cancelled");
		expect((await stream.result()).status).toBe("cancelled");
	});

	it.each([
		["fails", { kind: "status", status: 500 }],
		["never ends", { kind: "silence", after: "request" }],
	] as const)("by an abort is given up at once, even if stopping it %s", async (_, behaviour) => {
		const { server, client } = fixture();
		server.setDefault("run", SILENT);
		server.setDefault("cancel", behaviour);
		const controller = new AbortController();
		const stream = agents(client({ timeouts: SHORT_TIMEOUTS })).stream("desk", INPUT, {
			signal: controller.signal,
		});
		const reason = new Error("Enough.");
		setTimeout(() => controller.abort(reason), 50);
		expect(await catchError(readAll(stream))).toBe(reason);
		expect(await catchError(stream.result())).toBe(reason);
		await expect.poll(() => server.requests.map(({ route }) => route)).toContain("cancel");
	});

	it("before the service has taken it is not started after all", async () => {
		const { server, client } = fixture();
		server.enqueue("run", { kind: "status", status: 503, headers: { "retry-after": "1" } });
		const call = agents(client()).run("desk", INPUT, { signal: AbortSignal.timeout(200) });
		await catchError(call);
		await new Promise((resolve) => setTimeout(resolve, 1500));
		expect(server.runs).toHaveLength(0);
	});

	it("that is there already is followed by its id, and stopped by an abort", async () => {
		const { server, client } = fixture();
		server.enqueue("run", SILENT);
		const started = agents(client()).stream("desk", INPUT);
		for await (const event of started) if (event.seq === 3) break;
		server.setDefault("events", { ...SILENT, maxEvents: 0 });
		const controller = new AbortController();
		const { run_token } = started;
		const joined = runs(client()).stream("run_1", { run_token, after: 3, signal: controller.signal });
		setTimeout(() => controller.abort(), 50);
		expect(await catchError(readAll(joined))).toMatchObject({ name: "AbortError" });
		await expect.poll(() => server.runs[0]?.isCancelled).toBe(true);
	});
});
