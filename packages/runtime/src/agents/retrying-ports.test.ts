import { createClient } from "@stemma/client";
import { findStablePort } from "@stemma/simulators/processes";
import { expect, it } from "vitest";
import { watchRetryDelays } from "../test-support/retry-delays";
import { createTestRuntime, graph } from "../test-support/scripted";
import { startServiceStub } from "../test-support/service-stub";
import { RETRY_DELAYS_MS } from "./retrying-ports";

const fixture = (baseUrl: string) => ({
	agents: { desk: graph },
	client: createClient({ baseUrl, clientId: "cl_1", clientSecret: "s3cret" }),
});

it("waits some seconds for a service that starts again", async () => {
	const delays = watchRetryDelays({ shortened: false });
	const first = await startServiceStub(await findStablePort());
	const { post } = await createTestRuntime(fixture(first.url));
	expect(await (await post("/run/desk", { input: "hi" })).json()).toMatchObject({ status: "completed" });
	first.close();
	const run = post("/run/desk", { input: "hi" });
	await expect.poll(() => delays.length).toBeGreaterThan(1);
	const second = await startServiceStub(Number(new URL(first.url).port));
	expect(await (await run).json()).toMatchObject({ status: "completed", output: "From the service." });
	second.close();
});

it("tells the operator when the service does not come back", async () => {
	const delays = watchRetryDelays({ shortened: true });
	const service = await startServiceStub();
	const { post } = await createTestRuntime(fixture(service.url));
	service.close();
	const { error } = await (await post("/run/desk", { input: "hi" })).json();
	expect(error).toMatchObject({
		code: "upstream_unavailable",
		hint: expect.stringContaining("STEMMA_BASE_URL"),
	});
	expect(JSON.stringify(error)).not.toContain("s3cret");
	expect(delays).toEqual(RETRY_DELAYS_MS);
});

it("is cancelled at once while it waits for the service", async () => {
	const delays = watchRetryDelays({ shortened: false });
	const service = await startServiceStub();
	const runtime = await createTestRuntime(fixture(service.url));
	service.close();
	const run = runtime.post("/run/desk", { input: "hi" });
	await expect.poll(() => delays).not.toEqual([]);
	await runtime.close(0);
	expect((await (await run).json()).status).not.toBe("completed");
	expect(delays).not.toContain(RETRY_DELAYS_MS.at(-1));
});
