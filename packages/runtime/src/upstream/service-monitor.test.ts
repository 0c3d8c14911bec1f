import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectService } from "../service-connection";
import { type RunningRuntime, startRuntime } from "../start-runtime";
import { createTestRuntime, graph } from "../test-support/scripted";
import { startServiceStub } from "../test-support/service-stub";

type Stub = Awaited<ReturnType<typeof startServiceStub>>;

let service: Stub;
let runtime: RunningRuntime | undefined;
const lines: string[] = [];

beforeEach(async () => {
	service = await startServiceStub();
	lines.length = 0;
});
afterEach(async () => {
	await runtime?.close(0);
	service.close();
});

const connect = (baseUrl: string) => connectService({ baseUrl, clientId: "cl_1", clientSecret: "s3cret" });

async function start(agents: Readonly<Record<string, unknown>>, baseUrl = service.url): Promise<string> {
	// Where the tests run in a container, another note is written.
	const log = (line: string): void => void (line.startsWith("note:") || lines.push(line));
	runtime = await startRuntime({ agents, ...connect(baseUrl), port: 0, log });
	return runtime.url;
}

/** Conditions, not times: the machine may be slow. */
const POLL_OPTIONS = { timeout: 30_000, interval: 50 };

async function readiness(url: string): Promise<readonly [status: number, code: string]> {
	const response = await fetch(`${url}/readyz`);
	const { error, status } = await response.json();
	return [response.status, error?.code ?? status];
}

const list = async (url: string) => (await (await fetch(`${url}/agents`)).json()).data;

describe("the credentials of a runtime", () => {
	it("are tried at the start, and good ones are ready", async () => {
		const url = await start({ near: graph, far: { remoteAgentId: "ag_1" } });
		expect(await readiness(url)).toEqual([200, "ready"]);
		expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: "ok", service: "ok" });
		expect(lines).toEqual([]);
	});

	it("are refused: it listens, says what to do, is not ready, and recovers", async () => {
		service.refuseCredentials(401);
		const url = await start({ near: graph });
		expect(await readiness(url)).toEqual([503, "upstream_refused"]);
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
		expect(lines).toEqual([expect.stringMatching(/^error: .*invalid_client.*STEMMA_CLIENT_SECRET/)]);
		expect(lines.join()).not.toContain("s3cret");
		service.refuseCredentials(0);
		await expect.poll(() => readiness(url), POLL_OPTIONS).toEqual([200, "ready"]);
		expect(lines.at(-1)).toContain("accepts this runtime again");
	});

	it.each([500, 503])("are not blamed when the service answers %i", async (status) => {
		service.refuseCredentials(status);
		const url = await start({ far: { remoteAgentId: "ag_2" } });
		expect(await readiness(url)).toEqual([503, "upstream_unavailable"]);
		expect(await list(url)).toMatchObject([{ id: "far", status: "ready" }]);
	});

	it("are tried again when the service comes up", async () => {
		const { port } = new URL(service.url);
		service.close();
		const url = await start({ far: { remoteAgentId: "ag_2" } });
		expect(await readiness(url)).toEqual([503, "upstream_unavailable"]);
		expect(lines).toEqual([expect.stringMatching(/^warning: .*cannot be reached/)]);
		// Nobody said that there is no such agent.
		expect(await list(url)).toMatchObject([{ id: "far", status: "ready" }]);
		service = await startServiceStub(Number(port));
		await expect.poll(() => readiness(url), POLL_OPTIONS).toEqual([200, "ready"]);
		await expect.poll(async () => (await list(url))[0].status, POLL_OPTIONS).toBe("invalid");
	});

	it("are tried by the first request where nothing is started", async () => {
		service.refuseCredentials(401);
		const { get } = await createTestRuntime({ agents: { near: graph }, ...connect(service.url) });
		expect(service.requests).toEqual([]);
		expect((await get("/readyz")).status).toBe(503);
	});

	it("are not tried once for every probe", async () => {
		service.refuseCredentials(401);
		const { get } = await createTestRuntime({ agents: { near: graph }, ...connect(service.url) });
		await Promise.all(Array.from({ length: 50 }, () => get("/readyz")));
		expect(service.requests.length).toBeLessThan(5);
	});
});

describe("a manifest whose agent the service does not have", () => {
	it("is invalid in the listing and in the log, and ready once there is one", async () => {
		const url = await start({ near: graph, far: { remoteAgentId: "ag_1" }, gone: { remoteAgentId: "ag_2" } });
		await expect.poll(() => lines.length, POLL_OPTIONS).toBe(1);
		expect(lines[0]).toMatch(/Ready: far, near\. gone\.json invalid: remoteAgentId: .*"ag_2"/);
		expect(await list(url)).toMatchObject([
			{ id: "far", status: "ready" },
			{ id: "gone", status: "invalid", issues: [{ code: "agent_not_found", path: ["remoteAgentId"] }] },
			{ id: "near", status: "ready" },
		]);
		expect(await readiness(url)).toEqual([200, "ready"]);
		expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ agents: { ready: 2, invalid: 1 } });
		expect(await (await fetch(`${url}/metrics`)).text()).toContain('stemma_agents{state="invalid"} 1');
		const run = await fetch(`${url}/run/gone`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: '{"input":"hi"}',
		});
		expect([run.status, (await run.json()).error.code]).toEqual([404, "agent_not_found"]);
		service.addAgent("ag_2");
		await expect.poll(async () => (await list(url))[1].status, POLL_OPTIONS).toBe("ready");
		await expect.poll(() => lines.at(-1), POLL_OPTIONS).toMatch(/Ready: far, gone, near\.$/);
	});
});
