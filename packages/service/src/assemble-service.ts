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
import { createKernel } from "./create-kernel";
import type { Keyring } from "./encryption/keyring";
import { createConnectionResolver } from "./http/connection-resolver";
import { createServiceApp } from "./http/service-app";
import type { ConnectionInfo } from "./http/service-context";
import type { ServiceKernel } from "./kernel";
import type { Models } from "./models/models";
import type { OutboundGate } from "./outbound/outbound-gate";
import type { Fetch } from "./people/oidc/oidc-client";
import { addRoutes } from "./routes";
import { warnUnusedProviders } from "./startup-log";
import type { DiskSpace } from "./storage/disk-space";
import type { ServiceTelemetry } from "./telemetry/service-telemetry";
import { type BootstrapCredentials, createDefaultWorkspace } from "./workspaces/bootstrap";
import { createWorkspace, createWorkspaceCredentials } from "./workspaces/create-workspace";
import { followInstances } from "./workspaces/follow-instances";
import { createGracefulShutdown } from "./workspaces/graceful-shutdown";
import type { Stores } from "./workspaces/stores";
import { createWorkspaceRegistry } from "./workspaces/workspace-registry";

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

const DEFAULT_GRACE_MS = 10_000;

/** Components of a service. */
export interface ServiceParts {
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

/** Makes a service of its parts: its first workspace, its routes, and its work in the background. */
export async function assembleService(configuration: Configuration, parts: ServiceParts): Promise<Service> {
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
