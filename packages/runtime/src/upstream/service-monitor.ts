import type { RuntimeAgentIssue, StemmaClient } from "@stemma/client";
import { clock, startBackgroundTimer } from "@stemma/core/internal";
import { checkCredentials, type ServiceState } from "./check-service";
import { createRemoteAgentChecks } from "./remote-agent-checks";

/** Knows whether the service accepts the runtime's credentials and has the agents that manifests name. */
export interface ServiceMonitor {
	/** Last known state; never waits. */
	state(): ServiceState;
	/** The state, after a check where the last one is too old. At most one check runs at a time. */
	check(): Promise<ServiceState>;
	/** Issue of a manifest, by the agent that it names. */
	findIssue(remoteAgentId: string): RuntimeAgentIssue | undefined;
	/** Checks now, and again for as long as it is not stopped. */
	start(): void;
	/** Agent files have changed: manifests are checked soon. */
	checkSoon(): void;
	stop(): void;
}

export interface ServiceMonitorOptions {
	readonly client: StemmaClient;
	/** Agents of the service that manifests name now. */
	readonly remoteAgentIds: () => readonly string[];
	readonly log: (line: string) => void;
	/** Called when the issues of manifests have changed. */
	readonly onIssues: () => void;
}

/** Time in milliseconds between two checks while all is well. */
const INTERVAL_MS = 60_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** `GET /readyz` is open to all: it causes a check no more often than this. */
const MIN_CHECK_INTERVAL_MS = 2_000;

/** Monitor of a runtime without a service. */
export const NO_SERVICE: ServiceMonitor = {
	state: () => ({ status: "none" }),
	check: async () => ({ status: "none" }),
	findIssue: () => undefined,
	start: () => undefined,
	checkSoon: () => undefined,
	stop: () => undefined,
};

export function createServiceMonitor(options: ServiceMonitorOptions): ServiceMonitor {
	const { client, remoteAgentIds, log, onIssues } = options;
	const agents = createRemoteAgentChecks(client);
	let state: ServiceState = { status: "unchecked" };
	let checkedAtMs = 0;
	let inFlight: Promise<ServiceState> | undefined;
	let phase: "new" | "started" | "stopped" = "new";
	let retryMs = MIN_RETRY_MS;
	let stopTimer = (): void => undefined;

	async function runCheck(): Promise<ServiceState> {
		const next = (await checkCredentials(client)) ?? state;
		checkedAtMs = clock.now();
		const line = describeChange(client.baseUrl, state, next);
		state = next;
		if (phase === "stopped") return state;
		if (line !== undefined) log(line);
		if (state.status === "ok" && (await agents.update(remoteAgentIds()))) onIssues();
		return state;
	}

	function checkNow(): Promise<ServiceState> {
		inFlight ??= runCheck().finally(() => {
			inFlight = undefined;
		});
		return inFlight;
	}

	function schedule(delayMs: number): void {
		stopTimer();
		if (phase === "started") stopTimer = startBackgroundTimer(delayMs, () => void tick());
	}

	async function tick(): Promise<void> {
		const { status } = await checkNow();
		const isHealthy = status === "ok" && !agents.hasIssues();
		schedule(isHealthy ? INTERVAL_MS : retryMs);
		retryMs = isHealthy ? MIN_RETRY_MS : Math.min(retryMs * 2, MAX_RETRY_MS);
	}

	return {
		state: () => state,
		findIssue: agents.findIssue,
		check: async () => (isFresh(state, clock.now() - checkedAtMs) ? state : checkNow()),
		start() {
			phase = "started";
			void tick();
		},
		checkSoon() {
			retryMs = MIN_RETRY_MS;
			schedule(MIN_RETRY_MS);
		},
		stop() {
			phase = "stopped";
			stopTimer();
		},
	};
}

const isFresh = ({ status }: ServiceState, ageMs: number): boolean =>
	ageMs < (status === "ok" ? INTERVAL_MS : MIN_CHECK_INTERVAL_MS);

/** A line for the operator where the state has become another. */
function describeChange(baseUrl: string, before: ServiceState, after: ServiceState): string | undefined {
	if (before.status === after.status) return undefined;
	if (after.status === "refused")
		return `error: The service at ${baseUrl} refused the credentials of this runtime (${after.code}): its runs fail, and GET /readyz answers 503. Set STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET to a client of that service ("stemma clients create" makes one), and start the runtime again.`;
	if (after.status === "unavailable")
		return `warning: The service at ${baseUrl} cannot be reached or is not ready (${after.code}): runs fail until it is. Check that it runs, and STEMMA_BASE_URL. The runtime keeps trying.`;
	return before.status === "unchecked" ? undefined : `The service at ${baseUrl} accepts this runtime again.`;
}
