import type { StemmaClient } from "../../client";
import { path } from "../../http/path";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type { Deleted, PageOptions } from "../../types/page";
import type { PasskeyOptions, PasskeySignIn } from "../../types/people/passkey";
import type {
	CurrentSession,
	SignedOut,
	SignInRequest,
	SwitchWorkspaceRequest,
	UserSession,
	UserWorkspaces,
} from "../../types/people/people";
import type { SignInMethods } from "../../types/people/sign-in";
import { createPaginatedList, type PaginatedList } from "../paginated-list";
import { createPasskeys, type Passkeys } from "./passkeys";

/** Page and filter of a list of sessions. */
export interface SessionListOptions extends PageOptions {
	/** Sessions of another member, for admins. Default: your own. */
	readonly user_id?: string;
}

/** Session of the person who uses the page; for clients that are created with `session: true`. */
export interface Session {
	/**
	 * Signs in with the token of a link, which can be used once.
	 *
	 * @throws AuthenticationError `sign_in_link_invalid` for one that is unknown, used or expired.
	 * @throws PermissionError `link_for_another_email`
	 */
	signIn(request: SignInRequest, options?: CallOptions): Promise<WithRequestId<CurrentSession>>;
	/** Lists the issuers by which people sign in, at the address `/v1/sign-in/<id>`. */
	listMethods(options?: CallOptions): Promise<WithRequestId<SignInMethods>>;
	/** Returns what `navigator.credentials.get` needs; good for one sign-in, for five minutes, in this browser. */
	createPasskeyOptions(options?: CallOptions): Promise<WithRequestId<PasskeyOptions>>;
	/**
	 * Signs in with a passkey, which the browser has used with {@link createPasskeyOptions}.
	 *
	 * @throws AuthenticationError `passkey_invalid`
	 */
	signInWithPasskey(request: PasskeySignIn, options?: CallOptions): Promise<WithRequestId<CurrentSession>>;
	/** Passkeys of the person who is signed in. */
	readonly passkeys: Passkeys;
	/** @throws AuthenticationError where nobody is signed in. */
	get(options?: CallOptions): Promise<WithRequestId<CurrentSession>>;
	/**
	 * Lists the workspaces of the person: all in which they are a member, where the operator or an issuer said who they are;
	 * else that of the session.
	 */
	workspaces(options?: CallOptions): Promise<WithRequestId<UserWorkspaces>>;
	/**
	 * Goes on in another of these workspaces: the session ends, and another one begins.
	 *
	 * @throws NotFoundError `workspace_not_found` for all others.
	 */
	switchWorkspace(
		request: SwitchWorkspaceRequest,
		options?: CallOptions,
	): Promise<WithRequestId<CurrentSession>>;
	signOut(options?: CallOptions): Promise<WithRequestId<SignedOut>>;
	/** Lists the sessions of a user in the workspace, newest first. */
	list(filter?: SessionListOptions, options?: CallOptions): PaginatedList<UserSession>;
	/** Ends one session. */
	end(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
	/** Ends all of your sessions in the workspace, this one too. */
	endAll(options?: CallOptions): Promise<WithRequestId<SignedOut>>;
}

const PATH = "/v1/session";
const PASSKEY_PATH = "/v1/session/passkey";
const SIGN_IN_PATH = "/v1/sign-in";
const LIST_PATH = "/v1/sessions";

export const session = (client: StemmaClient): Session => ({
	// The link can be used once: a second try would be refused.
	signIn: (json, options) =>
		client.request({ method: "POST", path: PATH, json, retry: "if-not-started", options }),
	listMethods: (options) => client.request({ method: "GET", path: SIGN_IN_PATH, options }),
	createPasskeyOptions: (options) =>
		client.request({ method: "POST", path: `${PASSKEY_PATH}/options`, options }),
	signInWithPasskey: (json, options) =>
		client.request({ method: "POST", path: PASSKEY_PATH, json, retry: "if-not-started", options }),
	passkeys: createPasskeys(client),
	get: (options) => client.request({ method: "GET", path: PATH, options }),
	workspaces: (options) => client.request({ method: "GET", path: `${PATH}/workspaces`, options }),
	switchWorkspace: (json, options) =>
		client.request({
			...{ method: "POST", path: `${PATH}/workspace`, retry: "if-not-started" },
			json,
			options,
		}),
	signOut: (options) => client.request({ method: "DELETE", path: PATH, options }),
	list: (filter, options) => createPaginatedList(client, LIST_PATH, filter, options),
	end: (id, options) => client.request({ method: "DELETE", path: LIST_PATH + path`/${id}`, options }),
	endAll: (options) => client.request({ method: "DELETE", path: LIST_PATH, options }),
});
