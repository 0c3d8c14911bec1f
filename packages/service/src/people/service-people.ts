import type { UserCaller } from "../auth/caller";
import { createFingerprint } from "../auth/fingerprint";
import { createApps } from "../authorizations/apps";
import {
	type Authorizations,
	createAuthorizations,
	listLiveAuthorizations,
} from "../authorizations/authorizations";
import type { FetchMetadata } from "../authorizations/client-metadata-document";
import { type InstanceBus, SESSIONS_TOPIC } from "../store/claims/instance-bus";
import type { DeploymentStore } from "../store/deployment-store";
import { createSignInAttempts, type SignInAttempts } from "./attempts/sign-in-attempts";
import { createSignInThrottle, type SignInThrottle, type ThrottleRates } from "./attempts/sign-in-throttle";
import { type Confirmations, createConfirmations } from "./oidc/confirmations";
import { findTokenUser } from "./oidc/find-token-user";
import type { Issuers } from "./oidc/issuers";
import { toTokenSessionId } from "./oidc/token-session";
import type { UserHandleKey } from "./passkeys/user-handle";
import { SESSION_CHECK_MS } from "./people-limits";
import { createSessionWatch, type SessionWatch } from "./session-watch";
import { createSessions, listLiveSessions, type Sessions, toUserCaller } from "./sessions";

/** People of a deployment, as all requests use them. */
export interface ServicePeople {
	readonly sessions: Sessions;
	/** Access that people give to apps. */
	readonly authorizations: Authorizations;
	/** Streams that end with their sessions, and with authorizations. */
	readonly watch: SessionWatch;
	/** Names this deployment in cookies, as browsers send those of all services of one machine to each of them. */
	readonly deploymentId: string;
	/** Attempts to sign in that browsers have begun. */
	readonly attempts: SignInAttempts;
	/** Issuers of OpenID Connect. */
	readonly issuers: Issuers;
	/** Checks that issuers still know their people. */
	readonly confirmations: Confirmations;
	/** Finds the person of an access token of an issuer; see {@link findTokenUser} for its errors. */
	findTokenCaller(token: string): Promise<UserCaller | undefined>;
	/** Rates of attempts to sign in. */
	readonly throttle: SignInThrottle;
	/** Makes the handles of people for authenticators of passkeys. */
	readonly userHandleKey: UserHandleKey;
	/**
	 * Counts a session or a sign-in link that is not valid.
	 *
	 * @param address - of the client.
	 * @returns 0, or the seconds to wait where the address has sent too many in the last minute.
	 */
	countFailure(address: string | undefined): number;
}

export interface ServicePeopleParts {
	readonly issuers: Issuers;
	readonly countFailure: ServicePeople["countFailure"];
	/** Tells of sessions that other instances have ended. */
	readonly bus: Pick<InstanceBus, "subscribe" | "onMissed">;
	/** Limiters of attempts to sign in. */
	readonly rates: ThrottleRates;
	/** Fetches the metadata of apps. */
	readonly fetch: FetchMetadata;
	readonly onError: (error: unknown) => void;
}

const DEPLOYMENT_ID_CHARACTERS = 12;

export async function createServicePeople(
	deployment: DeploymentStore,
	{ issuers, countFailure, rates, fetch, bus, onError }: ServicePeopleParts,
): Promise<ServicePeople> {
	const toText = createFingerprint(await deployment.getOrCreateSecret("deployment_id"));
	const confirmations = createConfirmations(
		deployment.identities,
		issuers.list.map(({ configuration }) => configuration),
	);
	const watch = createSessionWatch({
		listLive: async (ids) => [
			...(await listLiveSessions({ ...deployment, ...confirmations }, ids)),
			...(await listLiveAuthorizations(deployment.authorizations, confirmations, ids)),
		],
		intervalMs: SESSION_CHECK_MS,
		onError,
	});
	const checkStreams = (): void => void watch.check().catch(onError);
	bus.subscribe(SESSIONS_TOPIC, checkStreams);
	bus.onMissed(checkStreams);
	return {
		sessions: createSessions(deployment, confirmations, onError),
		authorizations: createAuthorizations(
			deployment.authorizations,
			{ apps: createApps(deployment.apps, fetch), ...confirmations },
			onError,
		),
		watch,
		deploymentId: toText("deployment_id").slice(0, DEPLOYMENT_ID_CHARACTERS),
		issuers,
		confirmations,
		async findTokenCaller(token) {
			const { identities, workspaces } = deployment;
			const user = await findTokenUser({ issuers, identities, listWorkspaces: workspaces.listAll }, token);
			if (user === undefined) return undefined;
			const { member, expiresAt } = user;
			const workspaceId = member.workspace_id;
			return {
				...toUserCaller(member),
				sessionId: toTokenSessionId({ workspaceId, userId: member.id, expiresAt }),
			};
		},
		attempts: createSignInAttempts(
			await deployment.getOrCreateSecret("sign_in_attempts"),
			deployment.usedTokens,
		),
		throttle: createSignInThrottle(rates),
		userHandleKey: await deployment.getOrCreateSecret("passkey_users"),
		countFailure,
	};
}
