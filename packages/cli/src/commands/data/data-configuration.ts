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
