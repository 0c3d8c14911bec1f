import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectService } from "./service-connection";
import { watchRetryDelays } from "./test-support/retry-delays";
import { createTestRuntime, graph, readEvents, STREAMED } from "./test-support/scripted";
import { startServiceStub } from "./test-support/service-stub";

let service: Awaited<ReturnType<typeof startServiceStub>>;
beforeEach(async () => {
	service = await startServiceStub();
});
afterEach(() => service.close());

const connect = (baseUrl: string) => connectService({ baseUrl, clientId: "cl_1", clientSecret: "s3cret" });
const agents = { near: graph, far: { remoteAgentId: "ag_1" }, gone: { remoteAgentId: "ag_2" } };

describe("connectService", () => {
	it("runs manifests at the service, one hop deeper, and keeps its run token to itself", async () => {
		const { post } = await createTestRuntime({ agents, ...connect(service.url) });
		const response = await post("/run/far", { input: "hi" }, { ...STREAMED, "stemma-depth": "2" });
		const events = await readEvents(response);
		expect(events).toMatchObject([{ type: "run.started", run_id: "run_stub" }, { type: "run.completed" }]);
		expect(JSON.stringify(events)).not.toContain("run-t0ken");
		expect(service.requests.at(-1)).toMatchObject({
			route: "POST /v1/agents/ag_1/run",
			headers: { "stemma-depth": "3", authorization: "Bearer t" },
		});
	});

	it("runs graphs here, on the service's models, one hop deeper", async () => {
		const { post } = await createTestRuntime({ agents, ...connect(service.url) });
		const result = await (await post("/run/near", { input: "hi" }, { "stemma-depth": "4" })).json();
		expect(result).toMatchObject({ status: "completed", output: "From the service." });
		const chat = service.requests.find(({ route }) => route === "POST /v1/chat/completions");
		expect(chat?.headers["stemma-depth"]).toBe("5");
	});

	it("names the manifest whose agent is not there", async () => {
		const { post } = await createTestRuntime({ agents, ...connect(service.url) });
		const response = await post("/run/gone", { input: "hi" });
		expect(response.status).toBe(404);
		expect((await response.json()).error.message).toContain('"gone.json" (ag_2)');
	});

	it("says so when there is no service", async () => {
		watchRetryDelays({ shortened: true });
		service.close();
		const { post } = await createTestRuntime({ agents, ...connect(service.url) });
		const response = await post("/run/far", { input: "hi" });
		expect(response.status).toBe(502);
		expect(await response.text()).not.toContain("s3cret");
		expect(await (await post("/run/near", { input: "hi" })).json()).toMatchObject({ status: "failed" });
	});

	it.each([
		[{ clientId: undefined, clientSecret: "s" }, /credentials/],
		[{ clientId: "cl_1", clientSecret: "" }, /credentials/],
		[{ clientId: "cl_1", clientSecret: "s", baseUrl: "ftp://x" }, /address/],
	])("refuses %j", (options, message) => {
		expect(() => connectService({ baseUrl: "http://127.0.0.1:1", ...options })).toThrow(message);
	});
});
