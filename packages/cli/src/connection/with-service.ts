import { AuthenticationError, ConnectionError, Stemma } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import type { JsonOption } from "../terminal/print";
import { isFolder, readDataFolder } from "./data-folder";
import { type Connection, type Environment, noService, resolveConnection } from "./resolve-connection";

/** Options that name the service a command connects to. */
export interface ConnectionOptions {
	readonly url?: string;
	/** The data folder of a service on this machine. */
	readonly data?: string;
}

/** Options of the commands that talk to a service and print what it answers. */
export interface ServiceCommandOptions extends ConnectionOptions, JsonOption {}

/** Data folder of commands that name none. */
export const toDefaultFolder = ({ STEMMA_DATA_FOLDER }: Environment): string =>
	STEMMA_DATA_FOLDER || "./stemma-data";

/**
 * Runs work with a service.
 *
 * @throws ConfigurationError when it is not known how to reach one, or none answers; else what the work throws.
 */
export async function withService<Result>(
	options: ConnectionOptions,
	work: (stemma: Stemma) => Promise<Result>,
): Promise<Result> {
	const connection = await findConnection(options, process.env);
	const { url, clientId, clientSecret } = connection;
	// Someone sits and waits.
	const stemma = new Stemma({ baseUrl: url, clientId, clientSecret, retryDelayMs: 200 });
	try {
		return await work(stemma);
	} catch (error) {
		throw explain(error, connection);
	}
}

/** @throws ConfigurationError that says what to set. */
export async function findConnection(
	{ url, data }: ConnectionOptions,
	environment: Environment,
): Promise<Connection> {
	const defaultFolder = toDefaultFolder(environment);
	const path = data ?? ((await isFolder(defaultFolder)) ? defaultFolder : undefined);
	const folder = path === undefined ? undefined : await readDataFolder(path);
	return resolveConnection(url, environment, folder);
}

function explain(error: unknown, { url, credentialSource }: Connection): unknown {
	if (ConnectionError.is(error) && error.code === "connection_failed")
		return noService(url, { detail: describeCause(error), cause: error });
	if (AuthenticationError.is(error))
		return new ConfigurationError(`The service at ${url} refused the credentials: ${error.message}`, {
			code: error.code,
			hint: `They are from ${credentialSource}. Is this the service that they were made for?`,
			cause: error,
		});
	return error;
}

/** ` (ECONNREFUSED)`, where the platform says so. */
function describeCause({ cause }: ConnectionError): string {
	for (let error: unknown = cause; error instanceof Error; error = error.cause)
		if ("code" in error && typeof error.code === "string") return ` (${error.code})`;
	return "";
}
