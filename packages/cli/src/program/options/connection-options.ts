import type { Command } from "commander";

/** Adds the options of every command that talks to a service. */
export const addConnectionOptions = (command: Command): Command =>
	command
		.option("--url <address>", "the service (default: STEMMA_BASE_URL, else that of the data folder)")
		.option("--data <folder>", "the data folder of a service on this machine (default: ./stemma-data)");

/** Help text about the connection, for commands that use a service. */
export const CONNECTION_NOTES = `The service is the one at --url, else at STEMMA_BASE_URL, else the one that runs on the data folder. The folder's own credentials
go to the service that runs on it before they go to STEMMA_BASE_URL.
With your own credentials and no data folder, the default is http://127.0.0.1:4000.
The credentials are STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET, else those in first-credentials.json of the data folder.`;
