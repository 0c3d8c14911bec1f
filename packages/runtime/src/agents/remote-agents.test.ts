import { ApiError, ConnectionError } from "@stemma/client";
import { cancelled, completed, finalText, started } from "@stemma/simulators/run-events";
import { describe, expect, it, vi } from "vitest";
import {
	createGate,
	createTestRuntime,
	followEvents,
	readEvents,
	STREAMED,
	scriptedRemote,
} from "../test-support/scripted";

const agents = { far: { remoteAgentId: "ag_1" } };
const ID = "run_remote";

async function* wholeRun() {
	yield started(ID);
	yield finalText(ID, 2, "Hello.");
	yield completed(ID, 3, "Hello.");
}

async function* failing(error: Error) {
	if (error !== undefined) throw error;
	yield started(ID);
}

describe("a manifest", () => {
	it("passes the service's events through, with their own id and numbers", async () => {
		const remote = scriptedRemote(wholeRun);
		const { post, get } = await createTestRuntime({ agents, remote });
		const request = { input: { q: 1 }, context: { a: "b" } };
		const events = await readEvents(await post("/run/far", request, { ...STREAMED, "stemma-depth": "2" }));
		expect(events).toEqual([started(ID), finalText(ID, 2, "Hello."), completed(ID, 3, "Hello.")]);
		expect(remote.calls).toEqual([["ag_1", request, { signal: expect.any(AbortSignal), depth: 3 }]]);
		expect(await (await get(`/runs/${ID}/events?after=2`)).json()).toMatchObject({
			data: [{ seq: 3 }],
			done: true,
		});
	});

	it("answers with the service's result, by either name", async () => {
		const { post } = await createTestRuntime({ agents, remote: scriptedRemote(wholeRun) });
		for (const name of ["far", "ag_1"])
			expect(await (await post(`/run/${name}`, { input: "hi" })).json()).toMatchObject({
				run_id: ID,
				output: "Hello.",
			});
	});

	it.each([
		[
			{ status: 404, code: "agent_not_found", message: "No such agent." },
			404,
			"agent_not_found",
			'"far.json" (ag_1)',
		],
		[{ status: 401, code: "invalid_credentials", message: "No." }, 502, "upstream_refused", "credentials"],
		[{ status: 403, code: "missing_scope", message: "No." }, 502, "upstream_refused", "credentials"],
		[
			{ status: 422, code: "agent_not_runnable", message: "It needs a tool." },
			422,
			"agent_not_runnable",
			"It needs a tool.",
		],
		[
			{ status: 429, code: "too_many_runs", message: "Later.", retryAfterMs: 1500 },
			429,
			"too_many_runs",
			"Later.",
		],
		[
			{ status: 500, code: "internal_error", message: "secret detail" },
			502,
			"upstream_unavailable",
			"could not be reached",
		],
		[{ status: 503, code: "shutting_down", message: "x" }, 502, "upstream_unavailable", "not ready"],
	])("turns the service's error %j into %i %s", async (fields, status, code, message) => {
		const remote = scriptedRemote(() => failing(new ApiError(fields)));
		const { post } = await createTestRuntime({ agents, remote });
		const response = await post("/run/far", { input: "hi" });
		expect(response.status).toBe(status);
		expect(response.headers.get("retry-after")).toBe(status === 429 ? "2" : null);
		const { error } = await response.json();
		expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
		expect(JSON.stringify(error)).not.toContain("secret detail");
	});

	it("says so when the service cannot be reached", async () => {
		const remote = scriptedRemote(() => failing(new ConnectionError("refused")));
		const { post, lines } = await createTestRuntime({ agents, remote });
		const response = await post("/run/far", { input: "hi" }, STREAMED);
		expect(response.status).toBe(502);
		expect(await response.json()).toMatchObject({ error: { code: "upstream_unavailable" } });
		expect(lines).toEqual([]);
	});

	it.each([
		[
			"breaks",
			"upstream_unavailable",
			async function* () {
				yield started(ID);
				yield finalText(ID, 4, "Hel");
				throw new ConnectionError("The connection broke.");
			},
		],
		[
			"stops",
			"upstream_unavailable",
			async function* () {
				yield started(ID);
				yield finalText(ID, 4, "Hel");
			},
		],
		[
			"fails as nobody expected",
			"internal_error",
			async function* () {
				yield started(ID);
				yield finalText(ID, 4, "Hel");
				throw new Error("odd");
			},
		],
	])("ends a run as failed, with what there was, when its stream %s", async (_, code, script) => {
		const { post } = await createTestRuntime({ agents, remote: scriptedRemote(script) });
		const events = await readEvents(await post("/run/far", { input: "hi" }, STREAMED));
		expect(events.at(-1)).toMatchObject({
			type: "run.failed",
			run_id: ID,
			seq: 5,
			error: { code },
			result: { run_id: ID, status: "failed", output: "Hel", error: { code } },
		});
	});

	it("cancels the run at the service, and passes its last event on", async () => {
		const remote = scriptedRemote(async function* ([, , { signal }]) {
			yield started(ID);
			await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
			yield cancelled(ID, 9, "so far");
		});
		const { post } = await createTestRuntime({ agents, remote });
		const stream = followEvents(await post("/run/far", { input: "hi" }, STREAMED));
		await stream.next();
		expect(await (await post(`/runs/${ID}/cancel`)).json()).toMatchObject({ last_seq: 9 });
		expect((await stream.next()).value).toMatchObject({ type: "run.cancelled", seq: 9 });
	});
});

describe("close", () => {
	it("takes no new runs, lets those under way end, and answers them", async () => {
		const gate = createGate();
		const remote = scriptedRemote(async function* () {
			yield started(ID);
			await gate.opened;
			yield completed(ID, 2, "Done.");
		});
		const { post, close, get } = await createTestRuntime({ agents, remote });
		const answer = post("/run/far", { input: "hi" });
		await expect.poll(async () => (await get(`/runs/${ID}/events`)).status).toBe(200);
		const closed = close(5000);
		const refused = await post("/run/far", { input: "hi" });
		expect({ status: refused.status, wait: refused.headers.get("retry-after") }).toEqual({
			status: 503,
			wait: "5",
		});
		expect(await refused.json()).toMatchObject({ error: { code: "shutting_down" } });
		gate.open();
		await closed;
		expect(await (await answer).json()).toMatchObject({ status: "completed" });
	});

	it("cancels what does not end in time, with a last event even where the service is mute", async () => {
		vi.useFakeTimers();
		const remote = scriptedRemote(async function* () {
			yield started(ID);
			yield finalText(ID, 2, "Hel");
			await new Promise(() => undefined);
		});
		const { post, close } = await createTestRuntime({ agents, remote });
		const stream = await post("/run/far", { input: "hi" }, STREAMED);
		const events = readEvents(stream);
		const closed = close(3000);
		await vi.advanceTimersByTimeAsync(2900);
		expect(remote.calls[0]?.[2].signal.aborted).toBe(false);
		await vi.advanceTimersByTimeAsync(200);
		expect(remote.calls[0]?.[2].signal.aborted).toBe(true);
		await vi.advanceTimersByTimeAsync(2100);
		await closed;
		vi.useRealTimers();
		expect((await events).at(-1)).toMatchObject({
			type: "run.failed",
			seq: 3,
			error: { code: "shutting_down" },
			result: { status: "failed", output: "Hel" },
		});
	});
});
