import { Stemma } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import type { Connection, Environment } from "./resolve-connection";
import { type ConnectionOptions, findConnection } from "./with-service";

/**
 * The service that a command would talk to, where this is the address of its MCP server: its credentials go nowhere else.
 *
 * @throws ConfigurationError when a data folder was named, and it is not that of the server.
 */
export async function findServiceAt(
	server: URL,
	options: Pick<ConnectionOptions, "data">,
	environment: Environment,
): Promise<Connection | undefined> {
	const { data } = options;
	try {
		const connection = await findConnection(options, environment);
		if (toMcpUrl(connection.url) === `${server.origin}${server.pathname}`) return connection;
		if (data !== undefined) throw createOtherServiceError(data, connection.url);
	} catch (error) {
		// Whoever names no service may mean a server that is open to all.
		if (data !== undefined || !ConfigurationError.is(error)) throw error;
	}
	return undefined;
}

/** Returns the MCP address of a service; empty if the configured value is not an address. */
function toMcpUrl(service: string): string {
	const url = URL.parse(`${service.replace(/\/+$/, "")}/mcp`);
	return url === null ? "" : `${url.origin}${url.pathname}`;
}

const createOtherServiceError = (data: string, service: string): ConfigurationError =>
	new ConfigurationError(`The argument <url> is not the MCP server of the service of "${data}".`, {
		hint: `The service's MCP server is at ${toMcpUrl(service)}, and its credentials are sent only there. For another server, leave out --data.`,
	});

/** An access token of the service, fetched when it is first asked for. */
export function createServiceToken({ url, clientId, clientSecret }: Connection): () => Promise<string> {
	// Someone sits and waits.
	const { client } = new Stemma({ baseUrl: url, clientId, clientSecret, retryDelayMs: 200 });
	const fetchToken = async (): Promise<string> => {
		const answer = await client.request<{ readonly access_token: string }>({
			method: "POST",
			path: "/oauth/token",
			fields: { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret },
			anonymous: true,
		});
		return answer.access_token;
	};
	let token: Promise<string> | undefined;
	return () => {
		token ??= fetchToken();
		return token;
	};
}
