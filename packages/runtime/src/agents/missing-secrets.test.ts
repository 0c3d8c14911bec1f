import { createClient } from "@stemma/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestRuntime, scriptedPorts } from "../test-support/scripted";

const desk = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{
			id: "refund",
			kind: "tool",
			tool: "refund",
			server: "http://127.0.0.1:1/mcp",
			auth: { secret: "billing" },
		},
		{ id: "carrier", kind: "remote", url: "http://127.0.0.1:1", auth: { secret: "carrier-key" } },
	],
	edges: [
		{ from: "desk", to: "refund" },
		{ from: "desk", to: "carrier" },
	],
};
const client = createClient({ baseUrl: "http://127.0.0.1:1", clientId: "cl_1", clientSecret: "s3cret" });

afterEach(() => void vi.unstubAllEnvs());

describe("a graph whose secrets are variables that are not set", () => {
	it("is ready, and tells of each by its node", async () => {
		vi.stubEnv("STEMMA_TOOL_BILLING", "");
		const runtime = await createTestRuntime({ agents: { desk }, client });
		expect(runtime.agents()[0]).toMatchObject({
			status: "ready",
			issues: [
				{
					code: "secret_missing",
					message: '"refund" needs the variable STEMMA_TOOL_BILLING, and it is not set: its calls will fail.',
					path: ["nodes", 1, "auth"],
				},
				{
					code: "secret_missing",
					message: expect.stringContaining("STEMMA_TOOL_CARRIER_KEY"),
					path: ["nodes", 2, "auth"],
				},
			],
		});
		expect(runtime.describe()).toMatch(
			/^Ready: desk\. desk\.json runs, with an issue: nodes\[1\]\.auth: "refund" needs .* \(and 1 more\)$/,
		);
		const metrics = await (await runtime.get("/metrics")).text();
		expect(metrics).toContain('stemma_agents{state="ready"} 1\nstemma_agents{state="stale"} 0');
	});

	it("is refused by a strict runtime", async () => {
		await expect(createTestRuntime({ agents: { desk }, client, strict: true })).rejects.toThrow(
			/^1 of 1 agent files are not valid\. desk\.json runs, with an issue: .*STEMMA_TOOL_BILLING/,
		);
	});

	it("has no issue once they are set, or where they do not come from variables", async () => {
		const given = { ...scriptedPorts(), tools: {}, agents: {} } as never;
		const environments = [{ client, secrets: () => undefined }, { ports: given }];
		for (const environment of environments) {
			const runtime = await createTestRuntime({ agents: { desk }, ...environment });
			expect(runtime.agents()[0]).toMatchObject({ status: "ready" });
			expect(runtime.agents()[0]?.issues).toBeUndefined();
		}
		vi.stubEnv("STEMMA_TOOL_BILLING", "b");
		vi.stubEnv("STEMMA_TOOL_CARRIER_KEY", "c");
		const runtime = await createTestRuntime({ agents: { desk }, client });
		expect(runtime.agents()[0]?.issues).toBeUndefined();
	});
});
