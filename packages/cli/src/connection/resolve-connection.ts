import { join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { CREDENTIALS_FILE, type Credentials, type DataFolder } from "./data-folder";

/** Address of a service, and the credentials for it. */
export interface Connection extends Credentials {
	readonly url: string;
	/** Source of the credentials, for messages. */
	readonly credentialSource: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Default address at which `stemma serve` listens. */
export const DEFAULT_URL = "http://127.0.0.1:4000";

/**
 * Puts a connection together: of options, the environment and a data folder, the first that has something. The credentials
 * of a folder go to the service that runs on it before they go to the address in the environment.
 *
 * @throws ConfigurationError that says what to set when there are no credentials, or when the folder's service is gone.
 */
export function resolveConnection(
	url: string | undefined,
	environment: Environment,
	folder: DataFolder | undefined,
): Connection {
	const credentials = resolveCredentials(environment, folder);
	const ownUrl = isOfFolder(credentials, folder) ? folder?.url : undefined;
	return { url: url || ownUrl || environment.STEMMA_BASE_URL || toUrl(folder, credentials), ...credentials };
}

/** The secret of a folder is for the service that runs on it: another one may listen at the usual address. */
function toUrl(folder: DataFolder | undefined, credentials: Credentials): string {
	if (folder?.staleUrl !== undefined) throw noService(folder.staleUrl);
	if (folder !== undefined && !folder.url && isOfFolder(credentials, folder)) throw notRunning(folder);
	return folder?.url || DEFAULT_URL;
}

const isOfFolder = ({ clientSecret }: Credentials, folder: DataFolder | undefined): boolean =>
	clientSecret === folder?.credentials?.clientSecret;

const notRunning = ({ path }: DataFolder): ConfigurationError =>
	new ConfigurationError(`No service runs on the data folder "${path}".`, {
		code: "connection_failed",
		hint: `Start it with "stemma serve --data ${path}", or pass its address: --url <address> or STEMMA_BASE_URL.`,
	});

type SourcedCredentials = Credentials & Pick<Connection, "credentialSource">;

function resolveCredentials(environment: Environment, folder: DataFolder | undefined): SourcedCredentials {
	const { STEMMA_CLIENT_ID: clientId, STEMMA_CLIENT_SECRET: clientSecret } = environment;
	if (clientId && clientSecret)
		return { clientId, clientSecret, credentialSource: "STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET" };
	if (clientId || clientSecret) {
		const [given, missing] = clientId ? ["ID", "SECRET"] : ["SECRET", "ID"];
		throw new ConfigurationError(`STEMMA_CLIENT_${given} is set, and STEMMA_CLIENT_${missing} is not.`, {
			hint: "Set both, or neither to use those of a data folder.",
		});
	}
	if (folder?.credentials !== undefined)
		return { ...folder.credentials, credentialSource: join(folder.path, CREDENTIALS_FILE) };
	throw noCredentials(folder);
}

const noCredentials = (folder: DataFolder | undefined): ConfigurationError =>
	new ConfigurationError(
		folder === undefined
			? "There are no credentials for a service."
			: `The data folder "${folder.path}" has no ${CREDENTIALS_FILE}, and there are no other credentials.`,
		{
			code: "missing_credentials",
			hint: "Set STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET, or name the folder of a service on this machine: --data <folder>",
		},
	);

/** @param detail - what else is known, after the address. */
export const noService = (
	url: string,
	{ detail = "", ...options }: { readonly detail?: string; readonly cause?: unknown } = {},
): ConfigurationError =>
	new ConfigurationError(`No service answers at ${url}${detail}.`, {
		code: "connection_failed",
		hint: 'Start one with "stemma serve", or name it: --url <address>, --data <its data folder>, or STEMMA_BASE_URL.',
		...options,
	});
