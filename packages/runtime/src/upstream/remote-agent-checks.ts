import type { RuntimeAgentIssue, StemmaClient } from "@stemma/client";
import { clock, quote } from "@stemma/core/internal";
import { checkRemoteAgent, type RemoteAgentStatus } from "./check-service";

/** Results of checking the agents that manifests name with the service. */
export interface RemoteAgentChecks {
	/** Issue of a manifest, by the agent that it names; undefined where the service has that agent or was not asked. */
	findIssue(remoteAgentId: string): RuntimeAgentIssue | undefined;
	hasIssues(): boolean;
	/**
	 * Asks for agents that were never asked for, that had an issue, or that were asked for long ago.
	 *
	 * @returns true when an issue came or went.
	 */
	update(remoteAgentIds: readonly string[]): Promise<boolean>;
}

/** Maximum number of requests in one round; the next round continues with the rest. */
const MAX_CHECKS_PER_ROUND = 100;
const MAX_CONCURRENT_CHECKS = 4;
const RECHECK_AFTER_MS = 60_000;

interface Check {
	readonly status: RemoteAgentStatus;
	readonly checkedAtMs: number;
}

const isFailed = ({ status }: Check): boolean => status === "missing" || status === "forbidden";

export function createRemoteAgentChecks(client: StemmaClient): RemoteAgentChecks {
	let checks: ReadonlyMap<string, Check> = new Map();

	function isDue(remoteAgentId: string): boolean {
		const known = checks.get(remoteAgentId);
		return known === undefined || isFailed(known) || clock.now() - known.checkedAtMs >= RECHECK_AFTER_MS;
	}

	return {
		findIssue(remoteAgentId) {
			const known = checks.get(remoteAgentId);
			return known === undefined ? undefined : toIssue(remoteAgentId, known.status);
		},
		hasIssues: () => [...checks.values()].some(isFailed),
		async update(remoteAgentIds) {
			const before = checks;
			const after = new Map([...before].filter(([id]) => remoteAgentIds.includes(id)));
			const due = [...new Set(remoteAgentIds)].filter(isDue).slice(0, MAX_CHECKS_PER_ROUND).values();
			const work = async (): Promise<void> => {
				for (const id of due) {
					const status = await checkRemoteAgent(client, id);
					if (status !== "unknown") after.set(id, { status, checkedAtMs: clock.now() });
				}
			};
			await Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, work));
			checks = after;
			return describeFailures(before) !== describeFailures(after);
		},
	};
}

const describeFailures = (checks: ReadonlyMap<string, Check>): string =>
	[...checks]
		.filter(([, check]) => isFailed(check))
		.map(([id, { status }]) => `${id} ${status}`)
		.sort()
		.join("\n");

function toIssue(remoteAgentId: string, status: RemoteAgentStatus): RuntimeAgentIssue | undefined {
	const path = ["remoteAgentId"];
	if (status === "missing")
		return {
			code: "agent_not_found",
			message: `The service has no agent ${quote(remoteAgentId)} in the workspace of this runtime. Correct the id, or create the agent there.`,
			path,
		};
	if (status === "forbidden")
		return {
			code: "insufficient_scope",
			message:
				"The credentials of this runtime may not run agents of the service. Give its client the scope agents:run.",
			path,
		};
	return undefined;
}
