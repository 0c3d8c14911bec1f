import type { RunRecord, WireRunEvent } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import type { ConfigurationInput } from "../../configuration/configuration-file";
import type * as source from "../../index";
import type { TestRequest } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

/** A service with a model that does what a test wants, and one workspace or more. */
export interface GraphFixture extends GraphWorkspace {
	readonly deployment: TestDeployment;
	readonly vendor: OpenAiSimulator;
	addWorkspace(name: string): Promise<GraphWorkspace>;
	close(): Promise<void>;
}

export interface GraphWorkspace extends TestWorkspace {
	/** Stores a graph under a slug, also in place of another. */
	save(slug: string, graph: object): Promise<void>;
	run(slug: string, input: unknown, request?: GraphRunRequest): Promise<RunResult>;
	/** Starts a run in the background. */
	start(slug: string, input: unknown): Promise<string>;
	/** Resolves with the run once it has ended. */
	waitUntilEnded(runId: string): Promise<RunRecord>;
	cancel(runId: string): Promise<RunRecord>;
	/** Newest first. */
	runs(slug?: string): Promise<readonly RunRecord[]>;
	events(runId: string): Promise<readonly WireRunEvent[]>;
	makeKey(limits?: object): Promise<string>;
}

export interface GraphRunRequest extends Pick<TestRequest, "headers" | "token"> {
	readonly context?: object;
}

export async function startGraphFixture(
	built: typeof source,
	content: ConfigurationInput = {},
): Promise<GraphFixture> {
	const vendor = await startOpenAiSimulator({ behaviour: () => ({ kind: "reply", text: "Done." }) });
	const deployment = await openTestDeployment(built, {
		providers: {
			main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "model" },
		},
		chat: "main",
		...content,
	});
	const addWorkspace = async (name: string) => toGraphWorkspace(await deployment.addWorkspace(name));
	return {
		...(await addWorkspace("first")),
		deployment,
		vendor,
		addWorkspace,
		async close() {
			await deployment.close();
			await vendor.close();
		},
	};
}

function toGraphWorkspace(workspace: TestWorkspace): GraphWorkspace {
	const { send } = workspace;
	const read = <Body>(path: string): Promise<Body> => getBody<Body>(send("GET", path));
	return {
		...workspace,
		async save(slug, graph) {
			const replaced = await send("PUT", `/v1/agents/${slug}`, { json: { graph } });
			if (replaced.status !== 404) return void (await getBody(Promise.resolve(replaced)));
			await getBody(send("POST", "/v1/agents", { json: { graph, slug } }));
		},
		run: (slug, input, { context, ...request } = {}) =>
			getBody(
				send("POST", `/v1/agents/${slug}/run`, {
					...request,
					json: { input, ...(context !== undefined && { context }) },
				}),
			),
		async start(slug, input) {
			const json = { input, background: true };
			return (await getBody<RunRecord>(send("POST", `/v1/agents/${slug}/run`, { json }))).id;
		},
		async waitUntilEnded(runId) {
			for (;;) {
				const run = await read<RunRecord>(`/v1/runs/${runId}`);
				if (run.status !== "running") return run;
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		},
		cancel: (runId) => getBody(send("POST", `/v1/runs/${runId}/cancel`)),
		async runs(slug) {
			const of = slug === undefined ? "" : `&agent_id=${slug}`;
			return (await read<{ data: RunRecord[] }>(`/v1/runs?limit=100${of}`)).data;
		},
		events: async (runId) => (await read<{ data: WireRunEvent[] }>(`/v1/runs/${runId}/events?after=0`)).data,
		async makeKey(limits = {}) {
			const json = { name: "page", native: true, requests_per_minute: 1_000_000, ...limits };
			return (await getBody<{ client_key: string }>(send("POST", "/v1/client-keys", { json }))).client_key;
		},
	};
}

export interface GraphNode {
	readonly id: string;
	readonly [field: string]: unknown;
}

/** A desk that has something at hand before it answers: the node is the desk's only one. */
export const toGraphWith = (node: GraphNode, coordinator: object = {}): object => ({
	nodes: [{ id: "desk", kind: "coordinator", ...coordinator }, node],
	edges: [{ from: "desk", to: node.id, mode: "before" }],
});

/** A desk that asks another agent of the workspace first. */
export const toGraphAsking = (agentId: string, coordinator: object = {}): object =>
	toGraphWith({ id: "legal", kind: "remote", agentId }, coordinator);
