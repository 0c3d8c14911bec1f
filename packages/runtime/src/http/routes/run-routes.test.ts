import { afterEach, describe, expect, it, vi } from "vitest";
import {
	createGate,
	createTestRuntime,
	followEvents,
	graph,
	readEvents,
	readSse,
	STREAMED,
	scriptedPorts,
	scriptedRemote,
} from "../../test-support/scripted";

describe("POST /run/:agentId", () => {
	it("answers with the result", async () => {
		const { post } = await createTestRuntime();
		const response = await post("/run/desk", { input: "hi" });
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toBe("application/json");
		expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/);
		expect(response.headers.get("stemma-version")).toMatch(/^\d+\.\d+\.\d+/);
		expect(await response.json()).toMatchObject({
			run_id: expect.stringMatching(/^run_/),
			status: "completed",
			output: "You said hi.",
			receipt: [{ node: "desk", payer: "none" }],
		});
	});

	it.each([
		["by the header", STREAMED, {}],
		["by a header with more in it", { accept: "application/json;q=0.5, text/event-stream; q=1" }, {}],
		["by the body", {}, { stream: true }],
	])("streams events %s", async (_, headers, body) => {
		const { post } = await createTestRuntime();
		const response = await post("/run/desk", { input: "hi", ...body }, headers);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "text/event-stream",
			"cache-control": "no-cache, no-transform",
			"x-accel-buffering": "no",
		});
		const events = await readSse(response);
		const parsed = events.map(({ data }) => JSON.parse(data));
		expect(events.map(({ lastEventId }) => lastEventId)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
		expect(parsed.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
		expect(events.map(({ event }) => event)).toEqual(parsed.map(({ type }) => type));
		for (const { at } of parsed) expect(new Date(at).toISOString()).toBe(at);
		expect(parsed.at(-1)).toMatchObject({ type: "run.completed", result: { output: "You said hi." } });
	});

	it.each([
		[{ stream: false }, STREAMED],
		[{}, { accept: "text/event-stream;q=0" }],
		[{}, { accept: "*/*" }],
	])("answers in one piece for %j and %j", async (body, headers) => {
		const { post } = await createTestRuntime();
		const response = await post("/run/desk", { input: "hi", ...body }, headers);
		expect(await response.json()).toMatchObject({ status: "completed" });
	});

	it("fills the instructions from the context", async () => {
		const asking = { nodes: [{ id: "desk", kind: "coordinator", instructions: "For {{context.name}}." }] };
		const { post } = await createTestRuntime({ agents: { desk: asking } });
		const good = await post("/run/desk", { input: "hi", context: { name: "Ada" } });
		expect(await good.json()).toMatchObject({ status: "completed" });
		const missing = await post("/run/desk", { input: "hi" });
		expect(missing.status).toBe(200);
		expect(await missing.json()).toMatchObject({
			status: "failed",
			error: { message: expect.stringContaining("context.name") },
		});
	});

	it("answers 200 for a run that failed", async () => {
		const ports = scriptedPorts(() => {
			throw new Error("no voice");
		});
		const { post } = await createTestRuntime({ ports });
		const response = await post("/run/desk", { input: "hi" });
		expect(response.status).toBe(200);
		expect(await response.json()).toMatchObject({ status: "failed", error: { message: "no voice" } });
	});

	it.each([
		["no input", {}, 400, "invalid_request", "input"],
		[
			"a system role",
			{ input: { messages: [{ role: "system", content: "Be brief." }] } },
			400,
			"invalid_request",
			"input.messages[0].role",
		],
		[
			"a picture",
			{ input: { messages: [{ role: "user", content: [{ type: "text", text: "?" }, { type: "image" }] }] } },
			400,
			"invalid_request",
			"input.messages[0].content[1]",
		],
		["context that is a list", { input: "hi", context: [1] }, 400, "invalid_request", "context"],
		["context that is null", { input: "hi", context: null }, 400, "invalid_request", "context"],
		["stream that is text", { input: "hi", stream: "yes" }, 400, "invalid_request", "stream"],
		["an unknown field", { input: "hi", background: true }, 400, "unknown_field", "background"],
		["__proto__", '{"input":"hi","__proto__":{"stream":true}}', 400, "unknown_field", "__proto__"],
		["no body", "", 400, "invalid_json", undefined],
		["no JSON", "{input: 1}", 400, "invalid_json", undefined],
		[
			"bytes that are no text",
			new Blob([new Uint8Array([0x22, 0xff, 0x22])]),
			400,
			"invalid_json",
			undefined,
		],
		["a list", "[]", 400, "invalid_request", undefined],
		["deep nesting", `{"input":${"[".repeat(9e5)}${"]".repeat(9e5)}}`, 400, "invalid_request", "input[0][0]"],
		["values without end", `{"input":[${"{},".repeat(100_000)}{}]}`, 400, "invalid_request", "input"],
		["2 MiB and a little", JSON.stringify({ input: "a".repeat(2 ** 21) }), 413, "body_too_large", undefined],
	])("refuses %s", async (_, body, status, code, param) => {
		const { post, lines } = await createTestRuntime();
		const response = await post("/run/desk", body, { "x-request-id": "abc" });
		const { error } = await response.json();
		expect({ status: response.status, code: error.code, param: error.param }).toEqual({
			status,
			code,
			param,
		});
		expect(error).toMatchObject({ request_id: "abc", message: expect.stringMatching(/\.$/) });
		expect(response.headers.get("x-request-id")).toBe("abc");
		expect(lines).toEqual([]);
	});

	it("lists every field that is wrong", async () => {
		const { post } = await createTestRuntime();
		const { error } = await (await post("/run/desk", { input: "hi", a: 1, b: 2 })).json();
		expect(error.details.issues.map(({ path }: { path: string }) => path)).toEqual(["a", "b"]);
		expect(error.hint).toBe("Expected fields: input, context, stream.");
	});

	it.each([
		[{ "content-type": "text/plain" }, 415, "unsupported_media_type"],
		[{ "stemma-depth": "9" }, 400, "agent_loop"],
		[{ "stemma-depth": "two" }, 400, "invalid_request"],
		[{ "stemma-depth": "-1" }, 400, "invalid_request"],
		[{ "idempotency-key": "x".repeat(201) }, 400, "invalid_request"],
		[{ "idempotency-key": "é" }, 400, "invalid_request"],
		[{ "content-length": "3000000" }, 413, "body_too_large"],
	])("refuses the headers %j", async (headers, status, code) => {
		const { post } = await createTestRuntime();
		const response = await post("/run/desk", { input: "hi" }, headers);
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ error: { code } });
	});

	it("refuses deep nesting also where the body is hashed for a key", async () => {
		const { post } = await createTestRuntime();
		const body = `{"input":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
		expect((await post("/run/desk", body, { "idempotency-key": "k" })).status).toBe(400);
	});

	it("stops reading a body without a length at 2 MiB", async () => {
		const { fetch } = await createTestRuntime();
		let sent = 0;
		const body = new ReadableStream({
			pull(controller) {
				sent += 100_000;
				controller.enqueue(new Uint8Array(100_000).fill(0x20));
			},
		});
		const request = new Request("http://127.0.0.1/run/desk", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body,
			duplex: "half",
		} as RequestInit);
		expect((await fetch(request)).status).toBe(413);
		expect(sent).toBeLessThan(2_500_000);
	});

	it("names the agents that there are", async () => {
		const { post } = await createTestRuntime({ agents: { desk: graph, other: graph, bad: {} } });
		const response = await post("/run/dask", { input: "hi" });
		expect(response.status).toBe(404);
		expect(await response.json()).toMatchObject({
			error: { code: "agent_not_found", details: { agents: ["desk", "other"] } },
		});
	});

	it("refuses an invalid agent with its issues", async () => {
		const { post } = await createTestRuntime({ agents: { desk: { nodes: [] } } });
		const response = await post("/run/desk", { input: "hi" });
		expect(response.status).toBe(422);
		expect(await response.json()).toMatchObject({
			error: {
				code: "agent_invalid",
				message: expect.stringContaining("desk.json"),
				details: { issues: [{ path: ["nodes"] }] },
			},
		});
	});

	it("passes the depth on, one more", async () => {
		const depths: number[] = [];
		const ports = ({ depth }: { readonly depth: number }) => {
			depths.push(depth);
			return scriptedPorts();
		};
		const { post } = await createTestRuntime({ ports });
		await post("/run/desk", { input: "hi" }, { "stemma-depth": "8" });
		await post("/run/desk", { input: "hi" }, { "stemma-depth": "8" });
		expect(depths).toEqual([1, 9]);
	});

	it("answers 500 for what nobody expected, with a line in the log and no secret", async () => {
		const ports = ({ depth }: { readonly depth: number }) => {
			if (depth > 1) throw new Error("broken\nwith s3cret");
			return scriptedPorts();
		};
		const { post, lines } = await createTestRuntime({ ports, token: "s3cret" });
		const response = await post(
			"/run/desk?x=1",
			{ input: "hi" },
			{ "stemma-depth": "3", authorization: "Bearer s3cret", "x-request-id": "r1" },
		);
		expect(response.status).toBe(500);
		const text = await response.text();
		expect(JSON.parse(text)).toMatchObject({ error: { code: "internal_error", request_id: "r1" } });
		expect(text).not.toContain("broken");
		expect(lines).toEqual([
			expect.stringMatching(/^error: POST \/run\/desk r1: Error: broken with <token> at [^\n]*$/),
		]);
	});
});

describe("Idempotency-Key", () => {
	const key = { "idempotency-key": "k1" };

	it("gives the same answer again, as a result or as a stream from the first event", async () => {
		let runCount = 0;
		const { post } = await createTestRuntime({ ports: scriptedPorts(() => `Answer ${++runCount}.`) });
		const first = await (await post("/run/desk", { input: "hi" }, key)).json();
		const second = await (await post("/run/desk", { input: "hi" }, key)).json();
		expect(second).toEqual(first);
		const events = await readEvents(await post("/run/desk", '{ "input" : "hi" }', { ...key, ...STREAMED }));
		expect(events[0]).toMatchObject({ type: "run.started", seq: 1, run_id: first.run_id });
		expect(runCount).toBe(1);
	});

	it("joins a run under way, also when both requests come at once", async () => {
		const gate = createGate();
		let runCount = 0;
		const ports = scriptedPorts(async () => {
			runCount += 1;
			await gate.opened;
			return "Late.";
		});
		const { post } = await createTestRuntime({ ports });
		const both = [post("/run/desk", { input: "hi" }, key), post("/run/desk", { input: "hi" }, key)];
		const stream = await post("/run/desk", { input: "hi", stream: true }, key);
		gate.open();
		const [one, two] = await Promise.all(both.map(async (response) => (await response).json()));
		expect(one).toEqual(two);
		expect((await readEvents(stream)).at(-1)).toMatchObject({ result: { run_id: one.run_id } });
		expect(runCount).toBe(1);
	});

	it.each([
		["/run/desk", { input: "ho" }],
		["/run/other", { input: "hi" }],
		["/run/desk", { input: "hi", context: {} }],
	])("refuses another request with it: %s %j", async (path, body) => {
		const { post } = await createTestRuntime({ agents: { desk: graph, other: graph } });
		await post("/run/desk", { input: "hi" }, key);
		const response = await post(path, body, key);
		expect(response.status).toBe(409);
		expect(await response.json()).toMatchObject({ error: { code: "idempotency_conflict" } });
	});

	it("leaves the key free when nothing was started", async () => {
		let calls = 0;
		const { post } = await createTestRuntime({
			agents: { far: { remoteAgentId: "ag_1" } },
			remote: {
				...scriptedRemote(() => [] as never),
				run() {
					calls += 1;
					throw new Error("down");
				},
			},
		});
		for (const _ of [1, 2]) expect((await post("/run/far", { input: "hi" }, key)).status).toBe(500);
		expect(calls).toBe(2);
	});
});

describe("a run detaches", () => {
	afterEach(() => vi.useRealTimers());

	const slowRuntime = async () => {
		const gate = createGate();
		const runtime = await createTestRuntime({
			agents: { desk: { ...graph, limits: { timeoutMs: 86_400_000 } } },
			ports: scriptedPorts(() => gate.opened.then(() => "Done at last.")),
		});
		return { ...runtime, gate };
	};

	it("goes on when its stream is left, and is rejoined where it was", async () => {
		const { post, get, gate } = await slowRuntime();
		let runId = "";
		for await (const event of followEvents(await post("/run/desk", { input: "hi" }, STREAMED))) {
			runId = event.run_id;
			if (event.seq === 2) break;
		}
		gate.open();
		const rest = await get(`/runs/${runId}/events`, { ...STREAMED, "last-event-id": "2" });
		const events = await readEvents(rest);
		expect(events.map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7]);
		expect(events.at(-1)).toMatchObject({ type: "run.completed" });
		const after = await readEvents(await get(`/runs/${runId}/events?after=6`, STREAMED));
		expect(after.map(({ seq }) => seq)).toEqual([7]);
	});

	it("is read by long polls", async () => {
		const { post, get, gate } = await slowRuntime();
		const stream = followEvents(await post("/run/desk", { input: "hi" }, STREAMED));
		const { value: first } = await stream.next();
		const path = `/runs/${first?.run_id}/events`;
		const page = await (await get(`${path}?after=0`)).json();
		expect(page).toMatchObject({ data: [{ seq: 1 }, { seq: 2 }], done: false });
		expect(await (await get(`${path}?after=2&wait_ms=5`)).json()).toEqual({ data: [], done: false });
		const waiting = get(`${path}?after=2&wait_ms=20000`);
		gate.open();
		expect((await (await waiting).json()).data[0]).toMatchObject({ seq: 3 });
		await vi.waitFor(async () => {
			expect(await (await get(`${path}?after=6`)).json()).toMatchObject({ data: [{ seq: 7 }], done: true });
		}, 30_000);
		expect(await (await get(`${path}?after=99&wait_ms=20000`)).json()).toEqual({ data: [], done: true });
	});

	it("sends a comment every 15 seconds of silence", async () => {
		vi.useFakeTimers();
		const { post, gate } = await slowRuntime();
		const reader = (await post("/run/desk", { input: "hi" }, STREAMED)).body?.getReader();
		const read = async () => new TextDecoder().decode((await reader?.read())?.value);
		for (let text = ""; !text.includes("node.started"); ) text = await read();
		let text = "";
		const next = async () => {
			text += await read();
		};
		const silent = next();
		await vi.advanceTimersByTimeAsync(14_900);
		const before = text;
		await vi.advanceTimersByTimeAsync(200);
		await silent;
		expect({ before, text }).toEqual({ before: "", text: ": still here\n\n" });
		gate.open();
		await next();
		expect(text).toContain("event: text.delta");
	});

	it("is cancelled after 10 minutes without a watcher, and not before", async () => {
		vi.useFakeTimers();
		const { post, get } = await slowRuntime();
		const stream = followEvents(await post("/run/desk", { input: "hi" }, STREAMED));
		const { value: first } = await stream.next();
		await vi.advanceTimersByTimeAsync(3_600_000);
		const path = `/runs/${first?.run_id}/events?after=2`;
		expect(await (await get(path)).json()).toMatchObject({ done: false });
		await stream.return(undefined);
		for (const _ of ["left", "polled"]) {
			await vi.advanceTimersByTimeAsync(599_000);
			expect(await (await get(path)).json()).toMatchObject({ done: false });
		}
		const reader = (await get(path, STREAMED)).body?.getReader();
		void reader?.read();
		await vi.advanceTimersByTimeAsync(700_000);
		void reader?.read();
		await vi.advanceTimersByTimeAsync(1);
		await reader?.cancel();
		await vi.advanceTimersByTimeAsync(601_000);
		expect((await (await get(path)).json()).data.at(-1)).toMatchObject({ type: "run.cancelled" });
	});

	it("counts who waits for the result as a watcher, until the connection drops", async () => {
		vi.useFakeTimers();
		const { fetch, gate } = await slowRuntime();
		const connection = new AbortController();
		const answer = fetch(
			new Request("http://127.0.0.1/run/desk", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: '{"input":"hi"}',
				signal: connection.signal,
			}),
		);
		await vi.advanceTimersByTimeAsync(3_600_000);
		connection.abort();
		await vi.advanceTimersByTimeAsync(601_000);
		gate.open();
		expect(await (await answer).json()).toMatchObject({ status: "cancelled" });
	});

	it("is forgotten 10 minutes after its end, and its key with it", async () => {
		vi.useFakeTimers();
		const { post, get } = await createTestRuntime();
		const key = { "idempotency-key": "k" };
		const { run_id } = await (await post("/run/desk", { input: "hi" }, key)).json();
		await vi.advanceTimersByTimeAsync(599_000);
		expect((await get(`/runs/${run_id}/events`)).status).toBe(200);
		await vi.advanceTimersByTimeAsync(2_000);
		const expired = await get(`/runs/${run_id}/events`);
		expect({ status: expired.status, body: await expired.json() }).toMatchObject({
			status: 410,
			body: { error: { code: "events_expired" } },
		});
		expect((await post(`/runs/${run_id}/cancel`)).status).toBe(410);
		const again = await (await post("/run/desk", { input: "other" }, key)).json();
		expect(again.run_id).not.toBe(run_id);
	});

	it("loses its first events when they are over 4 MB, and keeps its result", async () => {
		const { post, get } = await createTestRuntime({
			ports: scriptedPorts(() => `${"word ".repeat(40_000)}end.`),
		});
		const { run_id } = await (await post("/run/desk", { input: "hi" })).json();
		const expired = await get(`/runs/${run_id}/events`, STREAMED);
		expect(expired.status).toBe(410);
		const { error } = await expired.json();
		expect(error).toMatchObject({ code: "events_expired", details: { result: { status: "completed" } } });
		const last = await (await get(`/runs/${run_id}/events?after=40000`)).json();
		expect(last.data.at(-1)).toMatchObject({ type: "run.completed" });
	});
});

describe("GET /runs/:id/events", () => {
	it.each([
		["/runs/run_none/events", {}, 404, "run_not_found"],
		["/runs/ID/events?after=-1", {}, 400, "invalid_request"],
		["/runs/ID/events?after=1.5", {}, 400, "invalid_request"],
		["/runs/ID/events?wait_ms=25001", {}, 400, "invalid_request"],
		["/runs/ID/events?wait_ms=soon", {}, 400, "invalid_request"],
		["/runs/ID/events", { "last-event-id": "x" }, 400, "invalid_request"],
	])("refuses %s %j", async (path, headers, status, code) => {
		const { post, get } = await createTestRuntime();
		const { run_id } = await (await post("/run/desk", { input: "hi" })).json();
		const response = await get(path.replace("ID", run_id), headers);
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ error: { code } });
	});
});

describe("POST /runs/:id/cancel", () => {
	it("ends a run under way with what was done so far", async () => {
		const { post } = await createTestRuntime({ ports: scriptedPorts(() => new Promise(() => undefined)) });
		const stream = followEvents(await post("/run/desk", { input: "hi" }, STREAMED));
		const { value: first } = await stream.next();
		const response = await post(`/runs/${first?.run_id}/cancel`, "");
		expect(response.status).toBe(200);
		expect(await response.json()).toMatchObject({
			id: first?.run_id,
			agent_id: "desk",
			agent_version: 1,
			status: "cancelled",
			ended_at: expect.stringMatching(/Z$/),
			result: { status: "cancelled" },
		});
		const types: string[] = [];
		for await (const { type } of stream) types.push(type);
		expect(types.at(-1)).toBe("run.cancelled");
	});

	it("changes nothing of a run that has ended", async () => {
		const { post } = await createTestRuntime();
		const { run_id } = await (await post("/run/desk", { input: "hi" })).json();
		for (const _ of [1, 2])
			expect(await (await post(`/runs/${run_id}/cancel`)).json()).toMatchObject({
				status: "completed",
				last_seq: 7,
			});
	});

	it.each([
		["/runs/run_none/cancel", {}, 404, "run_not_found"],
		["/runs/ID/cancel", { reason: "x" }, 400, "unknown_field"],
		["/runs/ID/cancel", "nonsense", 400, "invalid_json"],
		["/runs/ID/cancel", "[]", 400, "invalid_request"],
	])("refuses %s %j", async (path, body, status, code) => {
		const { post } = await createTestRuntime();
		const { run_id } = await (await post("/run/desk", { input: "hi" })).json();
		const response = await post(path.replace("ID", run_id), body);
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ error: { code } });
	});
});
