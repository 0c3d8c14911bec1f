import {
	type Agents,
	agents,
	type ClientOptions,
	createClient,
	type Runs,
	runs,
	runtimeAgents,
} from "@stemma/client";
import { createRuntime, type Runtime } from "@stemma/runtime";
import type * as built from "@stemma/service";
import { createMcpHandler, text } from "@stemma/simulators/rpc";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import * as graphs from "../../packages/service/src/agent-ports/test-support/graph-fixture";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import * as refunds from "../../packages/service/src/test-support/refund-graph";

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Server that runs the same agents, as a page reaches it. */
export interface Target {
	readonly name: TargetName;
	/** Address of an agent's route for a protocol. */
	toUrl(agent: string, protocol: "ui" | "ag-ui"): string;
	readonly fetch: Fetch;
	/** Our own client. */
	readonly sdk: {
		readonly agents: Pick<Agents, "stream">;
		readonly runs: Pick<Runs, "stream" | "cancel" | "decide">;
	};
}

/** Servers, and the service once more, for a visitor with a client key. */
export type TargetName = "service" | "runtime" | "client key";

/** A service and a runtime that use one model, one tool and one knowledge base. */
export interface FrontEndFixture {
	readonly service: graphs.GraphFixture;
	readonly targets: Readonly<Record<TargetName, Target>>;
	close(): Promise<void>;
}

/** MCP server of the tool that needs an approval. */
export const refundHandler = createMcpHandler({
	era: "modern",
	tools: refunds.REFUND_TOOLS,
	ttlMs: 0,
	call: () => text("It is refunded."),
});

export async function startFrontEndFixture(source: typeof built, mcpUrl: string): Promise<FrontEndFixture> {
	const service = await graphs.startGraphFixture(source);
	const { credentials, deployment } = service;
	const knowledgeBase = await storeHandbook(service);
	const graphsBySlug = {
		desk: refunds.toRefundGraph(mcpUrl),
		plain: { nodes: [{ id: "plain", kind: "coordinator" }] },
		form: { nodes: [{ id: "form", kind: "coordinator", output: { type: "object" } }] },
		cited: {
			nodes: [
				{ id: "cited", kind: "coordinator" },
				{ id: "handbook", kind: "knowledge", knowledgeBases: [knowledgeBase] },
			],
			edges: [{ from: "cited", to: "handbook", mode: "before" }],
		},
	};
	for (const [slug, graph] of Object.entries(graphsBySlug)) await service.save(slug, graph);
	const serviceFetch: Fetch = (url, init) => deployment.service.fetch(new Request(url, init));
	const { client_id: clientId, client_secret: clientSecret } = credentials;
	const client = createClient({ baseUrl: SERVICE, clientId, clientSecret, fetch: serviceFetch });
	const runtime = await createRuntime({ agents: graphsBySlug, client, log: () => undefined });
	const clientKey = await service.makeKey();
	const keyFetch = withHeader(serviceFetch, "stemma-visitor", "0123456789abcdef0123456789abcdef");
	return {
		service,
		targets: {
			service: toServiceTarget({ clientId, clientSecret }, serviceFetch, service.token),
			runtime: toRuntimeTarget(runtime),
			"client key": toServiceTarget({ clientKey }, keyFetch, clientKey),
		},
		async close() {
			await runtime.close(0);
			await service.close();
		},
	};
}

const SERVICE = "http://service.test";

function toServiceTarget(credential: ClientOptions, fetch: Fetch, token: string): Target {
	const client = createClient({ ...credential, baseUrl: SERVICE, fetch });
	return {
		name: credential.clientKey === undefined ? "service" : "client key",
		toUrl: (agent, protocol) => `${SERVICE}/v1/agents/${agent}/${protocol}`,
		fetch: withHeader(fetch, "authorization", `Bearer ${token}`),
		sdk: { agents: agents(client), runs: runs(client) },
	};
}

function toRuntimeTarget(runtime: Runtime): Target {
	const baseUrl = "http://127.0.0.1:4120";
	const fetch: Fetch = (url, init) => runtime.fetch(new Request(url, init));
	const sdk = runtimeAgents({ baseUrl, fetch });
	return {
		name: "runtime",
		toUrl: (agent, protocol) => `${baseUrl}/run/${agent}/${protocol}`,
		fetch,
		sdk: { agents: sdk, runs: sdk.runs },
	};
}

export const withHeader =
	(fetch: Fetch, name: string, value: string): Fetch =>
	(url, init) => {
		const headers = new Headers(init?.headers);
		headers.set(name, value);
		return fetch(url, { ...init, headers });
	};

async function storeHandbook({ send }: graphs.GraphFixture): Promise<string> {
	const created = await send("POST", "/v1/knowledge-bases", { json: { name: "Handbook" } });
	const { id } = created.body as { readonly id: string };
	const json = { title: "Returns", text: "A refund takes five working days." };
	await send("POST", `/v1/knowledge-bases/${id}/documents`, { json });
	for (let tries = 0; tries < 600; tries++) {
		const { body } = await send("GET", `/v1/knowledge-bases/${id}/documents`);
		const { data } = body as { readonly data: readonly { readonly status: string }[] };
		if (data.length > 0 && data.every(({ status }) => status === "ready")) return id;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	throw new Error("The handbook has not become ready.");
}
