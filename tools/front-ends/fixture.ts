import { createClient } from "@stemma/client";
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
	readonly name: string;
	/** Address of an agent's route for a protocol. */
	toUrl(agent: string, protocol: "ui" | "ag-ui"): string;
	readonly fetch: Fetch;
	cancel(runId: string): Promise<void>;
}

/** A service and a runtime that use one model, one tool and one knowledge base. */
export interface FrontEndFixture {
	readonly service: graphs.GraphFixture;
	readonly targets: Readonly<Record<"service" | "runtime", Target>>;
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
	const { credentials, deployment, send } = service;
	const knowledgeBase = await storeHandbook(service);
	const agents = {
		desk: refunds.toRefundGraph(mcpUrl),
		plain: { nodes: [{ id: "plain", kind: "coordinator" }] },
		cited: {
			nodes: [
				{ id: "cited", kind: "coordinator" },
				{ id: "handbook", kind: "knowledge", knowledgeBases: [knowledgeBase] },
			],
			edges: [{ from: "cited", to: "handbook", mode: "before" }],
		},
	};
	for (const [slug, graph] of Object.entries(agents)) await service.save(slug, graph);
	const serviceFetch: Fetch = (url, init) => deployment.service.fetch(new Request(url, init));
	const client = createClient({
		baseUrl: "http://service.test",
		clientId: credentials.client_id,
		clientSecret: credentials.client_secret,
		fetch: serviceFetch,
	});
	const runtime = await createRuntime({ agents, client, log: () => undefined });
	return {
		service,
		targets: {
			service: {
				name: "service",
				toUrl: (agent, protocol) => `http://service.test/v1/agents/${agent}/${protocol}`,
				fetch: withHeader(serviceFetch, "authorization", `Bearer ${service.token}`),
				cancel: async (id) => void (await send("POST", `/v1/runs/${id}/cancel`)),
			},
			runtime: toRuntimeTarget(runtime),
		},
		async close() {
			await runtime.close(0);
			await service.close();
		},
	};
}

function toRuntimeTarget(runtime: Runtime): Target {
	const origin = "http://127.0.0.1:4120";
	const fetch: Fetch = (url, init) => runtime.fetch(new Request(url, init));
	return {
		name: "runtime",
		toUrl: (agent, protocol) => `${origin}/run/${agent}/${protocol}`,
		fetch,
		cancel: async (id) =>
			void (await fetch(`${origin}/runs/${id}/cancel`, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: "{}",
			})),
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
