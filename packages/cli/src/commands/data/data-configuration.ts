import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "@stemma/service";

/** Options that say which data folder a command works on. */
export interface DataFolderOptions {
	readonly data?: string;
	readonly config?: string;
}

/** Reads the configuration of the service whose data folder a command works on. */
export async function readDataConfiguration({ data, config }: DataFolderOptions): Promise<Configuration> {
	const { readConfiguration } = await import("@stemma/service");
	const options = data === undefined ? [] : [{ source: "--data", path: ["data"], value: data }];
	return readConfiguration({ file: config, options });
}

/**
 * Finds what a service stores everything in, by its data folder: the folder itself, or the database that the configuration
 * names.
 */
export async function readPlace(data: string): Promise<Pick<Configuration, "data" | "database">> {
	return existsSync(join(data, "deployment.sqlite")) ? { data } : readDataConfiguration({ data });
}
