import { existsSync } from "node:fs";
import type { Configuration } from "@stemma/service";
import { version } from "../../package.json";
import { isFolder, readDataFolder } from "../connection/data-folder";
import type { Environment } from "../connection/resolve-connection";
import { checkClock } from "./check-clock";
import { checkDisk } from "./check-disk";
import { checkKeys } from "./check-keys";
import { checkModels } from "./check-models";
import { checkNode } from "./check-node";
import { checkPort } from "./check-port";
import { checkVersions } from "./check-versions";
import type { MachineCheck } from "./machine-check";
import { listModelEndpoints } from "./model-endpoints";

/** Options of a check of this machine and of the settings of a service. */
export interface CheckMachineOptions {
	/** Version of Node. */
	readonly node: string;
	readonly environment: Environment;
	/** Folder of the project, whose installed packages are looked at. */
	readonly project: string;
	/** Sends nothing to vendors. */
	readonly isOffline: boolean;
}

/** Checks what a service needs besides its data folder, in the order in which a reader would look. */
export async function checkMachine(
	configuration: Configuration,
	{ node, environment, project, isOffline }: CheckMachineOptions,
): Promise<readonly MachineCheck[]> {
	const { data, listen, encryption } = configuration;
	const url = (await isFolder(data)) ? (await readDataFolder(data)).url : undefined;
	const endpoints = listModelEndpoints(configuration);
	const models = isOffline ? [] : await checkModels(endpoints);
	const date = models.find((checked) => checked.date !== undefined)?.date;
	return [
		checkNode(node),
		await checkVersions({ own: version, project, service: url && (await readServiceVersion(url)) }),
		...(existsSync(data) ? [] : [checkDisk(data)]),
		await checkPort(listen, url),
		checkKeys(encryption, environment),
		...(endpoints.length === 0 ? [BUILT_IN] : []),
		...models.map(({ check }) => check),
		checkClock(date, Date.now()),
	];
}

const BUILT_IN: MachineCheck = {
	name: "model",
	result: "built in: quotes documents, without key or network",
};

/** Version of the service at an address; undefined where it does not say. */
async function readServiceVersion(url: string): Promise<string | undefined> {
	try {
		const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) });
		const { version } = await response.json();
		return typeof version === "string" ? version : undefined;
	} catch {
		return undefined;
	}
}
