import { createClient } from "@stemma/client";
import { expect, it } from "vitest";
import { createTestRuntime, graph } from "../test-support/scripted";
import { startServiceStub } from "../test-support/service-stub";

const fixture = (baseUrl: string) => ({
	agents: { desk: graph },
	client: createClient({ baseUrl, clientId: "cl_1", clientSecret: "s3cret" }),
});

it("waits some seconds for a service that starts again", async () => {
	const first = await startServiceStub();
	const { post } = await createTestRuntime(fixture(first.url));
	expect(await (await post("/run/desk", { input: "hi" })).json()).toMatchObject({ status: "completed" });
	first.close();
	const run = post("/run/desk", { input: "hi" });
	await new Promise((resolve) => setTimeout(resolve, 700));
	const second = await startServiceStub(Number(new URL(first.url).port));
	expect(await (await run).json()).toMatchObject({ status: "completed", output: "From the service." });
	second.close();
}, 30_000);

it("tells the operator when the service does not come back, and is cancelled at once meanwhile", async () => {
	const service = await startServiceStub();
	const runtime = await createTestRuntime(fixture(service.url));
	service.close();
	const startedAt = Date.now();
	const { error } = await (await runtime.post("/run/desk", { input: "hi" })).json();
	expect(error).toMatchObject({
		code: "upstream_unavailable",
		hint: expect.stringContaining("STEMMA_BASE_URL"),
	});
	expect(JSON.stringify(error)).not.toContain("s3cret");
	expect(Date.now() - startedAt).toBeGreaterThan(5_000);
	const closing = Date.now();
	const run = runtime.post("/run/desk", { input: "hi" });
	await new Promise((resolve) => setTimeout(resolve, 100));
	await runtime.close(0);
	expect((await (await run).json()).status).not.toBe("completed");
	expect(Date.now() - closing).toBeLessThan(2_500);
}, 60_000);
