import type { Role } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { createSecret, hashSecret } from "../auth/secrets";
import type { NewSignInLink, SessionReach, StoredSignInLink } from "./stored-people";

/** Token of a new link, with what is stored of it. */
export interface CreatedSignInLink {
	readonly token: string;
	readonly link: NewSignInLink;
}

export interface SignInLinkOptions extends Pick<StoredSignInLink, "id" | "workspace_id" | "kind" | "email"> {
	readonly role: Role;
	/** `usr_…`, `cl_…` or `operator` */
	readonly invited_by: string;
	readonly ttlMs: number;
	/** Default `workspace`. */
	readonly reach?: SessionReach;
}

const TOKEN_PREFIX = "sl";

/** Checks whether a text can be the token of a sign-in link. */
export const isSignInToken = (text: string): boolean => /^sl_[\w-]{43}$/.test(text);

/** Creates a link, to be stored without its token. */
export function createSignInLink({
	ttlMs,
	reach = "workspace",
	...options
}: SignInLinkOptions): CreatedSignInLink {
	const token = createSecret(TOKEN_PREFIX);
	const now = clock.now();
	return {
		token,
		link: { ...options, reach, tokenHash: hashSecret(token), created_at: now, expires_at: now + ttlMs },
	};
}

/**
 * Address of a sign-in link. The token is in the fragment, which browsers send to no server: no log and no preview of the
 * link gets it, and only the page that is opened redeems it.
 *
 * @param origin - `https://kb.example`
 */
export const toSignInAddress = (origin: string, token: string): string => `${origin}/#sign-in=${token}`;

/** Origin of the pages of a service: on this machine by name, as passkeys take no address for their party. */
export const toPageOrigin = (url: string): string =>
	new URL(url).origin.replace(/^http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?=:|$)/, "http://localhost");
