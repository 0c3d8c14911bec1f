import type { StemmaClient } from "../../client";
import { path } from "../../http/path";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type { Deleted, PageOptions } from "../../types/page";
import type {
	Authorization,
	AuthorizationDecision,
	AuthorizationPreview,
	AuthorizationRequest,
	DecidedAuthorization,
} from "../../types/people/authorization";
import { createPaginatedList, type PaginatedList } from "../paginated-list";

/** Page and filter of a list of authorizations. */
export interface AuthorizationListOptions extends PageOptions {
	/** Authorizations of another member, for admins. Default: your own. */
	readonly user_id?: string;
}

/** Access that people give to apps; for clients that are created with `session: true`. */
export interface Authorizations {
	/**
	 * Describes what an app asks for, for the page on which the person decides.
	 *
	 * @throws InvalidRequestError `invalid_authorization_request` for a request that must not be answered.
	 */
	preview(request: AuthorizationRequest, options?: CallOptions): Promise<WithRequestId<AuthorizationPreview>>;
	/** Allows or denies what an app asks for. */
	decide(request: AuthorizationDecision, options?: CallOptions): Promise<WithRequestId<DecidedAuthorization>>;
	/** Lists the apps that have access as a user of the workspace, newest first. */
	list(filter?: AuthorizationListOptions, options?: CallOptions): PaginatedList<Authorization>;
	/** Ends the access of an app. */
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

const PATH = "/v1/authorizations";

export const authorizations = (client: StemmaClient): Authorizations => ({
	preview: (json, options) =>
		client.request({ method: "POST", path: "/v1/authorization-requests", json, options }),
	decide: (json, options) =>
		client.request({ method: "POST", path: PATH, json, retry: "if-not-started", options }),
	list: (filter, options) => createPaginatedList(client, PATH, filter, options),
	delete: (id, options) => client.request({ method: "DELETE", path: PATH + path`/${id}`, options }),
});
