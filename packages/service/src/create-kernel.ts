import { clock } from "@stemma/core/internal";
import type { Logger } from "pino";
import { createAuthenticator } from "./auth/authenticator";
import type { TokenBudgets } from "./auth/budgets/token-budgets";
import type { TokenLimits } from "./auth/budgets/token-limits";
import { createFingerprint } from "./auth/fingerprint";
import type { SharedRates } from "./auth/shared-rates";
import type { AccessTokens } from "./auth/tokens/access-tokens";
import { createDocumentTokens } from "./auth/tokens/document-tokens";
import type { Configuration } from "./configuration/configuration";
import type { Keyring } from "./encryption/keyring";
import { createBodyBudget, createSpoolBudget, createUploadQueue } from "./fairness/upload-budgets";
import { createWorkspaceTurns } from "./fairness/workspace-queue";
import { createFailureLog } from "./http/errors/error-response";
import type { ServiceKernel } from "./kernel";
import { createModelCallQueue } from "./models/model-call-queue";
import type { Models } from "./models/models";
import type { OutboundGate } from "./outbound/outbound-gate";
import { createIssuers } from "./people/oidc/issuers";
import type { Fetch } from "./people/oidc/oidc-client";
import { createServicePeople } from "./people/service-people";
import { createSchemaChecker } from "./schema-check/schema-checker";
import { createScan } from "./sources/connectors/connectors";
import { createSyncQueue } from "./sources/sync/sync-queue";
import { createSyncScheduler } from "./sources/sync/sync-scheduler";
import type { DiskSpace } from "./storage/disk-space";
import { openSpool } from "./store/data-folder/spool";
import type { ServiceTelemetry } from "./telemetry/service-telemetry";
import type { GracefulShutdown } from "./workspaces/graceful-shutdown";
import { createInFlightCounter } from "./workspaces/in-flight-counter";
import type { Stores } from "./workspaces/stores";

/** Parts that the kernel is made of. */
export interface KernelParts {
	readonly stores: Pick<Stores, "bus" | "deployment" | "workspaces">;
	readonly disk: DiskSpace;
	readonly gate: OutboundGate;
	/** Gate with the limits of documents. */
	readonly sourceGate: OutboundGate;
	readonly models: Models;
	readonly keyring: Keyring;
	readonly logger: Logger;
	readonly telemetry: ServiceTelemetry;
	readonly tokens: AccessTokens;
	readonly tokenLimits: TokenLimits;
	readonly rates: Pick<SharedRates, "open">;
	readonly budgets: TokenBudgets;
	readonly shutdown: GracefulShutdown;
	/** Function that sends requests to addresses of the configuration. */
	readonly fetch: Fetch;
	readonly onError: (error: unknown) => void;
}

/** Makes what all routes share. */
export async function createKernel(
	{ data, limits, listen, sources, answers, signIn }: Configuration,
	{
		stores,
		disk,
		gate,
		sourceGate,
		models,
		keyring,
		logger,
		telemetry,
		tokens,
		tokenLimits,
		rates,
		budgets,
		shutdown,
		fetch,
		onError,
	}: KernelParts,
): Promise<ServiceKernel> {
	const { bus, deployment, workspaces } = stores;
	const spool = await openSpool(data, { budget: createSpoolBudget(limits), disk, onError });
	const turns = createWorkspaceTurns();
	const signToken = createFingerprint(await deployment.getOrCreateSecret("document_tokens"));
	const documentTokens = createDocumentTokens(signToken, clock.now);
	return {
		logger,
		logFailure: createFailureLog(logger),
		telemetry,
		authenticator: createAuthenticator(
			deployment.clientKeys,
			tokens,
			limits.requestsPerMinute,
			documentTokens,
			rates.open("requests"),
		),
		documentTokens,
		people: await createServicePeople(deployment, {
			issuers: createIssuers(signIn.issuers, fetch),
			countFailure: tokenLimits.countFailure,
			rates: { byAddress: rates.open("sign_ins"), total: rates.open("sign_ins_total") },
			fetch: gate.fetch,
			bus,
			onError,
		}),
		syncScheduler: createSyncScheduler({
			listWorkspaces: workspaces.list,
			queue: createSyncQueue(),
			scan: createScan({ allowed: sources.folders, dataFolder: data }),
			...{ gate: sourceGate, keyring, spool, disk, limits, onError },
			countSync: telemetry.metrics.countSync,
		}),
		budgets,
		workspaces,
		models,
		minCoverage: answers.minCoverage,
		schemas: createSchemaChecker(),
		checkAddress: gate.check,
		keyring,
		limits,
		bodies: createBodyBudget(limits),
		uploads: createUploadQueue(limits),
		spool,
		disk,
		publicOrigin: listen.publicUrl,
		fingerprint: createFingerprint(await deployment.getOrCreateSecret("request_fingerprint")),
		modelCallQueue: createModelCallQueue(limits.concurrentModelCalls, turns),
		turns,
		bus,
		inFlight: createInFlightCounter(),
		shutdownSignal: shutdown.signal,
		isShuttingDown: shutdown.isShuttingDown,
	};
}
