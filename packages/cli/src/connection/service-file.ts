import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "./write-file-atomically";

/** Returns the path of the file in which a running service stores its address, for commands on the same machine. */
export const serviceFile = (dataFolder: string): string => join(dataFolder, "service.json");

const toText = (url: string): string => `${JSON.stringify({ url, pid: process.pid })}\n`;

/** Tells commands that are given this data folder where its service listens. */
export async function writeServiceFile(dataFolder: string, url: string): Promise<void> {
	await writeFileAtomically(serviceFile(dataFolder), toText(url), 0o600);
}

/** Checks whether the process that wrote the file still runs; after a crash, anyone may listen at its address. */
export function isServiceAlive(pid: unknown): boolean {
	if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// Another user's process is there, too.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}

/** Takes it back, unless another service has written its own meanwhile. */
export async function removeServiceFile(dataFolder: string, url: string): Promise<void> {
	const file = serviceFile(dataFolder);
	const text = await readFile(file, "utf8").catch(() => "");
	if (text === toText(url)) await rm(file, { force: true });
}
