import { EMBEDDED_PROVIDER } from "@stemma/routing";
import type { FetchLike } from "@stemma/routing/openai-compatible";
import { openTracer } from "@stemma/telemetry";
import type { Logger } from "pino";
import type { WorkspaceCredentials } from "./auth/bootstrap-credentials";
import { createSharedTokenBudgets } from "./auth/budgets/shared-token-budgets";
import { createTokenBudgets } from "./auth/budgets/token-budgets";
import { createTokenLimits } from "./auth/budgets/token-limits";
import { listOwnOrigins } from "./auth/client-keys/origins";
import { WORKSPACE_SCOPES } from "./auth/scopes";
import { createSharedRates } from "./auth/shared-rates";
import { createAccessTokens } from "./auth/tokens/access-tokens";
import { startBackgroundJobs } from "./background-jobs";
import type { Configuration } from "./configuration/configuration";
import { createLogger } from "./configuration/create-logger";
import { listSecrets } from "./configuration/list-secrets";
import { createKernel } from "./create-kernel";
import { createKeyring, type Keyring } from "./encryption/keyring";
import { type VerifyCiphertextsOptions, verifyCiphertexts } from "./encryption/verify-ciphertexts";
import { createConnectionResolver } from "./http/connection-resolver";
import { createServiceApp } from "./http/service-app";
import type { ConnectionInfo } from "./http/service-context";
import type { ServiceKernel } from "./kernel";
import { createExternalReaders } from "./knowledge/external-readers/external-readers";
import { createDocumentReaders } from "./knowledge/ingest/reading/document-reader";
import { openOcr } from "./knowledge/ingest/reading/open-ocr";
import { createEmbeddedModel, type EmbeddedModel } from "./models/embedded/embedded-model";
import { findEmbeddedPackages } from "./models/embedded/embedded-packages";
import { createModels, type Models } from "./models/models";
import { createGates } from "./outbound/create-gates";
import type { OutboundGate } from "./outbound/outbound-gate";
import { toOutboundPolicy } from "./outbound/outbound-policy";
import { issuerFetch } from "./people/oidc/issuer-fetch";
import type { Fetch } from "./people/oidc/oidc-client";
import { createRedactor, type Redactor } from "./redaction/redactor";
import { addRoutes } from "./routes";
import { createCheckEndpoint, createCheckServer } from "./settings/check-endpoint";
import { findIgnoredSettings, logIgnoredSettings } from "./settings/ignored-settings";
import { createCheckSource } from "./sources/check-source";
import { logRestrictedFiles, logUnavailable, logUnknownFiles, warnUnusedProviders } from "./startup-log";
import { STEMMA_VERSION } from "./stemma-version";
import { createDiskSpace, type DiskSpace } from "./storage/disk-space";
import { assertVectorSearch } from "./store/vector-functions";
import { createServiceTelemetry, type ServiceTelemetry } from "./telemetry/service-telemetry";
import type { TracerSource } from "./telemetry/tracer-source";
import { type BootstrapCredentials, createDefaultWorkspace } from "./workspaces/bootstrap";
import { createWorkspace, createWorkspaceCredentials } from "./workspaces/create-workspace";
import { prepareDataFolder } from "./workspaces/data-folder";
import { followInstances } from "./workspaces/follow-instances";
import { createGracefulShutdown } from "./workspaces/graceful-shutdown";
import { restoreClock } from "./workspaces/restore-clock";
import { openStores, type Stores } from "./workspaces/stores";
import { createWorkspaceRegistry } from "./workspaces/workspace-registry";
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
	/**
	 * True deletes the encrypted values that no encryption key decrypts. Default false: a service that has encrypted values
	 * but no key does not start.
	 */
	readonly deleteUndecryptableCredentials?: boolean;
	/**
	 * Function that sends requests to the vendors and issuers of the configuration: for proxies and tests. Default: `fetch` of the
	 * platform.
	 */
	readonly fetch?: FetchLike;
	/** Gets a span for each request, run and call: a `TracerProvider` of `@opentelemetry/api`. Default: what is registered globally, if anything is. */
	readonly tracerProvider?: TracerSource | undefined;
}

const DEFAULT_GRACE_MS = 10_000;

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
	const embedded = openEmbeddedModel(configuration);
	const onError = (error: unknown): void => logger.error({ err: error }, "background work failed");
	await prepareDataFolder(configuration.data);
	const disk = openDiskSpace(configuration, logger);
	let opened: Stores | undefined;
	const policy = toOutboundPolicy(configuration, () =>
		opened === undefined ? 0 : countWorkspaces(opened.workspaces),
	);
	const { gate, sourceGate } = createGates(policy);
	const models = createModels(configuration, { outbound: gate.fetch, fetch, embedded });
	const keyring = createKeyring(configuration.encryption.keys);
	const scope = { name: "@stemma/service", version: STEMMA_VERSION };
	const telemetry = createServiceTelemetry(openTracer(tracerProvider, scope), redactor.redact);
	const stores = await openStores(configuration, {
		...toWorkspaceLimits(configuration),
		readers: openReaders(configuration, fetch),
		disk,
		models,
		keyring,
		redactor,
		checkEndpoint: createCheckEndpoint(gate, policy),
		checkServer: createCheckServer(gate, policy),
		checkSource: createCheckSource(gate, {
			allowed: configuration.sources.folders,
			dataFolder: configuration.data,
		}),
		outbound: gate.fetch,
		metrics: telemetry.metrics,
		onError,
		onUnavailable: (workspace) => logUnavailable(workspace, logger),
	});
	opened = stores;
	logRestrictedFiles(stores.files, logger);
	logUnknownFiles(stores.unknownFiles, logger);
	try {
		const ignoredSettings = await prepareStores(stores, {
			keyring,
			deleteUndecryptableCredentials,
			logger,
		});
		return await createServiceFrom(configuration, {
			stores,
			disk,
			gate,
			sourceGate,
			models,
			keyring,
			ignoredSettings,
			logger,
			telemetry,
			fetch: fetch ?? issuerFetch,
			onError,
		});
	} catch (error) {
		await Promise.all([stores.close(0), gate.close(), sourceGate.close()]);
		throw error;
	}
}

/** Disk of the data folder; with a database, which has a disk of its own, there is no reserve by default. */
const openDiskSpace = ({ data, database, limits }: Configuration, logger: Logger): DiskSpace =>
	createDiskSpace(data, {
		reserveBytes: limits.diskReserveBytes ?? (database === undefined ? undefined : 0),
		logger,
	});

/** Limits of each workspace. */
const toWorkspaceLimits = ({ limits, documents }: Configuration) => ({
	concurrentRuns: limits.concurrentRuns,
	maxRequests: limits.concurrentRequests,
	maxSearches: limits.concurrentSearches,
	maxDocuments: limits.documents,
	rereadsOutdated: documents.rereadOutdated,
});

/** Opens what reads documents: the service's own readers, those of the operator, and text recognition where it is installed. */
const openReaders = ({ readers, ocr }: Configuration, fetch: FetchLike | undefined) =>
	createDocumentReaders({
		externalReaders: createExternalReaders(readers, fetch),
		ocr: openOcr(ocr.languages),
	});

/** Opens the embedded model where it is configured. @throws ConfigurationError where vectors cannot be searched, or it is not installed. */
function openEmbeddedModel({ embeddings, database }: Configuration): EmbeddedModel | undefined {
	if (embeddings === undefined) return undefined;
	// A database is asked once it is open.
	if (database === undefined) assertVectorSearch();
	return embeddings.provider === EMBEDDED_PROVIDER ? createEmbeddedModel(findEmbeddedPackages()) : undefined;
}

/** Checks and prepares what was opened. @returns ids of the workspaces whose model settings are ignored. */
async function prepareStores(
	stores: Stores,
	options: VerifyCiphertextsOptions & { readonly logger: Logger },
): Promise<ReadonlySet<string>> {
	const { keyring, logger } = options;
	await restoreClock(stores, logger);
	await verifyCiphertexts(stores.workspaces.list(), options);
	// For `stemma keys rotate`: before anything is encrypted.
	await stores.deployment.encryptionKeys.replaceAll(keyring.fingerprints);
	const ignoredSettings = await findIgnoredSettings(stores.workspaces.list(), keyring);
	logIgnoredSettings(ignoredSettings, logger);
	// Not before all workspaces are open: by their number it is decided what may be called.
	for (const { pushNotifications } of stores.workspaces.list()) await pushNotifications.deliveries.resume();
	return ignoredSettings;
}

/** Components of a service. */
interface ServiceParts {
	readonly stores: Stores;
	readonly disk: DiskSpace;
	readonly gate: OutboundGate;
	readonly sourceGate: OutboundGate;
	readonly models: Models;
	readonly keyring: Keyring;
	/** Ids of the workspaces whose model settings are ignored. */
	readonly ignoredSettings: ReadonlySet<string>;
	readonly logger: Logger;
	readonly telemetry: ServiceTelemetry;
	readonly fetch: Fetch;
	readonly onError: (error: unknown) => void;
}

async function createServiceFrom(configuration: Configuration, parts: ServiceParts): Promise<Service> {
	const { stores, disk, models, logger, onError } = parts;
	const { deployment, workspaces } = stores;
	const origins = listOwnOrigins(configuration.listen);
	warnUnusedProviders(configuration, logger);
	const bootstrapCredentials = await createDefaultWorkspace(
		deployment.workspaces,
		workspaces,
		configuration.data,
		origins,
	);
	const limits = openLimits(configuration, stores, onError);
	const { rates, tokenLimits } = limits;
	const tokens = createAccessTokens(deployment, tokenLimits);
	const shutdown = createGracefulShutdown();
	const kernel = await createKernel(configuration, { ...parts, ...limits, tokens, shutdown });
	const app = createServiceApp(kernel);
	const shared = {
		bus: stores.bus,
		workspaces,
		dataFolder: configuration.data,
		forget: models.evict,
	};
	const registry = createWorkspaceRegistry({ ...shared, repository: deployment.workspaces, origins });
	const instances = followInstances({ ...shared, onError });
	const { isShuttingDown } = kernel;
	addRoutes(app, { configuration, ...parts, tokens, tokenLimits, rates, registry, isShuttingDown });
	const { retention } = configuration.limits;
	const jobs = startBackgroundJobs({ kernel, stores, tokens, registry, disk, retention, onError });

	async function close(graceMs: number): Promise<void> {
		const jobsEnded = Promise.all([jobs.stop(), instances.stop()]);
		await shutdown.start(kernel, graceMs);
		await jobsEnded;
		await rates.stop();
		await closeParts(kernel, parts);
	}

	const resolveConnection = createConnectionResolver(configuration.listen.trustedProxies);
	let closed: Promise<void> | undefined;
	return {
		fetch: async (request, connection) => app.fetch(request, resolveConnection(request, connection)),
		bootstrapCredentials,
		async createWorkspace(name) {
			const credentials = createWorkspaceCredentials();
			await createWorkspace(deployment.workspaces, workspaces, {
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

/** Opens the rates and budgets of callers, which instances of one deployment share. */
function openLimits(
	{ limits }: Pick<Configuration, "limits">,
	{ deployment, shared }: Pick<Stores, "deployment" | "shared">,
	onError: (error: unknown) => void,
) {
	const rates = createSharedRates(shared?.counts, onError);
	const openBudgets = shared === undefined ? createTokenBudgets : createSharedTokenBudgets;
	return {
		rates,
		tokenLimits: createTokenLimits(limits.accessTokensPerMinute, rates.open),
		budgets: openBudgets(deployment.tokenBudgets, onError),
	};
}

/** Closes what a service consists of, once no request and no run is in flight. */
async function closeParts(
	{ people, budgets, schemas, modelCallQueue }: ServiceKernel,
	{ stores, gate, sourceGate, models, telemetry, onError }: ServiceParts,
): Promise<void> {
	people.watch.stop();
	await budgets.flush().catch(onError);
	await stores.close(0);
	await Promise.all([
		gate.close(),
		sourceGate.close(),
		schemas.stop(),
		modelCallQueue.stop(),
		models.embedded?.stop(),
	]);
	telemetry.metrics.stop();
}
