import { describe, expect, it } from "vitest";
import { createMessage, createTestAgent, readSse } from "../test-support/test-agent";

/** A2A 1.0.1, sections 9 and 11: what is particular to each binding. */
const JSON_TYPE = { "content-type": "application/json" };
const post = (body: unknown, headers = JSON_TYPE): RequestInit => ({
	method: "POST",
	headers,
	body: typeof body === "string" ? body : JSON.stringify(body),
});
const rpc = (method: string, params: unknown, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });

describe("9 JSON-RPC", () => {
	it("9.1 answers application/json at the address of the card, with a slash behind it or without", async () => {
		for (const path of ["", "/"]) {
			const response = await createTestAgent().send(
				path,
				post(rpc("SendMessage", { message: createMessage("?") })),
			);
			expect(response.headers.get("content-type")).toBe("application/json");
			expect(await response.json()).toMatchObject({
				jsonrpc: "2.0",
				id: 1,
				result: { task: { id: "run_1" } },
			});
		}
	});

	it("9.1 streams text/event-stream, each event a JSON-RPC response with the id of the request (9.4.2)", async () => {
		const response = await createTestAgent().send(
			"",
			post(rpc("SendStreamingMessage", { message: createMessage("?") }, "abc")),
		);
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		const events = await readSse(response);
		expect(events.length).toBeGreaterThan(2);
		for (const { data } of events)
			expect(JSON.parse(data)).toMatchObject({ jsonrpc: "2.0", id: "abc", result: expect.any(Object) });
	});

	it("9.2 service parameters are headers, in any case", async () => {
		const response = await createTestAgent().send(
			"",
			post(rpc("GetTask", { id: "x" }), { ...JSON_TYPE, "A2A-VERSION": "0.3" } as typeof JSON_TYPE),
		);
		// The test agent sends 1.0 beside it.
		expect((await response.json()).error.code).toBe(-32009);
	});

	it.each<[string, unknown, number]>([
		["-32700 for invalid JSON", "{", -32700],
		["-32600 for no request", { id: 1, method: "GetTask" }, -32600],
		["-32600 for a batch", [rpc("GetTask", { id: "x" })], -32600],
		["-32601 for a method that does not exist", rpc("message/send", {}), -32601],
		["-32602 for bad parameters", rpc("GetTask", {}), -32602],
		["-32602 for parameters that are a list", rpc("GetTask", ["x"]), -32602],
	])("9.3 and 9.5: %s", async (_, body, code) => {
		const response = await createTestAgent().send("", post(body));
		expect([response.status, (await response.json()).error.code]).toEqual([200, code]);
	});
});

describe("11 HTTP+JSON", () => {
	const A2A_TYPE = { "content-type": "application/a2a+json" };

	it("11.1 SHOULD use application/a2a+json; application/json is read, too", async () => {
		for (const headers of [A2A_TYPE, JSON_TYPE]) {
			const response = await createTestAgent().send(
				"/message:send",
				post({ message: createMessage("?") }, headers),
			);
			expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/a2a+json"]);
		}
	});

	it.each<[string, string, number]>([
		["POST", "/message:send", 200],
		["POST", "/message:stream", 200],
		["GET", "/tasks/run_1", 200],
		["GET", "/tasks", 200],
		["POST", "/tasks/run_1:cancel", 400],
		["POST", "/tasks/run_1:subscribe", 400],
		["GET", "/tasks/run_1:subscribe", 400],
		["POST", "/tasks/run_1/pushNotificationConfigs", 201],
		["GET", "/tasks/run_1/pushNotificationConfigs", 200],
		["GET", "/tasks/run_1/pushNotificationConfigs/x", 404],
		["DELETE", "/tasks/run_1/pushNotificationConfigs/x", 204],
		["GET", "/extendedAgentCard", 400],
	])("11.3 %s %s is there", async (method, path, status) => {
		const agent = createTestAgent({ push: true });
		await agent.call("SendMessage", { message: createMessage("?") });
		const body = JSON.stringify({ message: createMessage("?"), url: "https://a.example/hook" });
		const init = method === "POST" ? { method, headers: A2A_TYPE, body } : { method };
		expect((await agent.send(path, init)).status).toBe(status);
	});

	it("11.5 query parameters: texts, booleans, numbers, enumerations and times, URL-encoded", async () => {
		const agent = createTestAgent();
		await agent.call("SendMessage", { message: createMessage("?", { contextId: "a b&c" }) });
		const query =
			"contextId=a%20b%26c&status=TASK_STATE_COMPLETED&pageSize=10&includeArtifacts=true&statusTimestampAfter=2025-11-09T10%3A30%3A00Z";
		const { tasks } = await (await agent.send(`/tasks?${query}`)).json();
		expect(tasks).toMatchObject([{ id: "run_1", artifacts: [{}] }]);
	});

	it("11.6 the error's code is the HTTP status", async () => {
		const response = await createTestAgent().send("/tasks/none");
		expect((await response.json()).error).toMatchObject({ code: response.status, status: "NOT_FOUND" });
	});

	it("11.7 streams a Task, then updates, in order, to the end", async () => {
		const response = await createTestAgent().send(
			"/message:stream",
			post({ message: createMessage("?") }, A2A_TYPE),
		);
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		const kinds = (await readSse(response)).map(({ data }) => Object.keys(JSON.parse(data)).join());
		expect(kinds[0]).toBe("task");
		expect(new Set(kinds.slice(1))).toEqual(new Set(["statusUpdate", "artifactUpdate"]));
	});
});
