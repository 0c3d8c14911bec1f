import type { StemmaClient } from "./client";
import { type ClientOptions, resolveConnection } from "./options";
import { resolveCredential } from "./resolve-credential";
import { createTransport } from "./transport";

/**
 * The way to a service, for the functions of this package: `agents(createClient({ clientKey })).run(…)`. Sends nothing
 * until something is asked.
 *
 * @throws ConfigurationError for options that cannot be: it names the fields.
 */
export function createClient(options: ClientOptions): StemmaClient {
	const settings = resolveConnection(options);
	const credential = resolveCredential(options, (other) => createTransport(settings, other));
	return createTransport(settings, credential);
}
