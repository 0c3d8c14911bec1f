import { ConfigurationError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import type { Keyring } from "../encryption/keyring";
import type { WorkspaceSecrets } from "../workspace-secrets/workspace-secrets";

/** Gives the value of a secret that a graph names, for the server that it is sent to. */
export type ReadSecret = (name: string, serverUrl: string) => Promise<string>;

/**
 * The secrets of a workspace: each goes to the server that it was stored for, and nowhere else. The environment of the
 * service is none of them.
 *
 * @throws ConfigurationError `secret_missing`, or `encryption_not_configured` where none can be kept, from what it returns.
 */
export function createSecretSource(
	{ open, get }: Pick<WorkspaceSecrets, "open" | "get">,
	{ isEmpty }: Pick<Keyring, "isEmpty">,
): ReadSecret {
	return async (name, serverUrl) => {
		if (isEmpty) throw encryptionNotConfigured(name);
		const address = URL.parse(serverUrl)?.href.replace(/\/$/, "") ?? "";
		const value = await open(name, address);
		if (value !== undefined) return value.reveal();
		const stored = await get(name).catch(() => undefined);
		if (stored === undefined) throw secretMissing(name, serverUrl);
		throw stored.server_url === address
			? secretUndecryptable(name)
			: secretForOtherServer(name, serverUrl, stored.server_url);
	};
}

const STORE_HINT = "PUT /v1/workspace/secrets/:name, or `stemma secrets set`";

/** A query may hold a key. */
const toShownUrl = (serverUrl: string): string => quote(serverUrl.replace(/[?#].*$/s, ""));

const secretMissing = (name: string, serverUrl: string): ConfigurationError =>
	new ConfigurationError(`The workspace has no secret ${quote(name)} for ${toShownUrl(serverUrl)}.`, {
		code: "secret_missing",
		hint: `Store it for exactly this address, and write that without a query: ${STORE_HINT}.`,
	});

/** Creates the error for a secret that is stored for another address. Stored addresses have no query. */
const secretForOtherServer = (name: string, serverUrl: string, storedFor: string): ConfigurationError =>
	new ConfigurationError(
		`The workspace has the secret ${quote(name)} for ${toShownUrl(storedFor)}, and not for ${toShownUrl(serverUrl)}.`,
		{
			code: "secret_missing",
			hint: `Write the address of the node as the secret has it, or store a secret for exactly this address, without a query: ${STORE_HINT}.`,
		},
	);

const secretUndecryptable = (name: string): ConfigurationError =>
	new ConfigurationError(
		`The secret ${quote(name)} was encrypted with a key that the service does not have.`,
		{
			code: "secret_missing",
			hint: `Store its value again: ${STORE_HINT}.`,
		},
	);

const encryptionNotConfigured = (name: string): ConfigurationError =>
	new ConfigurationError(`The secret ${quote(name)} does not exist: this service cannot store secrets.`, {
		code: "encryption_not_configured",
		hint: `The operator must set an encryption key first, which \`stemma keys generate\` prints: \`encryption.keys\`, or STEMMA_ENCRYPTION_KEY. Then store the secret: ${STORE_HINT}.`,
	});
