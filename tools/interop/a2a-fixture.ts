import { randomBytes } from "node:crypto";
import type { AgentGraph } from "@stemma/core";
import { createHarness } from "@stemma/simulators/processes";
import { writeAgents } from "../end-to-end/agent-files";
import { deskGraph, ingestHandbook } from "../end-to-end/handbook";
import { type ServiceProcess, startRuntime, startService, vendorEnvironment } from "../end-to-end/servers";
import { startVendor, type Vendor } from "../end-to-end/vendor";
import { getAccessToken } from "./access-token";
import { type ClientProcess, startClientProcess } from "./client-process";

export const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;

/** An agent's address, and a credential for it. */
export interface AgentTarget {
	readonly url: string;
	readonly token: string;
}

/** A vendor, a service that asks it, and an official A2A client. */
export interface A2aFixture {
	readonly vendor: Vendor;
	readonly client: ClientProcess;
	/** With the handbook in it, and agents over it: `desk` is one. */
	readonly service: ServiceProcess;
	/** @param data - its data folder; default: a new one. */
	startService(data?: string): Promise<ServiceProcess>;
	/** A runtime with the same agents; its tokens are the service's own business. */
	startRuntime(): Promise<(agent?: string) => AgentTarget>;
	close(): Promise<void>;
}

/** An agent of a service, for a server. Default: `desk`. */
export const toAgentTarget = async (service: ServiceProcess, agent = "desk"): Promise<AgentTarget> => ({
	url: `${service.url}/a2a/${agent}/`,
	token: await getAccessToken(service),
});

/** A desk that asks the service's own desk once somebody approves. */
const WAITING_GRAPH: AgentGraph = {
	name: "waiting-desk",
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "other", kind: "remote", agentId: "desk", approval: true },
	],
	edges: [{ from: "desk", to: "other", maxCalls: 1 }],
};

const RUNTIME_TOKEN = "a-token-of-the-runtime-that-nobody-may-read";

export async function createA2aFixture(): Promise<A2aFixture> {
	const harness = createHarness();
	const vendor = await startVendor();
	const env = {
		...vendorEnvironment(vendor.baseUrl, vendor.apiKey),
		STEMMA_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
		STEMMA_OUTBOUND_ALLOW: "127.0.0.1",
	};
	const start = (data?: string) => startService(harness, { env, ...(data === undefined ? {} : { data }) });
	const service = await start();
	const { knowledgeBaseId } = await ingestHandbook(service.stemma);
	await service.stemma.agents.create({ slug: "waiting-desk", graph: WAITING_GRAPH });
	const client = startClientProcess("a2a-client");
	return {
		vendor,
		client,
		service,
		startService: start,
		async startRuntime() {
			const agents = await harness.folder();
			await writeAgents(agents, {
				"desk.json": deskGraph(knowledgeBaseId),
				"waiting-desk.json": WAITING_GRAPH,
			});
			const { url } = await startRuntime(harness, { agents, service, token: RUNTIME_TOKEN });
			return (agent = "desk") => ({ url: `${url}/a2a/${agent}/`, token: RUNTIME_TOKEN });
		},
		async close() {
			await Promise.all([client.end(), harness.end()]);
			await vendor.close();
		},
	};
}
