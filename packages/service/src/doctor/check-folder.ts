import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { formatBytes } from "@stemma/core/internal";
import { bootstrapCredentialsFile } from "../auth/bootstrap-credentials";
import { MAX_RESERVE_BYTES } from "../storage/disk-space";
import type { DataFolderProblem } from "./data-folder-report";

const GROUP_AND_OTHERS_BITS = 0o077;
const WRITABLE = 0o022;

/** Lists symbolic links, and files and folders that other users of the machine can access. */
export function listAccessibleFiles(folder: string): DataFolderProblem[] {
	const names = ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })];
	return names.flatMap((name): DataFolderProblem[] => {
		const status = lstatSync(join(folder, name), { throwIfNoEntry: false });
		// Gone meanwhile: a service may be at work.
		if (status === undefined) return [];
		const file = name || ".";
		// The folder as a whole may be a link.
		if (status.isSymbolicLink()) return name === "" ? [] : [toLinkProblem(file)];
		if (process.platform === "win32" || (status.mode & GROUP_AND_OTHERS_BITS) === 0) return [];
		const mode = (status.mode & 0o777).toString(8);
		const what = status.mode & WRITABLE ? "read or change" : "read";
		return [
			{
				severity: "warning",
				code: "data_folder_open",
				file,
				message: `Other users of this machine may ${what} ${file === "." ? "the folder" : file} (mode ${mode}).`,
				hint: "Start the service once, which closes its files, or run chmod go= on it.",
			},
		];
	});
}

const toLinkProblem = (file: string): DataFolderProblem => ({
	severity: "error",
	code: "storage_unsafe",
	file,
	message: `${file} is a symbolic link.`,
	hint: "The service follows no links in its data folder. Find out who created the link, and replace it with the file itself.",
});

/** Bootstrap credentials that are still in the data folder. */
export function listBootstrapCredentials(folder: string): DataFolderProblem[] {
	if (lstatSync(bootstrapCredentialsFile(folder), { throwIfNoEntry: false }) === undefined) return [];
	return [
		{
			severity: "warning",
			code: "first_credentials_left",
			file: "first-credentials.json",
			message: "The credentials of the first start are in the data folder, in the clear.",
			hint: "Copy them to where secrets are kept, then delete the file. The service does not need it.",
		},
	];
}

/** A disk that is nearly full. */
export function listSpaceProblems(freeBytes: number, reserveBytes = MAX_RESERVE_BYTES): DataFolderProblem[] {
	if (freeBytes >= reserveBytes) return [];
	return [
		{
			severity: "warning",
			code: "storage_low",
			message: `The disk has ${formatBytes(freeBytes)} left.`,
			hint: "Free some space: near the reserve (limits.disk_reserve_bytes) the service refuses uploads and runs.",
		},
	];
}
