import { createTrustedProxies } from "@stemma/protocol";
import type { ConnectionInfo } from "./service-context";

/** Finds out whose connection a request came by. */
export type ResolveConnection = (
	request: Request,
	connection: ConnectionInfo | undefined,
) => ConnectionInfo | undefined;

/** Creates what finds the client behind the proxies of the configuration; without any, the connection is the client's. */
export function createConnectionResolver(trustedProxies: readonly string[] = []): ResolveConnection {
	if (trustedProxies.length === 0) return (_, connection) => connection;
	const proxies = createTrustedProxies(trustedProxies);
	return ({ headers }, connection) =>
		proxies.findClient(connection?.address, (name) => headers.get(name) ?? undefined);
}
