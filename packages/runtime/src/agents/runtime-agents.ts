import type { RuntimeAgentIssue, StemmaClient } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import type { AgentSource } from "../folder/agent-source";
import { createServiceMonitor, NO_SERVICE, type ServiceMonitor } from "../upstream/service-monitor";
import { type AgentCatalog, type AgentEntry, isReady, type PrepareAgent } from "./catalog";
import { describeAgents, describeProblems } from "./describe-agents";
import { openLiveCatalog, type ReloadOutcome } from "./live-catalog";

/** The agents of a runtime: those of its files, with what its service says about the agents that manifests name. */
export interface RuntimeAgents {
	/** The files as they are now. Runs go by them alone: for a manifest, the service answers for itself. */
	catalog(): AgentCatalog;
	/** The agents as the service sees them too: so they are listed and counted. */
	entries(): readonly AgentEntry[];
	readonly service: ServiceMonitor;
	/** Looks for changes no more, neither of files nor of the service. */
	stop(): void;
}

export interface RuntimeAgentsOptions {
	readonly prepare: PrepareAgent;
	readonly client: StemmaClient | undefined;
	/** False where something else than the client runs what manifests name. */
	readonly checksManifests: boolean;
	/** One bad agent is an error. */
	readonly strict: boolean;
	readonly log: (line: string) => void;
	readonly onReload: (outcome: ReloadOutcome) => void;
}

/** @throws ConfigurationError when the source cannot be read, and with `strict` for a bad agent. */
export async function openRuntimeAgents(
	source: AgentSource,
	{ prepare, client, checksManifests, strict, log, onReload }: RuntimeAgentsOptions,
): Promise<RuntimeAgents> {
	let service = NO_SERVICE;
	const files = await openLiveCatalog(source, prepare, log, (outcome) => {
		onReload(outcome);
		service.checkSoon();
	});
	const entries = (): readonly AgentEntry[] => withServiceIssues(files.current().entries, service.findIssue);
	if (client !== undefined)
		service = createServiceMonitor({
			client,
			remoteAgentIds: () => (checksManifests ? listRemoteAgentIds(files.current().entries) : []),
			log,
			onIssues: () => log(`Manifests were checked at the service. ${describeAgents(entries())}`),
		});
	if (strict) assertAllValid(files.current(), files.stop);
	return {
		catalog: files.current,
		entries,
		service,
		stop() {
			files.stop();
			service.stop();
		},
	};
}

/** The entries with what the service says about them: a manifest whose agent cannot be run there is not ready. */
const withServiceIssues = (
	entries: readonly AgentEntry[],
	findIssue: (remoteAgentId: string) => RuntimeAgentIssue | undefined,
): readonly AgentEntry[] =>
	entries.map((entry) => {
		const { agent, ...file } = entry;
		const { remoteAgentId } = entry;
		const issue = agent === undefined || remoteAgentId === undefined ? undefined : findIssue(remoteAgentId);
		return issue === undefined ? entry : { ...file, issues: [...file.issues, issue] };
	});

/** Agents of the service that ready manifests name. */
const listRemoteAgentIds = (entries: readonly AgentEntry[]): readonly string[] =>
	entries.filter(isReady).flatMap(({ remoteAgentId }) => remoteAgentId ?? []);

function assertAllValid({ entries }: AgentCatalog, stop: () => void): void {
	const bad = entries.filter(({ issues }) => issues.length > 0);
	if (bad.length === 0) return;
	stop();
	throw new ConfigurationError(
		`${bad.length} of ${entries.length} agent files are not valid. ${describeProblems(bad).join(" ")}`,
		{
			code: "agent_invalid",
			hint: "Correct them, or leave out --strict (option `strict`) to run the others.",
		},
	);
}
