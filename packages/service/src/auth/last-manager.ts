import type { Scope } from "@stemma/client";
import type { Kysely } from "kysely";
import { DomainError } from "../errors/domain-error";
import type { DeploymentTables } from "../store/deployment-tables";
import { parseColumn } from "../store/json-column";

/** A client of a workspace, as far as its power goes. */
export interface ScopedClient {
	readonly id: string;
	readonly scopes: readonly Scope[];
}

/**
 * Asserts that a workspace can do without the secret of a client: where it manages clients, another one does that has at
 * least the same scopes, as nobody can create a client with more scopes than they have.
 *
 * @throws DomainError `last_manager`
 */
export async function assertManagerRemains(
	database: Pick<Kysely<DeploymentTables>, "selectFrom">,
	workspaceId: string,
	client: ScopedClient,
): Promise<void> {
	if (!client.scopes.includes("keys:write")) return;
	const others = await database
		.selectFrom("clients")
		.select("scopes")
		.where("workspace_id", "=", workspaceId)
		.where("id", "!=", client.id)
		.execute();
	// The client itself has "keys:write", so that what has all of its scopes has that, too.
	if (others.some((other) => hasAll(parseColumn(other.scopes), client.scopes))) return;
	throw new DomainError(
		"last_manager",
		"No other client of the workspace manages clients with these scopes.",
		{
			hint: "Create a client with the same scopes first, then delete or rotate this one with it. On the machine of the service: stemma clients create --data <folder> --scopes all",
			details: { scopes: [...client.scopes] },
		},
	);
}

const hasAll = (scopes: readonly Scope[], required: readonly Scope[]): boolean =>
	required.every((scope) => scopes.includes(scope));
