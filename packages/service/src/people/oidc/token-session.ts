/** Facts of an access token of an issuer, in the place of a session. */
export interface TokenSession {
	readonly workspaceId: string;
	readonly userId: string;
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

const PREFIX = "jwt_";

/** Id of a token in the place of one of a session: it says who and until when, so nothing is stored of it. */
export const toTokenSessionId = ({ workspaceId, userId, expiresAt }: TokenSession): string =>
	`${PREFIX}${workspaceId} ${userId} ${expiresAt}`;

/** Parses the id of a token; `undefined` for that of a session. */
export function parseTokenSessionId(sessionId: string): TokenSession | undefined {
	if (!sessionId.startsWith(PREFIX)) return undefined;
	const [workspaceId = "", userId = "", expiresAt = ""] = sessionId.slice(PREFIX.length).split(" ");
	return { workspaceId, userId, expiresAt: Number(expiresAt) };
}
