import { ConfigurationError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import type { WorkspaceSecrets } from "../workspace-secrets/workspace-secrets";

/** Gives the value of a secret that a graph names, for the server that it is sent to. */
export type OpenSecret = (name: string, serverUrl: string) => Promise<string>;

/**
 * The secrets of a workspace: each goes to the server that it was stored for, and nowhere else. The environment of the
 * service is none of them.
 *
 * @throws ConfigurationError `secret_missing`, from what it returns.
 */
export function secretsOfWorkspace({ open, get }: Pick<WorkspaceSecrets, "open" | "get">): OpenSecret {
	return async (name, serverUrl) => {
		const value = await open(name, URL.parse(serverUrl)?.href.replace(/\/$/, "") ?? "");
		if (value !== undefined) return value.reveal();
		const stored = await get(name).catch(() => undefined);
		throw stored?.status === "undecryptable" ? notOpened(name) : noSecret(name, serverUrl);
	};
}

/** Where the others go is for those to see who may read them. */
const noSecret = (name: string, serverUrl: string): ConfigurationError =>
	// A query may hold a key.
	new ConfigurationError(
		`The workspace has no secret ${quote(name)} for ${quote(serverUrl.replace(/[?#].*$/s, ""))}.`,
		{
			code: "secret_missing",
			hint: "Store it for exactly this address, and write that without a query: PUT /v1/workspace/secrets/:name, or `stemma secrets set`.",
		},
	);

const notOpened = (name: string): ConfigurationError =>
	new ConfigurationError(`The secret ${quote(name)} was sealed with an encryption key that is not there.`, {
		code: "secret_missing",
		hint: "Store its value once more: PUT /v1/workspace/secrets/:name, or `stemma secrets set`.",
	});
