import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServiceProcess, startRuntime, startService } from "./servers";

// A runtime whose credentials are wrong, and one whose manifest names nothing, beside a real service.

const harness = createHarness();
let service: ServiceProcess;
let agents: string;

beforeAll(async () => {
	service = await startService(harness);
	agents = await harness.folder();
	const { id } = await service.stemma.agents.create({
		slug: "far",
		graph: { nodes: [{ id: "desk", kind: "coordinator" }] },
	});
	await writeFile(join(agents, "far.json"), JSON.stringify({ remoteAgentId: id }));
	await writeFile(join(agents, "gone.json"), JSON.stringify({ remoteAgentId: "ag_none" }));
});
afterAll(() => harness.end());

const get = async (url: string) => {
	const response = await fetch(url);
	return { status: response.status, body: await response.json() };
};

it("a wrong secret is said at the start, and the runtime is not ready", async () => {
	const credentials = { ...service.credentials, client_secret: `${service.credentials.client_secret}x` };
	const { program, url } = await startRuntime(harness, { agents, service: { ...service, credentials } });
	await program.waitForOutput(/^error: The service at .* refused the credentials.*STEMMA_CLIENT_SECRET/m);
	expect(await get(`${url}/readyz`)).toMatchObject({
		status: 503,
		body: { error: { code: "upstream_refused", hint: expect.stringContaining("STEMMA_CLIENT_SECRET") } },
	});
	expect(await get(`${url}/healthz`)).toMatchObject({ status: 200, body: { service: "refused" } });
	expect(program.output()).not.toContain(credentials.client_secret);
});

it("a manifest of an agent that the service does not have is said at the start, and the rest is ready", async () => {
	const { program, url } = await startRuntime(harness, { agents, service });
	await program.waitForOutput(
		/^Manifests were checked.* Ready: far\. gone\.json invalid: remoteAgentId: .*ag_none/m,
	);
	expect((await get(`${url}/agents`)).body.data).toMatchObject([
		{ id: "far", status: "ready" },
		{ id: "gone", status: "invalid", issues: [{ code: "agent_not_found" }] },
	]);
	expect(await get(`${url}/readyz`)).toMatchObject({
		status: 200,
		body: { status: "ready", service: "ok", agents: { ready: 1, invalid: 1 } },
	});
});
