import { createFingerprint } from "../auth/fingerprint";
import type { DeploymentStore } from "../store/deployment-store";
import { SESSION_CHECK_MS } from "./people-limits";
import { createSessionWatch, type SessionWatch } from "./session-watch";
import { createSessions, isActiveSession, type Sessions } from "./sessions";

/** People of a deployment, as all requests use them. */
export interface ServicePeople {
	readonly sessions: Sessions;
	/** Streams that end with their sessions. */
	readonly watch: SessionWatch;
	/** Names this deployment in cookies, as browsers send those of all services of one machine to each of them. */
	readonly deploymentId: string;
	/**
	 * Counts a session or a sign-in link that is not valid.
	 *
	 * @param address - of the connection.
	 * @returns 0, or the seconds to wait where the address has sent too many in the last minute.
	 */
	countFailure(address: string | undefined): number;
}

export interface ServicePeopleParts {
	readonly countFailure: ServicePeople["countFailure"];
	readonly onError: (error: unknown) => void;
}

const DEPLOYMENT_ID_CHARACTERS = 12;

export async function createServicePeople(
	deployment: DeploymentStore,
	{ countFailure, onError }: ServicePeopleParts,
): Promise<ServicePeople> {
	const toText = createFingerprint(await deployment.getOrCreateSecret("deployment_id"));
	return {
		sessions: createSessions(deployment, onError),
		watch: createSessionWatch({
			listLive: async (ids) =>
				(await deployment.sessions.listByIds(ids)).filter(isActiveSession).map(({ id }) => id),
			intervalMs: SESSION_CHECK_MS,
			onError,
		}),
		deploymentId: toText("deployment_id").slice(0, DEPLOYMENT_ID_CHARACTERS),
		countFailure,
	};
}
