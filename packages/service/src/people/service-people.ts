import { createFingerprint } from "../auth/fingerprint";
import { createApps } from "../authorizations/apps";
import { type Authorizations, createAuthorizations } from "../authorizations/authorizations";
import type { FetchMetadata } from "../authorizations/client-metadata-document";
import type { DeploymentStore } from "../store/deployment-store";
import { SESSION_CHECK_MS } from "./people-limits";
import { createSessionWatch, type SessionWatch } from "./session-watch";
import { createSessions, isActiveSession, type Sessions } from "./sessions";

/** People of a deployment, as all requests use them. */
export interface ServicePeople {
	readonly sessions: Sessions;
	/** Access that people give to apps. */
	readonly authorizations: Authorizations;
	/** Streams that end with their sessions, and with authorizations. */
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
	/** Fetches the metadata of apps. */
	readonly fetch: FetchMetadata;
	readonly onError: (error: unknown) => void;
}

const DEPLOYMENT_ID_CHARACTERS = 12;

export async function createServicePeople(
	deployment: DeploymentStore,
	{ countFailure, fetch, onError }: ServicePeopleParts,
): Promise<ServicePeople> {
	const toText = createFingerprint(await deployment.getOrCreateSecret("deployment_id"));
	return {
		sessions: createSessions(deployment, onError),
		authorizations: createAuthorizations(
			deployment.authorizations,
			createApps(deployment.apps, fetch),
			onError,
		),
		watch: createSessionWatch({
			listLive: async (ids) => [
				...(await deployment.sessions.listByIds(ids)).filter(isActiveSession).map(({ id }) => id),
				...(await deployment.authorizations.listLive(ids)),
			],
			intervalMs: SESSION_CHECK_MS,
			onError,
		}),
		deploymentId: toText("deployment_id").slice(0, DEPLOYMENT_ID_CHARACTERS),
		countFailure,
	};
}
