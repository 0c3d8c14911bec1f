import type { FetchLike } from "@stemma/routing/openai-compatible";
import { openTracer } from "@stemma/telemetry";
import type { Logger } from "pino";
import { type AccessTokens, createAccessTokens } from "./auth/access-tokens";
import { createAuthenticator } from "./auth/authenticator";
import { createFailureBrake } from "./auth/failure-brake";
import { createFingerprint } from "./auth/fingerprint";
import type { WorkspaceCredentials } from "./auth/first-credentials";
import { ownOrigins } from "./auth/origins";
import { WORKSPACE_SCOPES } from "./auth/scopes";
import { createTokenBudgets } from "./auth/token-budgets";
import { createTokenLimits, type TokenLimits } from "./auth/token-limits";
import type { Configuration } from "./configuration/configuration";
import { createLogger } from "./configuration/create-logger";
import { listSecrets } from "./configuration/list-secrets";
import { createMainThreadTurns } from "./fairness/main-thread-turns";
import { createBodyBudget, createSpoolBudget, createUploadQueue } from "./fairness/upload-budgets";
import { createActivity } from "./http/activity";
import { sweepIdempotency } from "./http/idempotency";
import {
	type ConnectionInfo,
	createServiceApp,
	type ServiceApp,
	type ServiceKernel,
} from "./http/service-app";
import { STEMMA_VERSION } from "./http/stemma-version";
import { createDocumentReaders } from "./knowledge/document-reader";
import { createModelTurns } from "./models/model-turns";
import { createModels, type Models } from "./models/models";
import { isLoopback } from "./outbound/is-loopback";
import { parseOutboundAllow } from "./outbound/outbound-allow";
import { createOutboundGate, type OutboundGate } from "./outbound/outbound-gate";
import type { OutboundPolicy } from "./outbound/outbound-policy";
import { addA2aRoutes } from "./routes/a2a";
import { addAgentRoutes } from "./routes/agents";
import { addApprovalRoute } from "./routes/approvals";
import { addAskRoute } from "./routes/ask";
import { addAuditRoute } from "./routes/audit";
import { addChatCompletionsRoute } from "./routes/chat-completions";
import { addClientKeyRoutes } from "./routes/client-keys";
import { addClientRoutes } from "./routes/clients";
import { addDocumentRoutes } from "./routes/documents";
import { addEmbeddingsRoute } from "./routes/embeddings";
import { addHealthRoutes } from "./routes/health";
import { addKnowledgeBaseRoutes } from "./routes/knowledge-bases";
import { addLlmSettingsRoutes } from "./routes/llm-settings";
import { addMcpRoutes } from "./routes/mcp";
import { addMetricsRoute } from "./routes/metrics";
import { addModelRoutes } from "./routes/models";
import { addOAuthMetadataRoutes } from "./routes/oauth-metadata";
import { addTokenRoute } from "./routes/oauth-token";
import { addResolveModelsRoute } from "./routes/resolve-models";
import { addRunAgentRoute } from "./routes/run-agent";
import { addRunRoutes } from "./routes/runs";
import { addSearchRoutes } from "./routes/search";
import { addUsageRoute } from "./routes/usage";
import { addWorkspaceSecretRoutes } from "./routes/workspace-secrets";
import { addWorkspaceRoutes } from "./routes/workspaces";
import { sweepApprovals } from "./runs/approval-sweep";
import { createSchemaChecker } from "./schema-check/schema-checker";
import { announceKeys } from "./sealing/announce-keys";
import { checkSealed } from "./sealing/check-sealed";
import { createKeyring, type Keyring } from "./sealing/keyring";
import { createRedactor, type Redactor } from "./sealing/redactor";
import { createCheckEndpoint, createCheckServer } from "./settings/check-endpoint";
import { findIgnoredSettings, listSettingsWarnings, logIgnoredSettings } from "./settings/ignored-settings";
import { createDiskSpace, type DiskSpace } from "./storage/disk-space";
import { sweepStorage } from "./storage/sweep-storage";
import { readDeploymentSecret } from "./store/deployment-secret";
import type { TightenedFiles } from "./store/private-files";
import { openSpool } from "./store/spool";
import { demandVectorSearch } from "./store/vector-functions";
import { createServiceTelemetry, type ServiceTelemetry } from "./telemetry/service-telemetry";
import type { TracerSource } from "./telemetry/tracer-source";
import { createWorkspace, createWorkspaceCredentials } from "./workspaces/create-workspace";
import { prepareDataFolder } from "./workspaces/data-folder";
import { type FirstCredentials, makeFirstWorkspace } from "./workspaces/first-start";
import { resumeClock } from "./workspaces/resume-clock";
import { createStopping } from "./workspaces/stopping";
import { openStores, type Stores } from "./workspaces/stores";
import { listUnavailableWarnings, type UnavailableWorkspace } from "./workspaces/unavailable-workspace";
import { createWorkspaceRegistry, type WorkspaceRegistry } from "./workspaces/workspace-registry";
import { countWorkspaces } from "./workspaces/workspaces";

/** A deployment, as one process has it. */
export interface Service {
	/**
	 * Answers a request; needs no port.
	 *
	 * @param connection - where the request came from, for rates by address. Default: not counted.
	 */
	fetch(request: Request, connection?: ConnectionInfo): Promise<Response>;
	readonly firstCredentials: FirstCredentials;
	/** Makes a workspace beside the first; its secrets are told here and kept nowhere. */
	createWorkspace(name: string): Promise<WorkspaceCredentials>;
	/**
	 * Takes nothing new, waits for what is under way, then ends streams and closes the store.
	 *
	 * @param graceMs - how long to wait at the most; default 10 s.
	 */
	close(graceMs?: number): Promise<void>;
}

export interface ServiceOptions {
	/** Default: lines of JSON on the standard output. */
	readonly logger?: Logger;
	/** Takes secrets out of what the default logger writes. Default: one of its own. */
	readonly redactor?: Redactor;
	/** Deletes what no encryption key opens. Default false: without any key, a service does not start then. */
	readonly abandonSealedCredentials?: boolean;
	/** How the vendors of the configuration are reached: for proxies and tests. Default: `fetch` of the platform. */
	readonly fetch?: FetchLike;
	/** Gets a span for each request, run and call: a `TracerProvider` of `@opentelemetry/api`. Default: what is registered globally, if anything is. */
	readonly tracerProvider?: TracerSource | undefined;
}

const GRACE_MS = 10_000;
const SWEEP_MS = 60 * 60 * 1000;
const APPROVAL_SWEEP_MS = 60 * 1000;
const RETENTION_SWEEP_MS = 10 * 60 * 1000;
const DISK_CHECK_MS = 5 * 1000;

/**
 * Opens a data folder and serves it.
 *
 * @throws ConfigurationError when something must be changed first; the message says what.
 * @throws StorageError when the data folder is damaged.
 */
export async function createService(
	configuration: Configuration,
	options: ServiceOptions = {},
): Promise<Service> {
	const { fetch, abandonSealedCredentials = false, tracerProvider } = options;
	const { redactor = createRedactor(listSecrets(configuration)) } = options;
	const { logger = createLogger(configuration.log.level, redactor) } = options;
	if (configuration.embeddings !== undefined) demandVectorSearch();
	const onError = (error: unknown): void => logger.error({ err: error }, "background work failed");
	const { concurrentRuns, concurrentRequests, concurrentSearches, documents } = configuration.limits;
	await prepareDataFolder(configuration.data);
	const disk = createDiskSpace(configuration.data, {
		reserveBytes: configuration.limits.diskReserveBytes,
		logger,
	});
	let opened: Stores | undefined;
	const policy = toOutboundPolicy(configuration, () =>
		opened === undefined ? 0 : countWorkspaces(opened.workspaces),
	);
	const gate = createOutboundGate(policy);
	const models = createModels(configuration, { outbound: gate.fetch, fetch });
	const keyring = createKeyring(configuration.encryption.keys);
	const scope = { name: "@stemma/service", version: STEMMA_VERSION };
	const telemetry = createServiceTelemetry(openTracer(tracerProvider, scope), redactor.redact);
	const stores = await openStores(configuration.data, {
		concurrentRuns,
		maxRequests: concurrentRequests,
		maxSearches: concurrentSearches,
		maxDocuments: documents,
		readers: createDocumentReaders(),
		disk,
		models,
		keyring,
		redactor,
		checkEndpoint: createCheckEndpoint(gate, policy),
		checkServer: createCheckServer(gate, policy),
		outbound: gate.fetch,
		countCall: telemetry.metrics.countCall,
		countRunEnd: telemetry.metrics.countRunEnd,
		onError,
		onUnavailable: (workspace) => logUnavailable(workspace, logger),
	});
	opened = stores;
	logTightenedFiles(stores.files, logger);
	logUnknownFiles(stores.unknownFiles, logger);
	try {
		await resumeClock(stores, logger);
		await checkSealed(stores.workspaces.list(), { keyring, abandon: abandonSealedCredentials, logger });
		await announceKeys(stores.deployment, keyring);
		const ignoredSettings = await findIgnoredSettings(stores.workspaces.list(), keyring);
		logIgnoredSettings(ignoredSettings, logger);
		// Not before all workspaces are open: by their number it is decided what may be called.
		for (const { pushes } of stores.workspaces.list()) await pushes.deliveries.resume();
		return await serveStores(configuration, {
			stores,
			disk,
			gate,
			models,
			keyring,
			ignoredSettings,
			logger,
			telemetry,
			onError,
		});
	} catch (error) {
		await Promise.all([stores.close(0), gate.close()]);
		throw error;
	}
}

/** Files that others could read were made by an earlier version, or by somebody else. */
function logTightenedFiles({ tightened, open }: TightenedFiles, logger: Logger): void {
	if (tightened.length > 0)
		logger.warn(
			{ code: "data_folder_tightened", files: tightened },
			"files of the data folder were open to other users of this machine; now they are their owner's alone",
		);
	if (open.length > 0)
		logger.warn(
			{ code: "data_folder_open", files: open },
			"files of the data folder are open to other users of this machine: close them with chmod go=, or give the service a folder of its own",
		);
}

function logUnavailable({ id, problem, error }: UnavailableWorkspace, logger: Logger): void {
	const line = { code: "workspace_unavailable", workspace: id, problem: problem.code, err: error };
	logger.error(line, `a workspace is unavailable, the others are served: ${problem.message} ${problem.hint}`);
}

function logUnknownFiles(files: readonly string[], logger: Logger): void {
	if (files.length > 0)
		logger.warn(
			{ code: "workspace_files_unknown", files },
			"the deployment knows no workspaces of these files: move them away, or restore the deployment.sqlite that knows them",
		);
}

/** What a service is made of. */
interface ServiceParts {
	readonly stores: Stores;
	readonly disk: DiskSpace;
	readonly gate: OutboundGate;
	readonly models: Models;
	readonly keyring: Keyring;
	/** Ids of the workspaces whose model settings are ignored. */
	readonly ignoredSettings: ReadonlySet<string>;
	readonly logger: Logger;
	readonly telemetry: ServiceTelemetry;
	readonly onError: (error: unknown) => void;
}

/**
 * A service that only this machine reaches may call this machine, as long as it has one tenant: a reverse proxy may stand
 * before it.
 */
const toOutboundPolicy = (
	{ outbound, listen }: Configuration,
	countWorkspaces: () => number,
): OutboundPolicy => ({
	allow: parseOutboundAllow(outbound.allow),
	get allowLoopback() {
		return isLoopback(listen.host) && countWorkspaces() <= 1;
	},
});

async function serveStores(
	configuration: Configuration,
	{ stores, disk, gate, models, keyring, ignoredSettings, logger, telemetry, onError }: ServiceParts,
): Promise<Service> {
	const { deployment, workspaces } = stores;
	const origins = ownOrigins(configuration.listen);
	warnOfUnusedProviders(configuration, logger);
	const firstCredentials = await makeFirstWorkspace(deployment, workspaces, configuration.data, origins);
	const tokenLimits = createTokenLimits(configuration.limits.accessTokensPerMinute);
	const tokens = createAccessTokens(deployment, tokenLimits);
	const stopping = createStopping();
	const budget = createSpoolBudget(configuration.limits);
	const spool = await openSpool(configuration.data, { budget, disk, onError });
	const turns = createMainThreadTurns();
	const kernel: ServiceKernel = {
		logger,
		telemetry,
		authenticator: createAuthenticator(deployment, tokens, configuration.limits.requestsPerMinute),
		budgets: createTokenBudgets(deployment, onError),
		workspaces,
		models,
		schemas: createSchemaChecker(),
		checkAddress: gate.check,
		keyring,
		limits: configuration.limits,
		bodies: createBodyBudget(configuration.limits),
		uploads: createUploadQueue(configuration.limits),
		spool,
		disk,
		publicOrigin: configuration.listen.publicUrl,
		fingerprint: createFingerprint(await readDeploymentSecret(deployment, "request_fingerprint")),
		modelTurns: createModelTurns(configuration.limits.concurrentModelCalls, turns),
		turns,
		activity: createActivity(),
		closing: stopping.signal,
		isStopping: stopping.hasBegun,
	};
	const app = createServiceApp(kernel);
	addHealthRoutes(app, {
		isStopping: kernel.isStopping,
		checkStore: () => checkStore(stores),
		isUseful: () => workspaces.list().length > 0 || workspaces.listUnavailable().length === 0,
		listWarnings: () => [
			...listSettingsWarnings([...ignoredSettings].filter((id) => workspaces.find(id) !== undefined).length),
			...listUnavailableWarnings(workspaces.listUnavailable()),
			...disk.listWarnings(),
		],
	});
	const registry = createWorkspaceRegistry({
		deployment,
		workspaces,
		dataFolder: configuration.data,
		origins,
		forget: models.forget,
	});
	addRoutes(app, { stores, tokens, tokenLimits, registry });
	const isLocal = isLoopback(configuration.listen.host);
	addMcpRoutes(app, { isLocal });
	addMetricsRoute(app, { isLocal, token: configuration.metrics?.token });
	const sweeping = setInterval(() => {
		sweep(tokens, stores)
			.then(() => registry.finishDeletions(onError))
			.catch(onError);
	}, SWEEP_MS).unref();
	let swept = Promise.resolve();
	function sweepAllApprovals(): void {
		swept = swept
			.then(() => workspaces.retry())
			.then(() => sweepApprovals(kernel, onError))
			.catch(onError);
	}
	sweepAllApprovals();
	const waiting = setInterval(sweepAllApprovals, APPROVAL_SWEEP_MS).unref();

	let checked = Promise.resolve();
	function checkDisk(): void {
		checked = checked.then(disk.check).catch(onError);
	}
	checkDisk();
	const disks = setInterval(checkDisk, DISK_CHECK_MS).unref();
	let retained = Promise.resolve();
	function sweepRetained(): void {
		retained = retained
			.then(() => sweepStorage(stores, configuration.limits.retention, onError))
			.catch(onError);
	}
	sweepRetained();
	const retaining = setInterval(sweepRetained, RETENTION_SWEEP_MS).unref();

	async function close(graceMs: number): Promise<void> {
		clearInterval(disks);
		clearInterval(retaining);
		clearInterval(sweeping);
		clearInterval(waiting);
		await stopping.begin(kernel, graceMs);
		await swept;
		await Promise.all([retained, checked]);
		await kernel.budgets.flush().catch(onError);
		await stores.close(0);
		await Promise.all([gate.close(), kernel.schemas.stop(), kernel.modelTurns.stop()]);
		telemetry.metrics.stop();
	}

	let closed: Promise<void> | undefined;
	return {
		fetch: async (request, connection) => app.fetch(request, connection),
		firstCredentials,
		async createWorkspace(name) {
			const credentials = createWorkspaceCredentials();
			await createWorkspace(deployment, workspaces, {
				name,
				credentials,
				origins,
				scopes: WORKSPACE_SCOPES,
			});
			return credentials;
		},
		close(graceMs = GRACE_MS) {
			closed ??= close(graceMs);
			return closed;
		},
	};
}

/** Who configures a provider wants it to answer, as a rule. */
function warnOfUnusedProviders({ providers, chat }: Configuration, logger: Logger): void {
	const names = Object.keys(providers);
	if (chat !== undefined || names.length === 0) return;
	logger.warn(
		{ providers: names },
		'the built-in model answers: "chat" names none of the providers that are configured',
	);
}

interface RouteParts {
	readonly stores: Stores;
	readonly tokens: AccessTokens;
	readonly tokenLimits: TokenLimits;
	readonly registry: WorkspaceRegistry;
}

function addRoutes(app: ServiceApp, { stores, tokens, tokenLimits, registry }: RouteParts): void {
	addTokenRoute(app, { tokens, limits: tokenLimits, brake: createFailureBrake() });
	addOAuthMetadataRoutes(app);
	addClientRoutes(app, stores.deployment);
	addClientKeyRoutes(app, stores.deployment);
	addWorkspaceRoutes(app, registry);
	addKnowledgeBaseRoutes(app);
	addDocumentRoutes(app);
	addSearchRoutes(app);
	addAgentRoutes(app);
	addRunAgentRoute(app);
	addRunRoutes(app);
	addApprovalRoute(app);
	addA2aRoutes(app);
	addAskRoute(app);
	addChatCompletionsRoute(app);
	addModelRoutes(app);
	addResolveModelsRoute(app);
	addEmbeddingsRoute(app);
	addLlmSettingsRoutes(app);
	addWorkspaceSecretRoutes(app);
	addUsageRoute(app);
	addAuditRoute(app, stores.deployment);
}

async function checkStore({ deployment }: Stores): Promise<void> {
	await deployment.read.selectFrom("workspaces").select("id").limit(1).execute();
}

/** Forgets what has run out. */
async function sweep(tokens: AccessTokens, { workspaces }: Stores): Promise<void> {
	await tokens.sweep();
	for (const { database } of workspaces.list()) await sweepIdempotency(database);
}
