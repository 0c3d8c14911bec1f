import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Where a running service leaves its address, for commands on the same machine. */
export const serviceFile = (dataFolder: string): string => join(dataFolder, "service.json");

/** Tells commands that are given this data folder where its service listens. */
export async function writeServiceFile(dataFolder: string, url: string): Promise<void> {
	await writeFile(serviceFile(dataFolder), `${JSON.stringify({ url, pid: process.pid })}\n`);
}

/** Takes it back, unless another service has written its own meanwhile. */
export async function removeServiceFile(dataFolder: string, url: string): Promise<void> {
	const file = serviceFile(dataFolder);
	const text = await readFile(file, "utf8").catch(() => "");
	if (text === `${JSON.stringify({ url, pid: process.pid })}\n`) await rm(file, { force: true });
}
