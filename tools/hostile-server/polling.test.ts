import { setTimeout as wait } from "node:timers/promises";
import { agents, type ConnectionOptions } from "@stemma/client";
import type { Behaviour } from "@stemma/simulators/hostile";
import { describe, expect, it } from "vitest";
import { INPUT, readAll } from "./calls";
import { catchError, SHORT_TIMEOUTS, useServerFixture } from "./server-fixture";

const fixture = useServerFixture();
const page = (body: unknown): Behaviour => ({
	kind: "status",
	status: 200,
	body: { text: JSON.stringify(body) },
});
const event = { type: "text.delta", seq: 2, run_id: "run_1", at: "2026-01-01T00:00:00.000Z" };

/** As where no body can be read piece by piece. */
const polling = (options?: ConnectionOptions) => agents({ ...fixture().client(options), canStream: false });

describe("a run that is polled", () => {
	it("is started in the background, and gives its events", async () => {
		const { server } = fixture();
		const events = await readAll(polling().stream("desk", INPUT));
		expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(server.requests.map(({ route }) => route)).toEqual(["run", "events"]);
		expect(JSON.parse(server.requests[0]?.text ?? "")).toMatchObject({ background: true });
	});

	it.each<readonly [string, Behaviour]>([
		["are reset", { kind: "reset", when: "before-headers" }],
		["break off", { kind: "reset", when: "in-body" }],
		["are answered by a gateway", { kind: "status", status: 502, body: "html" }],
		["end before anything happened", page({ data: [], done: true })],
	])("goes on after polls that %s", async (_, behaviour) => {
		const { server } = fixture();
		server.enqueue("events", page({ data: [{ ...event, type: "run.started", seq: 1 }], done: false }));
		server.enqueue("events", behaviour, behaviour);
		const events = await readAll(polling().stream("desk", INPUT));
		expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(server.runs).toHaveLength(1);
		const cursors = server.requests.slice(1).map(({ query }) => query.get("after"));
		expect(cursors).toEqual(["0", "1", "1", "1"]);
	});

	it("goes on after polls that never end", async () => {
		const { server } = fixture();
		server.enqueue("events", page({ data: [{ ...event, seq: 1 }], done: false }));
		server.enqueue("events", { kind: "silence", after: "request" }, { kind: "silence", after: "headers" });
		expect((await polling({ timeouts: SHORT_TIMEOUTS }).run("desk", INPUT)).status).toBe("completed");
	});

	it.each([
		["no list", {}],
		["a list that is none", { data: 7 }],
		["nothing", { data: [null], done: false }],
		["what is no event", { data: [{ ...event, seq: "2" }], done: false }],
		["an end without a result", { data: [{ ...event, type: "run.completed" }], done: true }],
	])("ends with an error that says so where it gives %s", async (_, body) => {
		const { server } = fixture();
		server.setDefault("events", page(body));
		expect(await catchError(polling().run("desk", INPUT))).toMatchObject({ code: "stream_invalid" });
		expect(server.requests).toHaveLength(2);
	});

	it("ends at once where its events are gone", async () => {
		const { server } = fixture();
		server.setDefault("events", { kind: "status", status: 410, body: "api-error" });
		expect(await catchError(polling().run("desk", INPUT))).toMatchObject({ status: 410, code: "some_code" });
		expect(server.requests).toHaveLength(2);
	});

	it("whose start has no id ends with an error that blames the answer", async () => {
		fixture().server.setDefault("run", page({}));
		expect(await catchError(polling().run("desk", INPUT))).toMatchObject({ code: "invalid_response" });
	});

	it("is not asked for without a pause where polls are not held back", async () => {
		const { server } = fixture();
		server.setDefault("events", page({ data: [], done: false }));
		const controller = new AbortController();
		const call = polling({ retryDelayMs: 100 }).run("desk", INPUT, { signal: controller.signal });
		await wait(500);
		controller.abort();
		await catchError(call);
		expect(server.requests.length).toBeLessThan(25);
	});
});
