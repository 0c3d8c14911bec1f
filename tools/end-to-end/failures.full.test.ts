import { runtimeAgents, type WireRunEvent } from "@stemma/client";
import { createHarness, findStablePort } from "@stemma/simulators/processes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeAgents } from "./agent-files";
import { expectNoSecrets } from "./secrets";
import { type ServiceProcess, startRuntime, startService, vendorEnvironment } from "./servers";
import { startVendor, VENDOR_ERROR_TEXT, type Vendor } from "./vendor";

const GRAPH = { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] } as const;
/** The vendor is asked once, and again for each retry. */
const ATTEMPTS = 3;

const harness = createHarness();
const secrets: Record<string, string[]> = { "client secret": [], "client key": [], "run token": [] };
let vendor: Vendor;

beforeAll(async () => {
	vendor = await startVendor();
});
afterAll(async () => {
	await Promise.all([harness.end(), vendor?.close()]);
});

interface Restart {
	readonly data: string;
	readonly port: string;
}

async function startWithVendor(restart?: Restart): Promise<ServiceProcess> {
	const env = vendorEnvironment(vendor.baseUrl, vendor.apiKey);
	const port = String(await findStablePort());
	const service = await startService(harness, { env, port, ...restart });
	secrets["client secret"]?.push(service.credentials.client_secret);
	secrets["client key"]?.push(service.credentials.client_key);
	return service;
}

async function startWithAgent(): Promise<ServiceProcess> {
	const service = await startWithVendor();
	await service.stemma.agents.create({ slug: "desk", graph: GRAPH });
	return service;
}

const restart = ({ data, url }: ServiceProcess): Promise<ServiceProcess> =>
	startWithVendor({ data, port: new URL(url).port });

/** Starts a run and collects its events; `begun` once there is text, `ended` once there is no more. */
function follow({ stemma }: ServiceProcess, input: string) {
	const stream = stemma.agents.stream("desk", { input });
	const events: WireRunEvent[] = [];
	let start = (): void => undefined;
	const started = new Promise<void>((resolve) => {
		start = resolve;
	});
	const ended = (async () => {
		for await (const event of stream) {
			events.push(event);
			if (event.type === "text.delta") start();
		}
		if (stream.run_token !== undefined) secrets["run token"]?.push(stream.run_token);
	})();
	return { stream, events, started: Promise.race([started, ended]), ended };
}

const requestsWith = (mark: string) =>
	vendor.requests.filter(({ body }) => JSON.stringify(body ?? {}).includes(mark));

/** Nothing new is taken: by an answer that says so, or by no connection. */
const isRefused = ({ url }: ServiceProcess): Promise<boolean> =>
	fetch(`${url}/v1/runs`).then(
		({ status }) => status === 503,
		() => true,
	);

/** Every event once, in order. */
function expectRisingSeq(events: readonly WireRunEvent[]): void {
	expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
}

it.concurrent("tells of a vendor that fails in words of its own alone, after all retries", async ({
	expect,
}) => {
	const service = await startWithAgent();
	const token = await fetchToken(service);
	const post = async (path: string, body: object) => {
		const response = await fetch(`${service.url}${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
			body: JSON.stringify(body),
		});
		return { status: response.status, text: await response.text() };
	};
	const [run, events, completion] = await Promise.all([
		post("/v1/agents/desk/run", { input: "#fail run" }),
		post("/v1/agents/desk/run", { input: "#fail stream", stream: true }),
		post("/v1/chat/completions", {
			model: "default",
			messages: [{ role: "user", content: "#fail completion" }],
		}),
	]);
	expect(run.status).toBe(200);
	expect(JSON.parse(run.text)).toMatchObject({ status: "failed", error: { code: "overloaded" } });
	expect(events).toEqual({
		status: 200,
		text: expect.stringMatching(/event: run\.failed\ndata: .*"overloaded"/),
	});
	expect([502, 503]).toContain(completion.status);
	expect(JSON.parse(completion.text)).toMatchObject({ error: { code: "overloaded" } });
	for (const mark of ["#fail run", "#fail stream", "#fail completion"])
		expect(requestsWith(mark)).toHaveLength(ATTEMPTS);
	for (const { text } of [run, events, completion]) {
		expect(text).not.toContain(VENDOR_ERROR_TEXT);
		expect(text).not.toContain(vendor.apiKey.slice(-16));
	}
});

it.concurrent("leaves the vendor when a run is cancelled", async ({ expect }) => {
	const service = await startWithAgent();
	const run = follow(service, "#stall until cancelled");
	await run.started;
	const [request] = requestsWith("until cancelled");
	expect(request).toMatchObject({ isAborted: false, isAnswered: false });
	run.stream.cancel();
	await expect.poll(() => request?.isAborted, { interval: 20 }).toBe(true);
	await run.ended;
	expectRisingSeq(run.events);
	expect(run.events.at(-1)?.type).toBe("run.cancelled");
	expect(await run.stream.result()).toMatchObject({ status: "cancelled" });
	expect(await service.stemma.runs.get(run.stream.run_id ?? "")).toMatchObject({ status: "cancelled" });
});

it.concurrent("ends open streams in order on SIGTERM, and exits with 0", async ({ expect }) => {
	const service = await startWithAgent();
	const slow = follow(service, "#slow until the end");
	const stalled = follow(service, "#stall until the grace is over");
	await Promise.all([slow.started, stalled.started]);
	service.program.kill("SIGTERM");
	await service.program.waitForOutput(/Stopping/);
	await expect.poll(() => isRefused(service), { interval: 20 }).toBe(true);
	await slow.ended;
	expect(slow.events.at(-1)?.type).toBe("run.completed");
	await stalled.ended;
	expect(stalled.events.at(-1)?.type).toBe("run.cancelled");
	expect(await service.program.ended).toEqual({ code: 0, signal: null });
	for (const { events } of [slow, stalled]) expectRisingSeq(events);
});

it.concurrent("rejoins over kill -9 and a restart a run that goes on", async ({ expect }) => {
	const service = await startWithAgent();
	const run = follow(service, "#stall until killed");
	await run.started;
	const before = [...run.events];
	service.program.kill("SIGKILL");
	await service.program.ended;
	const again = await restart(service);
	await expect.poll(() => run.events.map(({ type }) => type), { timeout: 20_000 }).toContain("run.resumed");
	await again.stemma.runs.cancel(run.stream.run_id ?? "");
	await run.ended;
	expect(run.events.slice(0, before.length)).toEqual(before);
	expectRisingSeq(run.events);
	expect(run.events.at(-1)?.type).toBe("run.cancelled");
});

it.concurrent("keeps the runtime alive while its service is gone", async ({ expect }) => {
	const service = await startWithAgent();
	const folder = await harness.folder();
	await writeAgents(folder, {
		"graph.json": GRAPH,
		"stored.json": { id: "stored", remoteAgentId: (await service.stemma.agents.get("desk")).id },
	});
	const runtime = await startRuntime(harness, { agents: folder, service });
	const agents = runtimeAgents({ baseUrl: runtime.url, maxRetries: 0 });
	const post = (id: string) =>
		fetch(`${runtime.url}/run/${id}`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: '{"input":"Is anyone there?"}',
		});
	expect(await agents.run("stored", { input: "Hello" })).toMatchObject({ status: "completed" });
	service.program.kill("SIGKILL");
	await service.program.ended;
	const [stored, graph] = await Promise.all([post("stored"), post("graph")]);
	expect(stored.status).toBe(502);
	expect(await stored.json()).toMatchObject({ error: { code: "upstream_unavailable" } });
	expect(graph.status).toBe(200);
	expect(await graph.json()).toMatchObject({ status: "failed", error: { code: "upstream_unavailable" } });
	expect(await agents.health()).toMatchObject({ status: "ok", agents: { ready: 2 } });
	await restart(service);
	for (const id of ["stored", "graph"])
		expect(await agents.run(id, { input: "Hello again" })).toMatchObject({ status: "completed" });
});

it("writes no secret to any output", () => {
	expectNoSecrets(harness.outputs(), { ...secrets, "vendor key": [vendor.apiKey] });
	expect(harness.outputs()).not.toContain(VENDOR_ERROR_TEXT);
	expect(secrets["run token"]?.length).toBe(4);
});

async function fetchToken({ url, credentials }: ServiceProcess): Promise<string> {
	const response = await fetch(`${url}/oauth/token`, {
		method: "POST",
		body: new URLSearchParams({
			grant_type: "client_credentials",
			client_id: credentials.client_id,
			client_secret: credentials.client_secret,
		}),
	});
	const { access_token } = (await response.json()) as { readonly access_token: string };
	secrets["access token"] ??= [];
	secrets["access token"].push(access_token);
	return access_token;
}
