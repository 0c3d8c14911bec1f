import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunFailedError, Stemma } from "@stemma/client";
import type { AgentGraph, RunResult } from "@stemma/core";
import { createLocalAgent, servicePorts } from "@stemma/local";
import { createRuntime } from "@stemma/runtime";
import { resolveConfiguration, startService } from "@stemma/service";
import { MODEL_PREFERENCES } from "./deployments";

/** Where a graph can be run, over one service. */
export const ENVIRONMENTS = ["service", "runtime", "local"] as const;

export type RunEnvironment = (typeof ENVIRONMENTS)[number];

/** A service with two knowledge bases, and a runtime over it; both have the same graphs. */
export interface Deployment {
	readonly stemma: Stemma;
	/** The first may have an override. */
	readonly bases: readonly [string, string];
	/** Runs a graph to its end, whatever that is. */
	run(environment: RunEnvironment, graph: string): Promise<RunResult>;
	close(): Promise<void>;
}

const INPUT = "When does the office open?";

/** The names of the graphs: by what their nodes name, over one knowledge base or two. */
export const toGraphName = (preference: string, bases: 1 | 2): string =>
	`${preference.replace(/\W+/g, "-")}-${bases}`;

/** The name of a graph with a scoring stage. */
export const SCORED = "scored";

export const toOuterName = (graph: string): string => `outer-${graph}`;

export async function startDeployment(content: object): Promise<Deployment> {
	const data = await mkdtemp(join(tmpdir(), "stemma-payers-"));
	const encryption = { keys: [{ id: "test", key: { value: Buffer.alloc(32, 7).toString("base64") } }] };
	const service = await startService(
		resolveConfiguration({
			content: {
				data,
				listen: { port: 0 },
				log: { level: "silent" },
				encryption,
				outbound: { allow: ["127.0.0.1"] },
				limits: { requests_per_minute: 10_000_000 },
				...content,
			},
		}),
	);
	const { client_id: clientId, client_secret: clientSecret } = JSON.parse(
		await readFile(service.bootstrapCredentials.path, "utf8"),
	);
	const stemma = new Stemma({ baseUrl: service.url, clientId, clientSecret });
	const bases = [await addBase(stemma, "Office"), await addBase(stemma, "Harbour")] as const;
	const own = toGraphs(bases);
	const graphs: Readonly<Record<string, AgentGraph>> = {
		...own,
		...toOuterGraphs(Object.keys(own)),
		[SCORED]: toScoredGraph(bases),
	};
	for (const [slug, graph] of Object.entries(graphs)) await stemma.agents.create({ slug, graph });
	const runtime = await createRuntime({ agents: graphs, client: stemma, log: () => undefined });

	async function runOverHttp(graph: string): Promise<RunResult> {
		const request = new Request(`http://127.0.0.1:4120/run/${graph}`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ input: INPUT }),
		});
		return (await (await runtime.fetch(request)).json()) as RunResult;
	}

	const runInProcess = (name: string): Promise<RunResult> =>
		createLocalAgent(graphs[name] as AgentGraph, { ports: servicePorts(stemma.client) }).run({
			input: INPUT,
		});

	return {
		stemma,
		bases,
		run(environment, graph) {
			if (environment === "runtime") return runOverHttp(graph);
			return toResult(
				environment === "local" ? runInProcess(graph) : stemma.agents.run(graph, { input: INPUT }),
			);
		},
		async close() {
			await runtime.close(0);
			await service.close(0);
			await rm(data, { recursive: true, force: true });
		},
	};
}

async function addBase({ knowledge }: Stemma, name: string): Promise<string> {
	const { id } = await knowledge.create({ name });
	const text = `The ${name} opens at nine, and closes at five.`;
	await knowledge.documents.waitUntilReady(id, await knowledge.documents.addText(id, { text }), {
		pollMs: 20,
	});
	return id;
}

function toGraphs([first, second]: readonly [string, string]): Readonly<Record<string, AgentGraph>> {
	const entries = Object.entries(MODEL_PREFERENCES).flatMap(([preference, [desk, tail]]) =>
		([1, 2] as const).map((count): [string, AgentGraph] => [
			toGraphName(preference, count),
			{
				nodes: [
					{ id: "desk", kind: "coordinator", model: desk },
					{ id: "books", kind: "knowledge", knowledgeBases: count === 1 ? [first] : [first, second] },
					{ id: "tail", kind: "agent", model: tail },
				],
				edges: [
					{ from: "desk", to: "books", mode: "before" },
					{ from: "desk", to: "tail", mode: "then" },
				],
			},
		]),
	);
	return Object.fromEntries(entries);
}

/** A knowledge node whose passages are scored by the model that the coordinator names, over two knowledge bases. */
const toScoredGraph = ([first, second]: readonly [string, string]): AgentGraph => ({
	nodes: [
		{ id: "desk", kind: "coordinator", model: { provider: "openai-compatible", model: "gpt-a" } },
		{ id: "books", kind: "knowledge", knowledgeBases: [first], minScore: 0.1 },
		{ id: "ships", kind: "knowledge", description: "Ships.", knowledgeBases: [second] },
	],
	edges: [
		{ from: "desk", to: "books", mode: "before" },
		{ from: "desk", to: "ships" },
	],
});

/** For each agent a graph that has it run first, and answers then. */
const toOuterGraphs = (agents: readonly string[]): Readonly<Record<string, AgentGraph>> =>
	Object.fromEntries(
		agents.map((agentId) => [
			toOuterName(agentId),
			{
				nodes: [
					{ id: "front", kind: "coordinator" },
					{ id: "inner", kind: "remote", agentId },
				],
				edges: [{ from: "front", to: "inner", mode: "before" }],
			},
		]),
	);

async function toResult(run: Promise<RunResult>): Promise<RunResult> {
	try {
		return await run;
	} catch (error) {
		if (RunFailedError.is(error)) return error.result;
		throw error;
	}
}
