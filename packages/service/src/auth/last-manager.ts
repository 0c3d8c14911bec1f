import type { ApiClient, Scope } from "@stemma/client";
import { DomainError } from "../errors/domain-error";

/**
 * Asserts that a workspace can do without the secret of a client: where it manages clients, another one does that has at
 * least the same scopes, as nobody can create a client with more scopes than they have.
 *
 * @param others - scopes of each other client of the workspace.
 * @throws DomainError `last_manager`
 */
export function assertManagerRemains(
	client: Pick<ApiClient, "scopes">,
	others: readonly (readonly Scope[])[],
): void {
	if (!client.scopes.includes("keys:write")) return;
	// The client itself has "keys:write", so that what has all of its scopes has that, too.
	if (others.some((scopes) => hasAll(scopes, client.scopes))) return;
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
