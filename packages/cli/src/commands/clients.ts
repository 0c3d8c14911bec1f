import type { CreatedApiClient, Scope } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import type { OperatorClient } from "@stemma/service";
import { readDataFolder } from "../connection/data-folder";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { type ServiceCommandOptions, withService } from "../connection/with-service";
import { type JsonOption, print, printTable, report } from "../terminal/print";
import type { Terminal } from "../terminal/terminal";
import { readPlace } from "./data/data-configuration";

/** Options of `stemma clients create`. */
export interface CreateClientOptions extends ServiceCommandOptions {
	readonly scope: readonly Scope[];
	/** Scopes given by the other name of the option `scope`. */
	readonly scopes: readonly Scope[];
	/** Id or name of the workspace of the data folder that it belongs to. */
	readonly workspace?: string;
}

export async function listClients(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const all = await withService(options, ({ apiClients }) => listAll(apiClients.list(FULL_PAGES)));
	printTable(terminal, options, all, {
		header: ["ID", "NAME", "CREATED", "SCOPES"],
		toCells: ({ id, name, created_at, scopes }) => [id, name, created_at.slice(0, 10), scopes.join(" ")],
	});
}

export async function createClient(
	terminal: Terminal,
	name: string,
	options: CreateClientOptions,
): Promise<void> {
	const scopes = [...new Set([...options.scope, ...options.scopes])];
	const { data, workspace } = options;
	if (workspace !== undefined && data === undefined)
		throw new ConfigurationError("The option --workspace needs --data.", {
			hint: "Without it, the client belongs to the workspace of your credentials.",
		});
	const request = { name, ...(scopes.length > 0 ? { scopes } : {}) };
	if (data !== undefined) return createInFolder(terminal, { ...request, workspace }, { ...options, data });
	await withService(options, async ({ client, apiClients }) =>
		writeSecret(terminal, await apiClients.create(request), { ...options, baseUrl: client.baseUrl }),
	);
}

/** Creates a client in a data folder: without a credential, and while a service runs on it or not. */
async function createInFolder(
	terminal: Terminal,
	client: OperatorClient,
	options: ServiceCommandOptions & { readonly data: string },
): Promise<void> {
	const { createOperatorClient } = await import("@stemma/service");
	const { url } = await readDataFolder(options.data);
	// Another service may listen at any other address.
	const baseUrl = options.url || url;
	writeSecret(terminal, await createOperatorClient(await readPlace(options.data), client), {
		...options,
		baseUrl,
	});
}

export async function rotateClient(
	terminal: Terminal,
	id: string,
	options: ServiceCommandOptions,
): Promise<void> {
	await withService(options, async ({ client, apiClients }) =>
		writeSecret(terminal, await apiClients.rotate(id), { ...options, baseUrl: client.baseUrl }),
	);
	terminal.stderr.write("The old secret and its tokens are no longer valid.\n");
}

export async function revokeClient(
	terminal: Terminal,
	id: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const deleted = await withService(options, ({ apiClients }) => apiClients.delete(id));
	print(terminal, options, deleted, () => `Revoked ${id}.\n`);
}

/** Lines that a shell or an .env file takes. The address is that of the service that knows the secret, so that it reaches no other. */
function writeSecret(
	terminal: Terminal,
	client: CreatedApiClient,
	{ json, baseUrl }: JsonOption & { readonly baseUrl: string | undefined },
): void {
	// "All addresses" is where a service listens, and no address to send to.
	const isAddress = baseUrl !== undefined && !/^https?:\/\/(?:0\.0\.0\.0|\[::\])/.test(baseUrl);
	const address = isAddress ? `STEMMA_BASE_URL=${baseUrl}\n` : "";
	const lines = `${address}STEMMA_CLIENT_ID=${client.id}\nSTEMMA_CLIENT_SECRET=${client.client_secret}\n`;
	print(terminal, { json }, client, () => lines);
	report(terminal, "note", "The secret is shown only once. Store it where you keep secrets.");
}
