import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import * as served from "../../../packages/service/src/test-support/served-process";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { getBody } from "../../../packages/service/src/test-support/tenant";

/** A server in a process of its own, with an agent and a run that has ended. */
export interface OddServer {
	readonly host: string;
	readonly port: number;
	/** Access token of the service, token of the runtime. */
	readonly token: string;
	/** Value of the header `authorization`. */
	readonly authorization: string;
	/** Path of the route that runs the agent. */
	readonly run: string;
	/** Path of the same route with an agent that does not exist. */
	readonly unknownAgent: string;
	/** Path of the events of the run. */
	readonly events: string;
	/** Path of the events of a run that does not exist. */
	readonly unknownRun: string;
	/** Path of the route that cancels the run. */
	readonly cancel: string;
}

/** Both servers; the runtime uses the service. */
export interface OddServers {
	readonly service: OddServer;
	readonly runtime: OddServer;
	/** First client of the service. */
	readonly client: { readonly clientId: string; readonly clientSecret: string };
	close(): Promise<void>;
}

const GRAPH = { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] };
/** Asks the agent of the service only after an approval. */
const APPROVAL_GRAPH = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "other", kind: "remote", agentId: "desk", approval: true },
	],
	edges: [{ from: "desk", to: "other", mode: "before" }],
};
const TOKEN = "token-of-the-runtime";
const main = fileURLToPath(new URL("../../../packages/runtime/dist/main.js", import.meta.url));

/** Starts both servers, and one run on each. @param content - configuration of the service. */
export async function startOddServers(
	content: Parameters<typeof served.serveProcess>[1] = {},
): Promise<OddServers> {
	const folder = await served.makeDataFolder();
	const service = await served.serveProcess(folder, content);
	const { id } = await getBody<{ id: string }>(
		service.send("POST", "/v1/agents", { json: { slug: "desk", graph: GRAPH } }),
	);
	const agents = join(folder, "agent-files");
	await mkdir(agents);
	await writeFile(join(agents, "desk.json"), JSON.stringify(GRAPH));
	await writeFile(join(agents, "asking.json"), JSON.stringify(APPROVAL_GRAPH));
	const credentials = JSON.parse(await readFile(join(folder, "first-credentials.json"), "utf8"));
	const client = { clientId: credentials.client_id, clientSecret: credentials.client_secret };
	const runtime = await startRuntimeProcess(agents, {
		STEMMA_RUNTIME_TOKEN: TOKEN,
		STEMMA_BASE_URL: service.url,
		STEMMA_CLIENT_ID: client.clientId,
		STEMMA_CLIENT_SECRET: client.clientSecret,
	});
	return {
		client,
		service: await toServer(service.url, service.token, {
			agents: "/v1/agents",
			agent: id,
			runs: "/v1/runs",
		}),
		runtime: await toServer(runtime.url, TOKEN, { agents: "/run", agent: "desk", runs: "/runs" }),
		async close() {
			runtime.kill();
			await service.kill();
			await served.removeDataFolder(folder);
		},
	};
}

async function toServer(
	url: string,
	token: string,
	{ agents, agent, runs }: { readonly agents: string; readonly agent: string; readonly runs: string },
): Promise<OddServer> {
	const { host, port } = new URL(url);
	const authorization = `Bearer ${token}`;
	const toRunPath = (name: string): string => (agents === "/run" ? `/run/${name}` : `${agents}/${name}/run`);
	const response = await fetch(`${url}${toRunPath(agent)}`, {
		method: "POST",
		headers: { authorization, "content-type": "application/json" },
		body: '{"input":"Is anybody there?"}',
	});
	const { run_id } = (await response.json()) as { readonly run_id: string };
	return {
		host,
		port: Number(port),
		token,
		authorization,
		run: toRunPath(agent),
		unknownAgent: toRunPath("nobody"),
		events: `${runs}/${run_id}/events`,
		unknownRun: `${runs}/run_0/events`,
		cancel: `${runs}/${run_id}/cancel`,
	};
}

async function startRuntimeProcess(
	agents: string,
	variables: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; kill(): void }> {
	const child = spawn(process.execPath, [main, agents, "--port", "0"], {
		env: { ...process.env, ...variables },
		stdio: ["ignore", "ignore", "pipe"],
	});
	let output = "";
	for await (const chunk of child.stderr) {
		output += chunk;
		const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
		if (url !== undefined && url !== variables.STEMMA_BASE_URL)
			return { url, kill: () => void child.kill("SIGKILL") };
	}
	throw new Error(`The runtime has ended: ${output}`);
}
