import { once } from "node:events";
import { connect } from "node:net";
import { runtimeAgents } from "@stemma/client";
import { ConfigurationError } from "@stemma/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type RunningRuntime, type StartRuntimeOptions, startRuntime } from "./start-runtime";
import {
	createGate,
	followEvents,
	graph,
	readEvents,
	STREAMED,
	scriptedPorts,
} from "./test-support/scripted";

const running: RunningRuntime[] = [];
afterEach(async () => {
	await Promise.all(running.splice(0).map((runtime) => runtime.close(0)));
});

async function start(options: Partial<StartRuntimeOptions> = {}): Promise<RunningRuntime> {
	const runtime = await startRuntime({
		agents: { desk: graph },
		ports: scriptedPorts(),
		port: 0,
		log: () => undefined,
		...options,
	});
	running.push(runtime);
	return runtime;
}

const post = (url: string, body: object, headers: object = {}): Promise<Response> =>
	fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});

/** What a server answers to bytes that no client library would send. */
async function send(port: number, text: string): Promise<string> {
	const socket = connect(port, "127.0.0.1");
	socket.end(text);
	let answer = "";
	socket.on("data", (chunk) => {
		answer += chunk;
	});
	await once(socket, "close");
	return answer;
}

describe("startRuntime", () => {
	it("answers on a port", async () => {
		const { url, port } = await start();
		expect(url).toBe(`http://127.0.0.1:${port}`);
		const response = await post(`${url}/run/desk`, { input: "hi" });
		expect(await response.json()).toMatchObject({ status: "completed", output: "You said hi." });
		const streamed = await post(`${url}/run/desk`, { input: "hi" }, STREAMED);
		expect(streamed.headers.get("cache-control")).toBe("no-cache, no-transform");
		expect((await readEvents(streamed)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
	});

	it("sends events as they happen, and goes on when the connection drops", async () => {
		const gate = createGate();
		const { url } = await start({ ports: scriptedPorts(() => gate.opened.then(() => "Late.")) });
		let runId = "";
		for await (const event of followEvents(await post(`${url}/run/desk`, { input: "hi" }, STREAMED))) {
			runId = event.run_id;
			if (event.seq === 2) break;
		}
		const rejoined = await fetch(`${url}/runs/${runId}/events`, {
			headers: { ...STREAMED, "last-event-id": "2" },
		});
		gate.open();
		expect((await readEvents(rejoined)).at(-1)).toMatchObject({ type: "run.completed" });
	});

	it("leaves a JSON request's run alone when the connection drops", async () => {
		const gate = createGate();
		const { url } = await start({ ports: scriptedPorts(() => gate.opened.then(() => "Late.")) });
		const key = { "idempotency-key": "k" };
		const dropped = fetch(`${url}/run/desk`, {
			method: "POST",
			headers: { "content-type": "application/json", ...key },
			body: '{"input":"hi"}',
			signal: AbortSignal.timeout(50),
		});
		await expect(dropped).rejects.toThrow();
		gate.open();
		expect(await (await post(`${url}/run/desk`, { input: "hi" }, key)).json()).toMatchObject({
			status: "completed",
		});
	});

	it("serves the client of @stemma/client, cancelling included", async () => {
		const never = scriptedPorts((input) => (input === "wait" ? new Promise(() => undefined) : "Said."));
		const { url } = await start({ ports: never });
		const agents = runtimeAgents({ baseUrl: url });
		expect((await agents.list()).data).toMatchObject([{ id: "desk", status: "ready" }]);
		expect(await agents.run("desk", { input: "hi" })).toMatchObject({ status: "completed", output: "Said." });
		const stream = agents.stream("desk", { input: "wait" });
		let last = "";
		for await (const { type, seq } of stream) {
			last = type;
			if (seq === 2) stream.cancel();
		}
		expect(last).toBe("run.cancelled");
		expect(await stream.result()).toMatchObject({ status: "cancelled" });
		await expect(agents.run("none", { input: "hi" })).rejects.toMatchObject({ code: "agent_not_found" });
	});

	it("refuses a Host that is a name, as a page on the web could send it", async () => {
		const { port } = await start();
		const answer = await send(
			port,
			"GET /agents HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
		);
		expect(answer).toContain("403 Forbidden");
		expect(answer).toContain("host_not_allowed");
	});

	it.each([
		"GET /agents HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
		"GET /agents HTTP/1.1\r\nConnection: close\r\n\r\n",
		"nonsense\r\n\r\n",
	])("answers %j with 400 and lives on", async (text) => {
		const { port, url } = await start();
		expect(await send(port, text)).toContain("400 Bad Request");
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
	});

	it("ends streams with a last event when it closes, which tells why", async () => {
		const { url, close } = await start({ ports: scriptedPorts(() => new Promise(() => undefined)) });
		const events = readEvents(await post(`${url}/run/desk`, { input: "hi" }, STREAMED));
		await close(10);
		expect((await events).at(-1)).toMatchObject({
			type: "run.failed",
			error: { code: "shutting_down" },
			result: { status: "failed", error: { code: "shutting_down" } },
		});
		await expect(fetch(`${url}/healthz`)).rejects.toThrow();
	});

	it("lets runs be followed and cancelled while it closes, refuses new ones, and says so", async () => {
		const gate = createGate();
		const { url, close } = await start({
			ports: scriptedPorts((input) =>
				input === "hi" ? gate.opened.then(() => "Late.") : new Promise(() => undefined),
			),
		});
		const first = await followEvents(await post(`${url}/run/desk`, { input: "hi" }, STREAMED)).next();
		const other = await followEvents(await post(`${url}/run/desk`, { input: "wait" }, STREAMED)).next();
		const closed = close(10_000);
		const health = await fetch(`${url}/healthz`);
		expect({ status: health.status, connection: health.headers.get("connection") }).toEqual({
			status: 503,
			connection: "close",
		});
		const refused = await post(`${url}/run/desk`, { input: "ho" });
		expect({ status: refused.status, wait: refused.headers.get("retry-after") }).toEqual({
			status: 503,
			wait: "5",
		});
		const rejoined = fetch(`${url}/runs/${first.value?.run_id}/events`, { headers: STREAMED });
		expect(await (await post(`${url}/runs/${other.value?.run_id}/cancel`, {})).json()).toMatchObject({
			status: "cancelled",
		});
		gate.open();
		expect((await readEvents(await rejoined)).at(-1)).toMatchObject({ result: { output: "Late." } });
		await closed;
	});

	it("does not wait for connections that say nothing", async () => {
		const { port, close } = await start();
		const silent = connect(port, "127.0.0.1");
		await once(silent, "connect");
		const ended = once(silent, "close");
		await close(600_000);
		await ended;
	});

	it("says so when the port is in use", async () => {
		const { port } = await start();
		await expect(start({ port })).rejects.toMatchObject({
			code: "port_in_use",
			message: expect.stringContaining(`port ${port}`),
		});
	});

	it.each([
		[{ host: "0.0.0.0" }, /token/],
		[{ host: "::" }, /token/],
		[{ host: "" }, /token/],
		[{ host: "runtime.example" }, /token/],
		[{ port: 70_000 }, /not a port/],
		[{ trustedProxies: ["loopback", "0.0.0.0/0"] }, /"0\.0\.0\.0\/0" names no proxy/],
		[{ host: "203.0.113.7", token: "t0ken" }, /does not have this address/],
	])("refuses to start with %j", async (options, message) => {
		const error = await start(options).catch((reason: unknown) => reason);
		expect(ConfigurationError.is(error) && error.message).toMatch(message);
	});

	it.each([
		[{}, "Set STEMMA_RUNTIME_TOKEN and --host 0.0.0.0."],
		[{ token: "t0ken" }, "loopback address. Set --host 0.0.0.0."],
		[{ allowAnonymous: true }, "loopback address. Set --host 0.0.0.0."],
		[{ token: "t0ken", host: "0.0.0.0" }, undefined],
	])("tells of a container that nothing outside reaches, with %j", async (options, note) => {
		vi.stubEnv("KUBERNETES_SERVICE_HOST", "10.0.0.1");
		const lines: string[] = [];
		await start({ ...options, log: (line) => lines.push(line) });
		vi.unstubAllEnvs();
		expect(lines).toEqual(note === undefined ? [] : [expect.stringContaining(note)]);
	});

	it("binds anywhere with a token, and with anonymous access", async () => {
		for (const options of [{ token: "t0ken" }, { allowAnonymous: true }]) {
			const { port } = await start({ host: "0.0.0.0", ...options });
			expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
		}
	});
});
