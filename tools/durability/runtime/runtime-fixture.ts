import { fileURLToPath } from "node:url";
import type { AgentGraph } from "@stemma/core";
import { findStablePort, type Harness } from "@stemma/simulators/processes";
import { writeAgents } from "../../end-to-end/agent-files.ts";
import { type ServiceProcess, startService, vendorEnvironment } from "../../end-to-end/servers.ts";
import { type RuntimeProcess, startRuntimeProcess } from "./runtime-process.ts";

/** A runtime over a service over a vendor, each a process of its own. */
export interface RuntimeFixture {
	/** The vendor's, with `/v1`. */
	readonly vendorUrl: string;
	readonly service: ServiceProcess;
	readonly runtime: RuntimeProcess;
	/** The service again, with its data and on its port. */
	restartService(): Promise<ServiceProcess>;
	/** The runtime again, on another port. */
	restartRuntime(): Promise<RuntimeProcess>;
}

export interface RuntimeFixtureOptions {
	/** Of an answer. */
	readonly chunks: number;
	/** Between two chunks. */
	readonly pauseMs: number;
	/** The share of calls that the vendor fails; default 0. */
	readonly failing?: number;
	readonly seed?: number;
	/** What the runtime gives to runs under way when it is stopped. */
	readonly graceMs?: number;
	/** An MCP server with a tool `refund`: for `refund`, a graph of the runtime, and `stored-refund`, one of the service. */
	readonly refunds?: string;
}

/** One model; one that asks another; and one that the service runs. */
export const FIXTURE_AGENTS = ["plain", "nested", "stored"] as const;

const PLAIN: AgentGraph = { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] };
const NESTED: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "clerk", kind: "agent", instructions: "Help." },
	],
	edges: [{ from: "desk", to: "clerk", mode: "call" }],
};

/** Refunds nothing that nobody has approved. */
const toRefundGraph = (server: string): AgentGraph => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund", server, approval: true },
	],
	edges: [{ from: "desk", to: "refund", mode: "call" }],
});

const MANY = {
	STEMMA_LIMITS_CONCURRENT_RUNS: "1000",
	STEMMA_LIMITS_REQUESTS_PER_MINUTE: "10000000",
	STEMMA_LOG_LEVEL: "error",
};

export async function createRuntimeFixture(
	harness: Harness,
	options: RuntimeFixtureOptions,
): Promise<RuntimeFixture> {
	const vendorUrl = await startVendor(harness, options);
	const env = { ...vendorEnvironment(vendorUrl, "key"), ...MANY };
	const port = String(await findStablePort());
	const service = await startService(harness, { env, port });
	const { id } = await service.stemma.agents.create({ slug: "desk", graph: PLAIN });
	const agents = await harness.folder();
	await writeAgents(agents, {
		"plain.json": PLAIN,
		"nested.json": NESTED,
		"stored.json": { remoteAgentId: id },
	});
	const { graceMs, refunds } = options;
	if (refunds !== undefined) {
		const graph = toRefundGraph(refunds);
		const { id: remoteAgentId } = await service.stemma.agents.create({ slug: "refund", graph });
		await writeAgents(agents, { "refund.json": graph, "stored-refund.json": { remoteAgentId } });
	}
	const restartRuntime = (): Promise<RuntimeProcess> =>
		startRuntimeProcess({ agents, service: service.url, credentials: service.credentials, graceMs });
	return {
		vendorUrl,
		service,
		runtime: await restartRuntime(),
		restartRuntime,
		restartService: () => startService(harness, { env, data: service.data, port }),
	};
}

const program = fileURLToPath(new URL("stamping-vendor.ts", import.meta.url));

async function startVendor(
	harness: Harness,
	{ pauseMs, chunks, failing = 0, seed = 1 }: RuntimeFixtureOptions,
): Promise<string> {
	const vendor = harness.start({ args: [program, ...[pauseMs, chunks, failing, seed].map(String)] });
	const [, baseUrl = ""] = await vendor.waitForOutput(/"base_url":"([^"]+)"/);
	return baseUrl;
}
