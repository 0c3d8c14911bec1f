import { Stemma } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import type { LocalTools } from "@stemma/local";
import type { Configuration } from "@stemma/service";
import { readDataFolder } from "../connection/data-folder";
import { removeServiceFile, writeServiceFile } from "../connection/service-file";
import { describeIngest } from "../ingest/ingest-report";
import { reportMissing } from "../ingest/show-ingest";
import { reportError } from "../terminal/report-error";
import type { Terminal } from "../terminal/terminal";
import type { DevProject } from "./dev-project";
import { ingestDocuments } from "./ingest-documents";
import { createToolLoader } from "./load-tools";
import { openReloadingRuntime, type ReloadingRuntime } from "./reloading-runtime";
import { type DevServers, routeRequest } from "./route-request";
import { createPages } from "./serve-pages";
import { watchFolder } from "./watch-folder";

/** Pause between two looks at the agent files: a saved file is in the next run before a hand is back at the mouse. */
const AGENT_POLL_MS = 50;
const GRACE_MS = 1_000;

/** Project that is served. */
export interface DevServer {
	/** `http://127.0.0.1:4000` */
	readonly url: string;
	/** The agents in one line, for a person. */
	describeAgents(): string;
	close(): Promise<void>;
}

/**
 * Serves a project on one port: the service with its web app, a runtime over the agent files, and pages. Agents, tools and
 * documents that change apply to the next run; what is wrong with them is reported, and the last good ones stay.
 *
 * @throws what the service and the runtime throw where they cannot start.
 */
export async function startDevServer(
	terminal: Terminal,
	project: DevProject,
	configuration: Configuration,
	signal: AbortSignal,
): Promise<DevServer> {
	const { startService } = await import("@stemma/service");
	let servers: DevServers | undefined;
	const service = await startService(configuration, {
		handle: (request) => servers && routeRequest(request, servers),
	});
	/** Steps that undo the start, to be taken last first. */
	const cleanUp: (() => unknown)[] = [() => service.close(GRACE_MS)];
	const close = async (): Promise<void> => {
		for (const undo of cleanUp.splice(0).reverse()) await undo();
	};
	try {
		await writeServiceFile(configuration.data, service.url);
		cleanUp.push(() => removeServiceFile(configuration.data, service.url));
		const stemma = await connect(configuration.data, service.url);
		cleanUp.push(...(await serveDocuments(terminal, project, stemma, signal)));
		const { runtime, stop } = await serveAgents(terminal, project, stemma);
		cleanUp.push(stop);
		const pages = project.web && createPages(project.web, "/web/");
		servers = { runtime: runtime.fetch, ...(pages && { pages }) };
		return { url: service.url, describeAgents: runtime.describe, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Client with the credentials of the data folder, else of the environment. */
async function connect(data: string, baseUrl: string): Promise<Stemma> {
	const { credentials } = await readDataFolder(data);
	const { STEMMA_CLIENT_ID: clientId, STEMMA_CLIENT_SECRET: clientSecret } = process.env;
	if (credentials !== undefined) return new Stemma({ baseUrl, ...credentials });
	if (clientId && clientSecret) return new Stemma({ baseUrl, clientId, clientSecret });
	throw new ConfigurationError(`The data folder "${data}" has no first-credentials.json.`, {
		code: "missing_credentials",
		hint: "Set STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET to those of a client of this service.",
	});
}

/** Brings the documents in, now and when they change. Returns what stops that. */
async function serveDocuments(
	terminal: Terminal,
	{ documents }: DevProject,
	{ knowledge }: Stemma,
	signal: AbortSignal,
): Promise<readonly (() => void)[]> {
	if (documents === undefined) return [];
	const bringIn = async (): Promise<void> => {
		try {
			const report = await ingestDocuments(knowledge, documents, signal);
			reportMissing(terminal, report);
			terminal.stderr.write(`${describeIngest(report)}\n`);
		} catch (error) {
			if (!signal.aborted) reportError(terminal, error);
		}
	};
	await bringIn();
	return [await watchFolder(documents, bringIn)];
}

interface ServedAgents {
	readonly runtime: ReloadingRuntime;
	readonly stop: () => Promise<void>;
}

/** Opens a runtime with the tools of the project, and another one when they change. */
async function serveAgents(
	terminal: Terminal,
	{ agents, tools: folder }: DevProject,
	client: Stemma,
): Promise<ServedAgents> {
	const { createRuntime } = await import("@stemma/runtime");
	const loader = folder === undefined ? undefined : createToolLoader(folder);
	let tools: LocalTools = {};
	const log = (line: string): void => void terminal.stderr.write(`${line}\n`);
	const runtime = await openReloadingRuntime(async () => {
		const loaded = (await loader?.load()) ?? {};
		const opened = await createRuntime({ agents, client, tools: loaded, pollMs: AGENT_POLL_MS, log });
		tools = loaded;
		return opened;
	});
	const reload = async (): Promise<void> => {
		try {
			await runtime.reload();
			log(`Tools changed. ${Object.keys(tools).join(", ") || "There are none."}`);
		} catch (error) {
			reportError(terminal, error);
		}
	};
	const stopWatching = folder === undefined ? undefined : await watchFolder(folder, reload);
	return {
		runtime,
		async stop() {
			stopWatching?.();
			await runtime.close();
		},
	};
}
