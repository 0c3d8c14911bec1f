import type { ErrorBody } from "@stemma/protocol";
import type { StartSpan } from "@stemma/telemetry";
import { pino } from "pino";
import type { Authenticator } from "../../auth/authenticator";
import type { Caller } from "../../auth/caller";
import { createFingerprint } from "../../auth/fingerprint";
import { createRateLimiter } from "../../auth/rate-limiter";
import { createDocumentTokens } from "../../auth/tokens/document-tokens";
import { resolveConfiguration } from "../../configuration/resolve-configuration";
import { createKeyring } from "../../encryption/keyring";
import { DomainError } from "../../errors/domain-error";
import { createRequestSlots } from "../../fairness/request-slots";
import { createBodyBudget, createUploadQueue } from "../../fairness/upload-budgets";
import { createWorkspaceTurns } from "../../fairness/workspace-queue";
import { createModelCallQueue } from "../../models/model-call-queue";
import { createModels } from "../../models/models";
import { createSignInAttempts } from "../../people/attempts/sign-in-attempts";
import { createSignInThrottle } from "../../people/attempts/sign-in-throttle";
import { createIssuers } from "../../people/oidc/issuers";
import { createSessionWatch } from "../../people/session-watch";
import { createRedactor, type Redactor } from "../../redaction/redactor";
import { createSchemaChecker } from "../../schema-check/schema-checker";
import { ownBus } from "../../store/claims/instance-bus";
import type { Database } from "../../store/database";
import { createWorkspaceStore } from "../../store/repositories/workspace-store";
import { type WorkspaceTables, workspaceMigrations } from "../../store/workspace-tables";
import { createServiceTelemetry } from "../../telemetry/service-telemetry";
import { NO_GAUGES } from "../../test-support/no-gauges";
import { createInFlightCounter } from "../../workspaces/in-flight-counter";
import type { Workspace } from "../../workspaces/workspace";
import { createFailureLog } from "../errors/error-response";
import { createServiceApp } from "../service-app";
import type { ServiceApp } from "../service-context";
import { openMemoryDatabase } from "./memory-database";

const rejectApp = (): Promise<never> => Promise.reject(new Error("The service of the test has no apps."));

/** An app over one workspace in memory. */
export interface TestApp {
	readonly app: ServiceApp;
	readonly workspace: Workspace;
	/** The workspace's, in memory. */
	readonly database: Database<WorkspaceTables>;
	/** The lines of the log. */
	readonly log: Record<string, unknown>[];
	/** As a shutdown does. */
	stop(): void;
	endStreams(): void;
	/** How much is under way. */
	countInFlight(): number;
	/** As `GET /metrics` answers. */
	writeMetrics(): string;
}

const caller: Caller = { kind: "client", id: "cl_test", workspaceId: "ws_test", scopes: ["ask"] };
const clientKey: Caller = {
	kind: "client_key",
	id: "ck_test",
	workspaceId: "ws_test",
	scopes: ["ask"],
	agents: null,
	knowledgeBaseIds: null,
	models: false,
	expose: "answer",
	requestsPerMinute: 60,
	tokensPerDay: 1000,
};

/** Anyone who sends `Bearer key` is a client key, anyone else who sends something is a client with the scope `ask`. */
const authenticator: Authenticator = {
	async authenticate({ authorization }) {
		if (authorization === undefined) throw new DomainError("missing_credentials", "No.");
		return authorization === "Bearer key" ? clientKey : { ...caller, id: authorization };
	},
	authenticateDocument: async () => clientKey,
	isKnown: async () => true,
	countRequest: () => undefined,
	countBody: () => undefined,
	findClientKey: async () => undefined,
};

export interface TestAppOptions {
	readonly publicOrigin?: string;
	/** Default: nothing records spans. */
	readonly startSpan?: StartSpan;
	readonly redactor?: Redactor;
}

export function createTestApp({
	publicOrigin,
	startSpan = () => undefined,
	redactor = createRedactor(),
}: TestAppOptions = {}): TestApp {
	const database = openMemoryDatabase<WorkspaceTables>(workspaceMigrations);
	// Routes of these tests use nothing else of it.
	const workspace = {
		id: "ws_test",
		store: createWorkspaceStore(database),
		inFlight: createInFlightCounter(),
		requests: createRequestSlots(500),
	} as unknown as Workspace;
	const log: Record<string, unknown>[] = [];
	const logger = pino({ level: "debug" }, { write: (line) => void log.push(JSON.parse(line)) });
	const closing = new AbortController();
	const inFlight = createInFlightCounter();
	const configuration = resolveConfiguration();
	const telemetry = createServiceTelemetry(startSpan, redactor.redact);
	const turns = createWorkspaceTurns();
	let isShuttingDown = false;
	const app = createServiceApp({
		logger,
		logFailure: createFailureLog(logger),
		authenticator,
		people: {
			sessions: {
				findCaller: async () => undefined,
				findMember: async () => undefined,
				sweep: async () => undefined,
			},
			authorizations: {
				apps: { get: rejectApp, register: rejectApp, sweep: async () => undefined },
				findCaller: async () => undefined,
				findById: async () => undefined,
				sweep: async () => undefined,
			},
			watch: createSessionWatch({
				listLive: async (ids) => ids,
				intervalMs: 1_000,
				onError: () => undefined,
			}),
			confirmations: { isConfirmed: async () => true, assertConfirmed: async () => undefined },
			deploymentId: "test",
			attempts: createSignInAttempts(new Uint8Array(32), { use: async () => true }),
			issuers: createIssuers([], fetch),
			findTokenCaller: async () => undefined,
			throttle: createSignInThrottle({ byAddress: createRateLimiter(), total: createRateLimiter() }),
			userHandleKey: new Uint8Array(32),
			countFailure: () => 0,
		},
		documentTokens: createDocumentTokens(createFingerprint(Buffer.alloc(32)), () => 0),
		bus: ownBus,
		workspaces: {
			find: () => workspace,
			obtain: async () => workspace,
			list: () => [workspace],
			findUnavailable: () => undefined,
			listUnavailable: () => [],
			open: async () => workspace,
			retry: async () => undefined,
			listInterrupted: async () => [],
			recover: async () => undefined,
			delete: async () => undefined,
			synchronize: async () => [],
			close: async () => undefined,
		},
		models: createModels(configuration, { outbound: fetch }),
		checkAddress: async () => undefined,
		minCoverage: configuration.answers.minCoverage,
		schemas: createSchemaChecker(),
		keyring: createKeyring([]),
		limits: configuration.limits,
		bodies: createBodyBudget(configuration.limits),
		uploads: createUploadQueue(configuration.limits),
		// Routes of these tests take no uploads.
		spool: { create: () => Promise.reject(new Error("There is no spool.")) },
		disk: { assertSpace: () => undefined, readSpace: () => ({ freeBytes: 0, reserveBytes: 0 }) },
		syncScheduler: { wake: () => undefined, start: () => undefined, stop: async () => undefined },
		publicOrigin,
		budgets: {
			reserveTokens: async (_, estimate) => ({ estimate }),
			tokensLeft: async () => undefined,
			commitTokens: () => undefined,
			flush: async () => undefined,
		},
		fingerprint: createFingerprint(new Uint8Array(32)),
		telemetry,
		modelCallQueue: createModelCallQueue(500, turns),
		turns,
		inFlight,
		shutdownSignal: closing.signal,
		isShuttingDown: () => isShuttingDown,
	});
	return {
		app,
		workspace,
		database,
		log,
		stop: () => (isShuttingDown = true),
		endStreams: () => closing.abort(new Error("stopping")),
		countInFlight: () => inFlight.size,
		writeMetrics: () => telemetry.metrics.write(NO_GAUGES),
	};
}

/** What a POST with a JSON body needs. */
export const jsonPost = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
	method: "POST",
	headers: { "content-type": "application/json", authorization: "Bearer a", ...headers },
	body: typeof body === "string" ? body : JSON.stringify(body),
});

/** The error of an answer. */
export async function readError(response: Response): Promise<ErrorBody["error"]> {
	return ((await response.json()) as ErrorBody).error;
}
