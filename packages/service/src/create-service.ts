import type { FetchLike } from "@stemma/routing/openai-compatible";
import { openTracer } from "@stemma/telemetry";
import type { Logger } from "pino";
import { type AccessTokens, createAccessTokens } from "./auth/access-tokens";
import { createAuthenticator } from "./auth/authenticator";
import type { WorkspaceCredentials } from "./auth/bootstrap-credentials";
import { createFingerprint } from "./auth/fingerprint";
import { createLoginThrottle } from "./auth/login-throttle";
import { listOwnOrigins } from "./auth/origins";
import { WORKSPACE_SCOPES } from "./auth/scopes";
import { createTokenBudgets } from "./auth/token-budgets";
import { createTokenLimits, type TokenLimits } from "./auth/token-limits";
import type { Configuration } from "./configuration/configuration";
import { createLogger } from "./configuration/create-logger";
import { listSecrets } from "./configuration/list-secrets";
import { createKeyring, type Keyring } from "./encryption/keyring";
import { registerKeyIds } from "./encryption/register-key-ids";
import { verifyCiphertexts } from "./encryption/verify-ciphertexts";
import { createMainThreadQueue } from "./fairness/main-thread-queue";
import { createBodyBudget, createSpoolBudget, createUploadQueue } from "./fairness/upload-budgets";
import { sweepIdempotency } from "./http/idempotency/idempotency";
import { createInFlightCounter } from "./http/in-flight/in-flight-counter";
import {
	type ConnectionInfo,
	createServiceApp,
	type ServiceApp,
	type ServiceKernel,
} from "./http/service-app";
import { STEMMA_VERSION } from "./http/stemma-version";
import { createDocumentReaders } from "./knowledge/ingest/document-reader";
import { createModelCallQueue } from "./models/model-call-queue";
import { createModels, type Models } from "./models/models";
import { isLoopback } from "./outbound/is-loopback";
import { parseOutboundAllow } from "./outbound/outbound-allow";
import { createOutboundGate, type OutboundGate } from "./outbound/outbound-gate";
import type { OutboundPolicy } from "./outbound/outbound-policy";
import { createRedactor, type Redactor } from "./redaction/redactor";
import { addA2aRoutes } from "./routes/a2a";
import { addAgentRoutes } from "./routes/agents/agents";
import { addApprovalRoute } from "./routes/agents/approvals";
import { addRunAgentRoute } from "./routes/agents/run-agent";
import { addRunRoutes } from "./routes/agents/runs";
import { addClientKeyRoutes } from "./routes/auth/client-keys";
import { addClientRoutes } from "./routes/auth/clients";
import { addOAuthMetadataRoutes } from "./routes/auth/oauth-metadata";
import { addTokenRoute } from "./routes/auth/oauth-token";
import { addHealthRoutes } from "./routes/health";
import { addAskRoute } from "./routes/knowledge/ask";
import { addDocumentRoutes } from "./routes/knowledge/documents";
import { addKnowledgeBaseRoutes } from "./routes/knowledge/knowledge-bases";
import { addSearchRoutes } from "./routes/knowledge/search";
import { addMcpRoutes } from "./routes/mcp";
import { addMetricsRoute } from "./routes/metrics";
import { addChatCompletionsRoute } from "./routes/models/chat-completions";
import { addEmbeddingsRoute } from "./routes/models/embeddings";
import { addLlmSettingsRoutes } from "./routes/models/llm-settings";
import { addModelRoutes } from "./routes/models/models";
import { addResolveModelsRoute } from "./routes/models/resolve-models";
import { addAuditRoute } from "./routes/workspace/audit";
import { addUsageRoute } from "./routes/workspace/usage";
import { addWorkspaceSecretRoutes } from "./routes/workspace/workspace-secrets";
import { addWorkspaceRoutes } from "./routes/workspace/workspaces";
import { sweepApprovals } from "./runs/approvals/approval-sweep";
import { createSchemaChecker } from "./schema-check/schema-checker";
import { createCheckEndpoint, createCheckServer } from "./settings/check-endpoint";
import { findIgnoredSettings, listSettingsWarnings, logIgnoredSettings } from "./settings/ignored-settings";
import { createDiskSpace, type DiskSpace } from "./storage/disk-space";
import { sweepStorage } from "./storage/sweep-storage";
import type { RestrictedFiles } from "./store/data-folder/private-files";
import { openSpool } from "./store/data-folder/spool";
import { getOrCreateDeploymentSecret } from "./store/deployment-secret";
import { assertVectorSearch } from "./store/vector-functions";
import { createServiceTelemetry, type ServiceTelemetry } from "./telemetry/service-telemetry";
import type { TracerSource } from "./telemetry/tracer-source";
import { type BootstrapCredentials, createDefaultWorkspace } from "./workspaces/bootstrap";
import { createWorkspace, createWorkspaceCredentials } from "./workspaces/create-workspace";
import { prepareDataFolder } from "./workspaces/data-folder";
import { createGracefulShutdown } from "./workspaces/graceful-shutdown";
import { restoreClock } from "./workspaces/restore-clock";
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
	readonly bootstrapCredentials: BootstrapCredentials;
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
	readonly deleteUndecryptableCredentials?: boolean;
	/** How the vendors of the configuration are reached: for proxies and tests. Default: `fetch` of the platform. */
	readonly fetch?: FetchLike;
	/** Gets a span for each request, run and call: a `TracerProvider` of `@opentelemetry/api`. Default: what is registered globally, if anything is. */
	readonly tracerProvider?: TracerSource | undefined;
}

const DEFAULT_GRACE_MS = 10_000;
const EXPIRY_SWEEP_MS = 60 * 60 * 1000;
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
	const { fetch, deleteUndecryptableCredentials = false, tracerProvider } = options;
	const { redactor = createRedactor(listSecrets(configuration)) } = options;
	const { logger = createLogger(configuration.log.level, redactor) } = options;
	if (configuration.embeddings !== undefined) assertVectorSearch();
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
		await restoreClock(stores, logger);
		await verifyCiphertexts(stores.workspaces.list(), { keyring, deleteUndecryptableCredentials, logger });
		await registerKeyIds(stores.deployment, keyring);
		const ignoredSettings = await findIgnoredSettings(stores.workspaces.list(), keyring);
		logIgnoredSettings(ignoredSettings, logger);
		// Not before all workspaces are open: by their number it is decided what may be called.
		for (const { pushNotifications } of stores.workspaces.list()) await pushNotifications.deliveries.resume();
		return await createServiceFrom(configuration, {
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
function logTightenedFiles({ restricted, open }: RestrictedFiles, logger: Logger): void {
	if (restricted.length > 0)
		logger.warn(
			{ code: "data_folder_tightened", files: restricted },
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

async function createServiceFrom(
	configuration: Configuration,
	{ stores, disk, gate, models, keyring, ignoredSettings, logger, telemetry, onError }: ServiceParts,
): Promise<Service> {
	const { deployment, workspaces } = stores;
	const origins = listOwnOrigins(configuration.listen);
	warnUnusedProviders(configuration, logger);
	const bootstrapCredentials = await createDefaultWorkspace(
		deployment,
		workspaces,
		configuration.data,
		origins,
	);
	const tokenLimits = createTokenLimits(configuration.limits.accessTokensPerMinute);
	const tokens = createAccessTokens(deployment, tokenLimits);
	const shutdown = createGracefulShutdown();
	const budget = createSpoolBudget(configuration.limits);
	const spool = await openSpool(configuration.data, { budget, disk, onError });
	const turns = createMainThreadQueue();
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
		fingerprint: createFingerprint(await getOrCreateDeploymentSecret(deployment, "request_fingerprint")),
		modelTurns: createModelCallQueue(configuration.limits.concurrentModelCalls, turns),
		turns,
		inFlight: createInFlightCounter(),
		shutdownSignal: shutdown.signal,
		isShuttingDown: shutdown.isShuttingDown,
	};
	const app = createServiceApp(kernel);
	addHealthRoutes(app, {
		isShuttingDown: kernel.isShuttingDown,
		checkStore: () => checkStore(stores),
		hasAvailableWorkspace: () => workspaces.list().length > 0 || workspaces.listUnavailable().length === 0,
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
		forget: models.evict,
	});
	addRoutes(app, { stores, tokens, tokenLimits, registry });
	const isLocal = isLoopback(configuration.listen.host);
	addMcpRoutes(app, { isLocal });
	addMetricsRoute(app, { isLocal, token: configuration.metrics?.token });
	const expiryTimer = setInterval(() => {
		sweepExpired(tokens, stores)
			.then(() => registry.finishDeletions(onError))
			.catch(onError);
	}, EXPIRY_SWEEP_MS).unref();
	let approvalSweep = Promise.resolve();
	function sweepAllApprovals(): void {
		approvalSweep = approvalSweep
			.then(() => workspaces.retry())
			.then(() => sweepApprovals(kernel, onError))
			.catch(onError);
	}
	sweepAllApprovals();
	const approvalTimer = setInterval(sweepAllApprovals, APPROVAL_SWEEP_MS).unref();

	let diskCheck = Promise.resolve();
	function checkDisk(): void {
		diskCheck = diskCheck.then(disk.check).catch(onError);
	}
	checkDisk();
	const diskTimer = setInterval(checkDisk, DISK_CHECK_MS).unref();
	let retentionSweep = Promise.resolve();
	function sweepRetained(): void {
		retentionSweep = retentionSweep
			.then(() => sweepStorage(stores, configuration.limits.retention, onError))
			.catch(onError);
	}
	sweepRetained();
	const retentionTimer = setInterval(sweepRetained, RETENTION_SWEEP_MS).unref();

	async function close(graceMs: number): Promise<void> {
		clearInterval(diskTimer);
		clearInterval(retentionTimer);
		clearInterval(expiryTimer);
		clearInterval(approvalTimer);
		await shutdown.start(kernel, graceMs);
		await approvalSweep;
		await Promise.all([retentionSweep, diskCheck]);
		await kernel.budgets.flush().catch(onError);
		await stores.close(0);
		await Promise.all([gate.close(), kernel.schemas.stop(), kernel.modelTurns.stop()]);
		telemetry.metrics.stop();
	}

	let closed: Promise<void> | undefined;
	return {
		fetch: async (request, connection) => app.fetch(request, connection),
		bootstrapCredentials,
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
		close(graceMs = DEFAULT_GRACE_MS) {
			closed ??= close(graceMs);
			return closed;
		},
	};
}

/** Who configures a provider wants it to answer, as a rule. */
function warnUnusedProviders({ providers, chat }: Configuration, logger: Logger): void {
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
	addTokenRoute(app, { tokens, limits: tokenLimits, throttle: createLoginThrottle() });
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
async function sweepExpired(tokens: AccessTokens, { workspaces }: Stores): Promise<void> {
	await tokens.sweep();
	for (const { database } of workspaces.list()) await sweepIdempotency(database);
}
