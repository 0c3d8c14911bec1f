import type { Harness } from "@stemma/simulators/processes";
import { writeAgents } from "./agent-files";
import { deskGraph, FACT, type Handbook, ingestHandbook, QUESTION } from "./handbook";
import { type ServiceProcess, startRuntime, startService } from "./servers";
import { USAGE, type Vendor } from "./vendor";

/** A service with the handbook in it, a runtime over it, and what the scenario must know of both. */
export interface Stack {
	readonly service: ServiceProcess;
	/** For `consumer/all-steps.mjs`. */
	readonly settings: object;
	/** By their kinds. */
	readonly secrets: Readonly<Record<string, readonly string[]>>;
}

export interface StackOptions {
	/** What the service's own environment says. */
	readonly env?: Readonly<Record<string, string>>;
	/** What every row of a receipt must say, and the tokens that it may. */
	readonly payer: { readonly row: object; readonly tokens: readonly string[] };
	readonly runtimeToken?: string;
}

export async function startStack(
	harness: Harness,
	{ env = {}, payer, runtimeToken: token }: StackOptions,
): Promise<Stack> {
	const service = await startService(harness, { env });
	const { stemma, url, credentials } = service;
	const [handbook, key] = await Promise.all([
		ingestHandbook(stemma),
		stemma.clientKeys.create({
			name: "phone",
			native: true,
			models: true,
			requests_per_minute: 10_000,
			tokens_per_day: 100_000_000,
		}),
	]);
	const agents = await harness.folder();
	await writeAgents(agents, toAgentFiles(handbook));
	const runtime = await startRuntime(harness, { agents, service, ...(token === undefined ? {} : { token }) });
	return {
		service,
		settings: {
			service: url,
			clientId: credentials.client_id,
			clientSecret: credentials.client_secret,
			clientKey: key.client_key,
			firstClientKey: credentials.client_key,
			runtime: { url: runtime.url, token, ...RUNTIME_AGENTS },
			...handbook,
			graph: deskGraph(handbook.knowledgeBaseId),
			question: QUESTION,
			fact: FACT,
			payer,
		},
		secrets: {
			"client secret": [credentials.client_secret],
			"client key": [credentials.client_key, key.client_key],
			...(token === undefined ? {} : { "runtime token": [token] }),
		},
	};
}

const RUNTIME_AGENTS = {
	agents: ["broken graph invalid", "pages-desk graph ready", "stored-desk manifest ready"],
	ready: ["pages-desk", "stored-desk"],
	broken: "broken",
};

/** A graph, a manifest that names the stored agent, and a file with a mistake. */
const toAgentFiles = ({ knowledgeBaseId, deskAgentId }: Handbook) => ({
	"pages-desk.json": deskGraph(knowledgeBaseId),
	"manifest.json": { id: "stored-desk", remoteAgentId: deskAgentId },
	"broken.json": {
		nodes: [{ id: "desk", kind: "coordinator" }],
		edges: [{ from: "desk", to: "nobody" }],
	},
});

/** Who answers and pays where no provider is configured. */
export const BUILT_IN_PAYER = {
	row: { payer: "none", provider: "extractive", vendor_host: "", model: "extractive" },
	tokens: ["0/0/0"],
};

/** … and where the vendor is. */
export const vendorPayer = ({ baseUrl }: Vendor): StackOptions["payer"] => ({
	row: {
		payer: "deployment",
		provider: "openai-compatible",
		vendor_host: new URL(baseUrl).host,
		model: "simulated-1",
	},
	tokens: Object.values(USAGE).map(
		(usage: { inputTokens: number; outputTokens: number; cachedTokens?: number }) =>
			[usage.inputTokens, usage.outputTokens, usage.cachedTokens ?? 0].join("/"),
	),
});
