import { resolveCredential } from "./auth/resolve-credential";
import type { StemmaClient } from "./client";
import { createIdempotencyKey } from "./http/platform";
import { createTransport } from "./http/transport";
import { type ClientOptions, type ConnectionSettings, resolveConnection } from "./options/client-options";

/**
 * The way to a service, for the functions of this package: `agents(createClient({ clientKey })).run(…)`. Sends nothing
 * until something is asked.
 *
 * @throws ConfigurationError for options that cannot be: it names the fields.
 */
export function createClient(options: ClientOptions): StemmaClient {
	const settings = resolveSettings(options);
	const credential = resolveCredential(options, (other) => createTransport(settings, other));
	return createTransport(settings, credential);
}

function resolveSettings(options: ClientOptions): ConnectionSettings {
	if (options.clientKey !== undefined) return resolveVisitor(options);
	if (options.session === undefined) return resolveConnection(options);
	// No form of another page can send this header.
	return resolveConnection({ ...options, headers: { ...options.headers, "stemma-csrf": "1" } });
}

/**
 * Resolves the options and adds a secret of this visitor: others with the same client key are not given what this
 * visitor has started.
 */
function resolveVisitor(options: ClientOptions): ConnectionSettings {
	return { ...resolveConnection(options), visitor: createIdempotencyKey() };
}
