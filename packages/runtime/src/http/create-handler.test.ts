import { describe, expect, it } from "vitest";
import { createTestRuntime, graph, scriptedRemote } from "../test-support/scripted";

describe("GET", () => {
	it("/healthz counts the agents", async () => {
		const { get } = await createTestRuntime({ agents: { desk: graph, bad: { nodes: [] } } });
		const response = await get("/healthz");
		expect(await response.json()).toEqual({
			status: "ok",
			version: response.headers.get("stemma-version"),
			agents: { ready: 1, invalid: 1 },
			service: "none",
		});
	});

	it("/readyz is ready without a service", async () => {
		const { get } = await createTestRuntime();
		const response = await get("/readyz");
		expect([response.status, await response.json()]).toEqual([
			200,
			{
				status: "ready",
				version: response.headers.get("stemma-version"),
				agents: { ready: 1, invalid: 0 },
				service: "none",
			},
		]);
	});

	it("/agents shows fields of a manifest that are not known as warnings, and runs it", async () => {
		const remote = scriptedRemote(() => {
			throw new Error("not run");
		});
		const agents = { far: { remoteAgentId: "ag_1", descripton: "x" } };
		const runtime = await createTestRuntime({ agents, remote, strict: true });
		expect((await (await runtime.get("/agents")).json()).data).toMatchObject([
			{ id: "far", status: "ready", warnings: [{ code: "unknown_field", path: ["descripton"] }] },
		]);
		expect(runtime.agents()[0]?.issues).toBeUndefined();
		expect(runtime.describe()).toContain("far.json runs, with a warning: descripton: ");
	});

	it("/agents lists every file", async () => {
		const { get } = await createTestRuntime({ agents: { desk: graph, bad: { nodes: [] } } });
		expect((await (await get("/agents")).json()).data).toEqual([
			{
				id: "bad",
				form: "graph",
				name: null,
				description: null,
				status: "invalid",
				issues: [expect.objectContaining({ path: ["nodes"] })],
				file: "bad.json",
				version: expect.stringMatching(/^[0-9a-f]{12}$/),
			},
			{
				id: "desk",
				form: "graph",
				name: "desk",
				description: "Says it again",
				status: "ready",
				file: "desk.json",
				version: expect.stringMatching(/^[0-9a-f]{12}$/),
			},
		]);
	});
});

describe("every answer", () => {
	it.each([
		["plain.id-1_2", "plain.id-1_2"],
		["with space", /^req_/],
		["x".repeat(101), /^req_/],
	])("has the request's id where it is plain: %s", async (id, answered) => {
		const { get } = await createTestRuntime();
		for (const path of ["/healthz", "/agents", "/none"])
			expect((await get(path, { "x-request-id": id })).headers.get("x-request-id")).toMatch(answered);
	});

	it.each([
		["GET", "/", 404, null],
		["GET", "/runs/run_1", 404, null],
		["POST", "/run/", 404, null],
		["GET", "/run/%E0%A4%A", 405, "POST"],
		["POST", "/healthz", 405, "GET, HEAD"],
		["POST", "/readyz", 405, "GET, HEAD"],
		["DELETE", "/agents", 405, "GET, HEAD"],
		["GET", "/run/desk", 405, "POST"],
		["PUT", "/runs/run_1/events", 405, "GET, HEAD"],
		["GET", "/runs/run_1/cancel", 405, "POST"],
		["OPTIONS", "/run/desk", 405, "POST"],
	])("to %s %s is %i in the one format", async (method, path, status, allow) => {
		const { fetch, lines } = await createTestRuntime();
		const headers = { "content-type": "application/json" };
		const response = await fetch(new Request(`http://127.0.0.1${path}`, { method, headers }));
		expect({ status: response.status, allow: response.headers.get("allow") }).toEqual({ status, allow });
		expect(await response.json()).toMatchObject({
			error: {
				code: status === 404 ? "route_not_found" : "method_not_allowed",
				request_id: response.headers.get("x-request-id"),
			},
		});
		expect(lines).toEqual([]);
	});

	it("has no body for HEAD", async () => {
		const { fetch } = await createTestRuntime();
		const response = await fetch(new Request("http://127.0.0.1/agents", { method: "HEAD" }));
		expect({ status: response.status, body: await response.text() }).toEqual({ status: 200, body: "" });
	});
});
