import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";

const REASONS: Readonly<Record<string, string>> = {
	EACCES: "this user may not write there",
	EPERM: "this user may not write there",
	EROFS: "it is on a read-only file system",
	ENOTDIR: "it is, or lies in, something that is no folder",
	EEXIST: "it is no folder",
	ENOSPC: "its disk is full",
	EDQUOT: "its disk quota is used up",
};

/**
 * Makes the folder where it is missing, for its owner's eyes alone, and tries whether it can be written.
 *
 * @throws ConfigurationError.
 */
export async function prepareDataFolder(folder: string): Promise<void> {
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		const probe = join(folder, `.probe-${randomUUID()}`);
		await writeFile(probe, "");
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
