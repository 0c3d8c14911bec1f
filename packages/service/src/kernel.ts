import type { FairQueue, MainThreadQueue } from "@stemma/protocol";
import type { Logger } from "pino";
import type { Authenticator } from "./auth/authenticator";
import type { TokenBudgets } from "./auth/budgets/token-budgets";
import type { Fingerprint } from "./auth/fingerprint";
import type { DocumentTokens } from "./auth/tokens/document-tokens";
import type { Configuration, LimitsConfiguration } from "./configuration/configuration";
import type { Keyring } from "./encryption/keyring";
import type { DomainError } from "./errors/domain-error";
import type { ByteBudget } from "./fairness/byte-budget";
import type { ModelCallQueue } from "./models/model-call-queue";
import type { Models } from "./models/models";
import type { OutboundGate } from "./outbound/outbound-gate";
import type { ServicePeople } from "./people/service-people";
import type { SchemaChecker } from "./schema-check/schema-checker";
import type { SyncScheduler } from "./sources/sync/sync-scheduler";
import type { DiskSpace } from "./storage/disk-space";
import type { InstanceBus } from "./store/claims/instance-bus";
import type { Spool } from "./store/data-folder/spool";
import type { ServiceTelemetry } from "./telemetry/service-telemetry";
import type { InFlightCounter } from "./workspaces/in-flight-counter";
import type { Workspaces } from "./workspaces/workspaces";

/** Dependencies that all requests share. */
export interface ServiceKernel {
	readonly logger: Logger;
	/** Logs failures of the service under the id of the request. Errors that a caller can mend are none. */
	logFailure(requestId: string, error: DomainError, cause: unknown): void;
	readonly authenticator: Authenticator;
	/** People who are signed in. */
	readonly people: ServicePeople;
	/** Tokens in the addresses of documents. */
	readonly documentTokens: DocumentTokens;
	readonly workspaces: Workspaces;
	/** Models that answer, with who pays for them. */
	readonly models: Models;
	/** Share of a question that passages must cover, 0 to 1; see {@link Configuration.answers}. */
	readonly minCoverage: number;
	/** Checks the JSON Schemas that callers sent. */
	readonly schemas: SchemaChecker;
	/** Checks whether an address that a caller chose may be called. */
	readonly checkAddress: OutboundGate["check"];
	/** Seals what a workspace keeps secret. */
	readonly keyring: Keyring;
	readonly limits: LimitsConfiguration;
	/** Request bodies in memory. */
	readonly bodies: ByteBudget;
	/** Turns of uploads that go to the disk. */
	readonly uploads: FairQueue;
	/** Content of uploads on its way to the store. */
	readonly spool: Spool;
	/** Space that is left on the disk. */
	readonly disk: Pick<DiskSpace, "assertSpace" | "readSpace">;
	/** The origin that clients know the service by; none: what each request names. */
	readonly publicOrigin: string | undefined;
	/** Syncs of sources, of all workspaces. */
	readonly syncScheduler: SyncScheduler;
	/** Traces and metrics. */
	readonly telemetry: ServiceTelemetry;
	/** The daily token budgets of client keys. */
	readonly budgets: TokenBudgets;
	/** Recognises a request body without keeping it. */
	readonly fingerprint: Fingerprint;
	/** Calls of models, limited by workspace. */
	readonly modelCallQueue: ModelCallQueue;
	/** Turns of workspaces on the main thread. */
	readonly turns: MainThreadQueue;
	/** Messages between the instances that share the store. */
	readonly bus: InstanceBus;
	/** Counter of requests in flight; a shutdown waits for them. */
	readonly inFlight: InFlightCounter;
	/** Aborts when streams must end because the service does. */
	readonly shutdownSignal: AbortSignal;
	/** Checks whether the service is shutting down, so that no new requests are accepted. */
	isShuttingDown(): boolean;
}
