import { createClient, type StemmaClient } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";

/** Options of `connectService`: ports and remote agents from a service's address and credentials. */
export interface ServiceConnectionOptions {
	/** The service's address. Default: the variable `STEMMA_BASE_URL`. */
	readonly baseUrl?: string | undefined;
	readonly clientId: string | undefined;
	readonly clientSecret: string | undefined;
}

/** Connection of a runtime to the service: spread it into the options of `createRuntime` or `startRuntime`. */
export interface ServiceConnection {
	readonly client: StemmaClient;
}

/**
 * Models, documents and stored agents of a service. Sends nothing until a run asks.
 *
 * @throws ConfigurationError when the credentials or the address are missing.
 */
export function connectService({
	baseUrl,
	clientId,
	clientSecret,
}: ServiceConnectionOptions): ServiceConnection {
	if (!clientId || !clientSecret) throw noCredentials();
	return { client: createClient({ baseUrl, clientId, clientSecret }) };
}

const noCredentials = (): ConfigurationError =>
	new ConfigurationError("The runtime's credentials at the service are missing.", {
		hint: "Set STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET (options `clientId` and `clientSecret`).",
	});
