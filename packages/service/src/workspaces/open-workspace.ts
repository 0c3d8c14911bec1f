import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@stemma/core/internal";
import { createPushNotifications } from "../a2a/push-notifications";
import { createExternalPorts } from "../agent-ports/external-ports";
import { createSecretSource } from "../agent-ports/secret-source";
import { createAgents } from "../agents/agents";
import type { Keyring } from "../encryption/keyring";
import { createRequestSlots } from "../fairness/request-slots";
import { countStored } from "../knowledge/ingest/count-stored";
import type { DocumentReaders } from "../knowledge/ingest/reading/document-reader";
import { createWorkspaceReader } from "../knowledge/ingest/reading/workspace-reader";
import { createKnowledge } from "../knowledge/knowledge";
import type { Models } from "../models/models";
import { createWorkspaceEmbedder } from "../models/workspace-embedder";
import type { OutboundGate } from "../outbound/outbound-gate";
import type { Redactor } from "../redaction/redactor";
import { Responses } from "../responses/responses";
import { Runs } from "../runs/runs";
import type { CheckEndpoint, CheckServer } from "../settings/check-endpoint";
import { createLlmSettings } from "../settings/llm-settings";
import type { CheckSource } from "../sources/check-source";
import { createPushedFiles } from "../sources/push/pushed-files";
import { createSourceSyncs } from "../sources/source-syncs";
import { createSources } from "../sources/sources";
import { createRunningSyncs } from "../sources/sync/running-syncs";
import type { DiskSpace } from "../storage/disk-space";
import type { StoreOpener, WorkspaceOpening } from "../store/store-opener";
import type { WorkspaceStore } from "../store/workspace-store";
import type { ServiceMetrics } from "../telemetry/service-metrics";
import { INTERRUPTED } from "../threads/stored-thread";
import { ThreadTurns } from "../threads/thread-turns";
import { createWorkspaceSecrets } from "../workspace-secrets/workspace-secrets";
import { createInFlightCounter } from "./in-flight-counter";
import type { Workspace } from "./workspace";

/** Options for opening the file of a workspace. Opening it continues the work that a shutdown interrupted. */
export interface WorkspaceOptions {
	/** Maximum number of concurrent runs. */
	readonly concurrentRuns: number;
	readonly maxDocuments: number;
	/** Documents that an older version of their reader has read are read again in the background. */
	readonly rereadsOutdated: boolean;
	readonly disk: DiskSpace;
	/** Maximum number of requests in flight at once, streams until their end. */
	readonly maxRequests: number;
	/** Maximum number of searches that run or wait for their turn at once. */
	readonly maxSearches: number;
	/** Document readers that all workspaces share. */
	readonly readers: DocumentReaders;
	readonly models: Models;
	readonly keyring: Keyring;
	/** Redactor that gets each secret that is used. */
	readonly redactor: Redactor;
	readonly checkEndpoint: CheckEndpoint;
	readonly checkServer: CheckServer;
	readonly checkSource: CheckSource;
	/** The way out to servers of others. */
	readonly outbound: OutboundGate["fetch"];
	readonly metrics: ServiceMetrics;
	/** Handler for a failure that no request waits for; the work is tried again where that makes sense. */
	readonly onError: (error: unknown) => void;
}

/** Opens the file of a workspace, ends what a crash has cut off, and goes on with what waits to be read. */
export async function openWorkspace(
	opener: StoreOpener,
	opening: WorkspaceOpening,
	options: WorkspaceOptions,
): Promise<Workspace> {
	const store = await opener.openWorkspace(opening);
	const workspace = createWorkspaceParts(opening.id, store, options);
	try {
		await endInterruptedWork(workspace);
		await workspace.knowledge.start();
		return workspace;
	} catch (error) {
		await closeDamagedWorkspace(workspace).catch(options.onError);
		throw error;
	}
}

/** Ends what the processes that were at it have left unfinished. */
const endInterruptedWork = ({ store, runs, responses }: Workspace): Promise<void> =>
	store.claims.recovering(async () => {
		await store.threads.endInterrupted(INTERRUPTED, clock.now());
		await runs.recover();
		await responses.recover();
	});

/** Takes over what other instances have left unfinished whose lease is over. */
export async function recoverWork(workspace: Workspace): Promise<void> {
	await workspace.knowledge.recover();
	await workspace.pushNotifications.deliveries.resume();
	// Last: it deletes the claims that say what was left.
	await endInterruptedWork(workspace);
}

function createWorkspaceParts(id: string, store: WorkspaceStore, options: WorkspaceOptions): Workspace {
	const { concurrentRuns, maxDocuments, maxSearches, readers, models, keyring, redactor, onError } = options;
	const { checkEndpoint, checkServer, checkSource, outbound, metrics } = options;
	const encryption = { workspaceId: id, keyring, redactor };
	const onChange = (): void => knowledge.retryEmbedding();
	const settings = createLlmSettings({
		...encryption,
		repository: store.settings,
		audit: store.audit,
		checkEndpoint,
		onChange,
	});
	const secrets = createWorkspaceSecrets({ repository: store.secrets, ...encryption, checkServer });
	const runs = new Runs({
		repository: store.runs,
		approvals: store.approvals,
		claims: store.claims,
		maxConcurrentRuns: concurrentRuns,
		countRunEnd: metrics.countRunEnd,
		countLost: metrics.countLostRuns,
		onFailure: onError,
		resumesInterrupted: true,
	});
	const pushNotifications = createPushNotifications({
		...encryption,
		pushConfigs: store.pushConfigs,
		tasks: store.tasks,
		runs,
		claims: store.claims,
		checkServer,
		outbound,
		onError,
	});
	const embedder = createWorkspaceEmbedder({
		workspaceId: id,
		models,
		settings,
		log: runs.log,
		countCall: metrics.countCall,
	});
	const knowledge = createKnowledge({
		repositories: store.knowledge,
		claims: store.claims,
		reader: createWorkspaceReader(readers, id),
		assertSpace: options.disk.assertSpace,
		maxDocuments,
		rereadsOutdated: options.rereadsOutdated,
		maxSearches,
		onSearch: metrics.observeRetrieval,
		onStored: (parts) => metrics.countIngested(countStored(parts)),
		embedder,
		onError,
	});
	const syncs = createRunningSyncs(store.claims);
	const { knowledgeBases } = store.knowledge;
	const sourceParts = { sources: store.sources, syncs: store.syncs, knowledgeBases, running: syncs };
	const externalPorts = createExternalPorts(outbound, createSecretSource(secrets, keyring));
	return {
		id,
		store,
		knowledge,
		sources: { ...createSources(sourceParts, checkSource), ...createSourceSyncs(sourceParts) },
		pushedFiles: createPushedFiles({ sources: store.sources, pushes: store.pushes, knowledge }),
		syncs,
		runs,
		threads: new ThreadTurns({ repository: store.threads, runs, claims: store.claims }),
		responses: new Responses(store.responses, onError, store.claims),
		settings,
		secrets,
		externalPorts,
		pushNotifications,
		agents: createAgents(store.agents),
		inFlight: createInFlightCounter(),
		requests: createRequestSlots(options.maxRequests),
	};
}

/** Lets runs end within the grace time, then closes the file. */
export async function closeWorkspace(workspace: Workspace, graceMs: number): Promise<void> {
	await stopWorkspace(workspace, graceMs);
	await workspace.store.close();
}

/** Time that a deletion waits for requests that arrived while it was recorded. */
const REQUESTS_GRACE_MS = 5_000;

/** Closes the file of a workspace that no request reaches any more, while the service keeps running. */
export async function closeDeletedWorkspace(workspace: Workspace): Promise<void> {
	// What is refused from now on is dropped: where another instance has deleted it, all is refused.
	workspace.runs.log.close();
	await waitUntilIdle(workspace, REQUESTS_GRACE_MS);
	await stopWorkspace(workspace, 0);
	// A request that is still in flight has nowhere to write to any more.
	await workspace.store.closeAndReject();
}

/**
 * Closes a workspace whose file is damaged, while the service keeps running: its runs end, and what is not on the disk is
 * dropped.
 */
export async function closeDamagedWorkspace(workspace: Workspace): Promise<void> {
	workspace.runs.log.close();
	await Promise.allSettled([stopWorkspace(workspace, 0), waitUntilIdle(workspace, REQUESTS_GRACE_MS)]);
	await workspace.store.closeAndReject();
}

/** Time that a deletion waits for requests in flight before it is refused. */
const IDLE_MS = 1_000;

/**
 * Closes a workspace for new runs where neither runs nor requests, streams included, are in flight in it. Short requests
 * get a moment to end.
 *
 * @returns false where some are in flight: nothing has changed then.
 */
export async function closeIfIdle(workspace: Workspace): Promise<boolean> {
	const { runs, inFlight } = workspace;
	if (!runs.closeIfIdle()) return false;
	await waitUntilIdle(workspace, IDLE_MS);
	if (inFlight.size === 0) return true;
	runs.reopen();
	return false;
}

const waitUntilIdle = ({ inFlight }: Workspace, ms: number): Promise<void> =>
	Promise.race([inFlight.whenIdle(), wait(ms, undefined, { ref: false })]);

async function stopWorkspace(
	{ knowledge, syncs, runs, threads, responses, externalPorts, pushNotifications }: Workspace,
	graceMs: number,
): Promise<void> {
	await Promise.all([runs.stop(graceMs), responses.stop(), knowledge.stop(), syncs.stop()]);
	await runs.log.flushed();
	threads.stop();
	externalPorts.close();
	// The rest goes out when the file is opened again.
	await pushNotifications.deliveries.stop();
}
