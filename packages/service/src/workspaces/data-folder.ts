import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { type RestrictedFiles, restrictFolder } from "../store/data-folder/private-files";
import { toWorkspacesFolder } from "../store/data-folder/workspace-files";

const REASONS: Readonly<Record<string, string>> = {
	EACCES: "this user may not write there",
	EPERM: "this user may not write there",
	EROFS: "it is on a read-only file system",
	ENOTDIR: "it is, or lies in, something that is not a folder",
	EEXIST: "it is not a folder",
	ENOSPC: "its disk is full",
	EDQUOT: "its disk quota is used up",
};

/**
 * Creates the folder if it is missing, readable only by its owner, and checks that it can be written.
 *
 * @throws ConfigurationError.
 */
export async function prepareDataFolder(folder: string): Promise<void> {
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		const probe = join(folder, `.probe-${randomUUID()}`);
		await writeFile(probe, "", { flag: "wx", mode: 0o600 });
		await rm(probe);
	} catch (cause) {
		const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
		throw new ConfigurationError(
			`The data folder "${folder}" cannot be used: ${REASONS[code] ?? `the system says ${code}`}.`,
			{
				code: "data_folder_unusable",
				hint: 'Name another folder with --data, STEMMA_DATA_FOLDER or "data", or give this user the right to write there.',
				cause,
			},
		);
	}
}

/** Names that the service gives to what is in its data folder. Folders of later versions are none of a stranger's either. */
const OWN_FILE_NAMES =
	/^(?:(?:deployment|lock)\.sqlite(?:-wal|-shm|-journal)?|first-credentials\.json(?:\.[0-9a-f-]{36})?|service\.json(?:\.[0-9a-f-]{36})?|\.probe-[0-9a-f-]{36}|before-upgrade-[0-9TZ-]+\.tar|\.importing-[0-9a-f-]{36}|\.upgrade-\w+|workspaces|spool|ballast|lost\+found)$/;

/**
 * Closes a data folder of an earlier version, whose files others may read, to all but its owner. The folder itself keeps
 * its mode where things lie in it that are not the service's.
 *
 * @returns the paths relative to the folder, which is `.` itself.
 */
export function tightenDataFolder(folder: string): RestrictedFiles {
	const workspaces = toWorkspacesFolder(folder);
	const parts = [
		restrictFolder(folder, (name) => OWN_FILE_NAMES.test(name)),
		// With a database there is none.
		...(existsSync(workspaces) ? [restrictFolder(workspaces, () => true)] : []),
	];
	const toNames = (paths: readonly string[]): string[] => paths.map((path) => relative(folder, path) || ".");
	return {
		restricted: parts.flatMap(({ restricted }) => toNames(restricted)),
		open: parts.flatMap(({ open }) => toNames(open)),
	};
}
