import type { CreatedApiClient, Scope } from "@stemma/client";
import { OPERATOR } from "../audit/audit-author";
import { createId } from "../create-id";
import type { DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { createApiClients } from "./api-clients";
import { withOperatorStore } from "./operator-store";
import { WORKSPACE_SCOPES } from "./scopes";

/** A client to be made by whoever owns the data folder. */
export interface OperatorClient {
	readonly name: string;
	/** Default: all scopes of a workspace, which are all but `deployment:write`. */
	readonly scopes?: readonly Scope[] | undefined;
	/** Id or name of the workspace that it belongs to. Default: the oldest one. */
	readonly workspace?: string | undefined;
}

/**
 * Makes a client in a deployment, also while a service serves it: without a credential, and with any scope. The
 * audit says that the operator has made it.
 *
 * @throws ConfigurationError where it is no data folder, or has no workspace yet; `workspace_not_found`.
 * @throws StorageError where its file or database cannot be used, or is of another version of Stemma.
 */
export const createOperatorClient = (
	place: DeploymentPlace,
	{ name, scopes = WORKSPACE_SCOPES, workspace }: OperatorClient,
): Promise<CreatedApiClient & { readonly workspace_id: string }> =>
	withOperatorStore(place, workspace, async ({ store, workspaceId }) => {
		const clients = createApiClients(store.clients, workspaceId, { actor: OPERATOR });
		return { ...(await clients.create({ id: createId("cl"), name, scopes })), workspace_id: workspaceId };
	});
