import type { StemmaClient } from "../../client";
import { path } from "../../http/path";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type { Deleted, PageOptions } from "../../types/page";
import type { Passkey, PasskeyCreate, PasskeyOptions, PasskeyUpdate } from "../../types/people/passkey";
import { createPaginatedList, type PaginatedList } from "../paginated-list";

/** Page and filter of a list of passkeys. */
export interface PasskeyListOptions extends PageOptions {
	/** Passkeys of another member, for admins and for clients that manage members. Default: your own. */
	readonly user_id?: string;
}

/** Passkeys of the person who uses the page; those of others for admins, and for clients that manage members. */
export interface Passkeys {
	/** Lists them, newest first. */
	list(filter?: PasskeyListOptions, options?: CallOptions): PaginatedList<Passkey>;
	/** Returns what `navigator.credentials.create` needs; good for one passkey, for five minutes, in this browser. */
	createOptions(options?: CallOptions): Promise<WithRequestId<PasskeyOptions>>;
	/**
	 * Adds a passkey that the browser has made with {@link createOptions}.
	 *
	 * @throws PermissionError `own_sign_in_required` in a session by the link of somebody else, where the account has another
	 * way to sign in.
	 */
	create(request: PasskeyCreate, options?: CallOptions): Promise<WithRequestId<Passkey>>;
	update(id: string, request: PasskeyUpdate, options?: CallOptions): Promise<WithRequestId<Passkey>>;
	/** Removes a passkey, also one of another member: it signs nobody in any more. */
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

const PATH = "/v1/passkeys";

export const createPasskeys = (client: StemmaClient): Passkeys => ({
	list: (filter, options) => createPaginatedList(client, PATH, filter, options),
	createOptions: (options) => client.request({ method: "POST", path: `${PATH}/options`, options }),
	create: (json, options) =>
		client.request({ method: "POST", path: PATH, json, retry: "if-not-started", options }),
	update: (id, json, options) =>
		client.request({ method: "PATCH", path: PATH + path`/${id}`, json, options }),
	delete: (id, options) => client.request({ method: "DELETE", path: PATH + path`/${id}`, options }),
});
