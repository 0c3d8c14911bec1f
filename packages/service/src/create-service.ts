import { EMBEDDED_PROVIDER } from "@stemma/routing";
import type { FetchLike } from "@stemma/routing/openai-compatible";
import { openTracer } from "@stemma/telemetry";
import type { Logger } from "pino";
import { assembleService, type Service } from "./assemble-service";
import type { Configuration } from "./configuration/configuration";
import { createLogger } from "./configuration/create-logger";
import { listSecrets } from "./configuration/list-secrets";
import { createKeyring } from "./encryption/keyring";
import { type VerifyCiphertextsOptions, verifyCiphertexts } from "./encryption/verify-ciphertexts";
import { createExternalReaders } from "./knowledge/external-readers/external-readers";
import { createDocumentReaders } from "./knowledge/ingest/reading/document-reader";
import { openOcr } from "./knowledge/ingest/reading/open-ocr";
import { createEmbeddedModel, type EmbeddedModel } from "./models/embedded/embedded-model";
import { findEmbeddedPackages } from "./models/embedded/embedded-packages";
import { createModels } from "./models/models";
import { createGates } from "./outbound/create-gates";
import { toOutboundPolicy } from "./outbound/outbound-policy";
import { issuerFetch } from "./people/oidc/issuer-fetch";
import { createRedactor, type Redactor } from "./redaction/redactor";
import { createCheckEndpoint, createCheckServer } from "./settings/check-endpoint";
import { findIgnoredSettings, logIgnoredSettings } from "./settings/ignored-settings";
import { createCheckSource } from "./sources/check-source";
import { logRestrictedFiles, logUnavailable, logUnknownFiles } from "./startup-log";
import { STEMMA_VERSION } from "./stemma-version";
import { createDiskSpace, type DiskSpace } from "./storage/disk-space";
import { assertVectorSearch } from "./store/vector-functions";
import { createServiceTelemetry } from "./telemetry/service-telemetry";
import type { TracerSource } from "./telemetry/tracer-source";
import { prepareDataFolder } from "./workspaces/data-folder";
import { restoreClock } from "./workspaces/restore-clock";
import { openStores, type Stores } from "./workspaces/stores";
import { countWorkspaces } from "./workspaces/workspaces";

/** Options of a service besides its configuration. */
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
		return await assembleService(configuration, {
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
