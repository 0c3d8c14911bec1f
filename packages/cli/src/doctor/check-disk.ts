import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { formatBytes } from "@stemma/core/internal";
import { type MachineCheck, toError, toWarning } from "./machine-check";

/** Below this the service soon refuses uploads. */
const MIN_FREE_BYTES = 1024 ** 3;

/** Checks that a data folder can be there and grow: its folder, or the next one above that exists, is writable and has space. */
export function checkDisk(dataFolder: string): MachineCheck {
	const folder = findExisting(dataFolder);
	const { bavail, bsize } = statfsSync(folder);
	const freeBytes = bavail * bsize;
	const result = `${formatBytes(freeBytes)} free for ${dataFolder}`;
	if (!isWritable(folder))
		return toError("disk", result, {
			code: "data_folder_not_writable",
			message: `This user may not write to ${folder}.`,
			hint: 'Choose another folder (--data or "data"), or give this user the right to write there.',
		});
	if (freeBytes >= MIN_FREE_BYTES) return { name: "disk", result };
	return toWarning("disk", result, {
		code: "storage_low",
		message: `The disk has ${formatBytes(freeBytes)} left.`,
		hint: 'Free some space, or choose a folder on another disk (--data or "data").',
	});
}

function findExisting(folder: string): string {
	return existsSync(folder) || dirname(folder) === folder ? folder : findExisting(dirname(folder));
}

function isWritable(folder: string): boolean {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}
