import { existsSync, statfsSync } from "node:fs";
import { ConfigurationError } from "@stemma/core/errors";
import type { Configuration } from "../configuration/configuration";
import { createKeyring } from "../encryption/keyring";
import { isLocked } from "../store/data-folder/data-folder-lock";
import { toWorkspacesFolder } from "../store/data-folder/workspace-files";
import { checkDatabase } from "./check-database";
import { checkDeployment } from "./check-deployment";
import { listAccessibleFiles, listBootstrapCredentials, listSpaceProblems } from "./check-folder";
import { checkWorkspace } from "./check-workspaces";
import type { CheckedFile, DataFolderProblem, DataFolderReport } from "./data-folder-report";

/** Options of a check of a data folder and of everything in it. */
export interface CheckDataFolderOptions {
	/** Looks at the structure of files alone: much faster, and finds most damage. Default false. */
	readonly isQuick?: boolean | undefined;
	/** Called after each file. */
	readonly onProgress?: ((done: number, total: number, file: string) => void) | undefined;
}

/** Part of the configuration that a check needs. */
export type CheckedConfiguration = Pick<
	Configuration,
	"data" | "database" | "embeddings" | "encryption" | "limits"
>;

/**
 * Checks all that is in a data folder and changes nothing, also while a service runs on it. Encrypted values are checked
 * where the configuration has encryption keys. With a database, its version and protection are checked instead.
 *
 * @throws ConfigurationError `data_folder_missing` where it is no data folder.
 */
export async function checkDataFolder(
	configuration: CheckedConfiguration,
	{ isQuick = false, onProgress }: CheckDataFolderOptions = {},
): Promise<DataFolderReport> {
	const { data: folder, database, encryption, limits } = configuration;
	if (database !== undefined) return checkDatabase(configuration, database);
	if (!existsSync(toWorkspacesFolder(folder)))
		throw new ConfigurationError(`"${folder}" is not the data folder of a service.`, {
			code: "data_folder_missing",
			hint: 'Name the folder that the service was started with: --data, STEMMA_DATA_FOLDER or "data".',
		});
	const isServed = isLocked(folder);
	const isServedNow = (): boolean => isLocked(folder);
	const check = { folder, isQuick, isServed, isServedNow, keyring: createKeyring(encryption.keys) };
	const deployment = await checkDeployment(folder, check);
	const files: CheckedFile[] = [deployment.file];
	const problems: DataFolderProblem[] = [...deployment.problems];
	const progress = (): void =>
		onProgress?.(files.length, deployment.workspaces.length + 1, files.at(-1)?.file ?? "");
	progress();
	for (const workspace of deployment.workspaces) {
		const checked = await checkWorkspace(workspace, check);
		files.push(checked.file);
		problems.push(...checked.problems);
		progress();
	}
	const { bavail, bsize } = statfsSync(folder);
	const freeBytes = bavail * bsize;
	problems.push(
		...listAccessibleFiles(folder),
		...listBootstrapCredentials(folder),
		...listSpaceProblems(freeBytes, limits.diskReserveBytes),
	);
	return { folder, isServed, freeBytes, files, problems: sortProblems(problems) };
}

/** A link in the place of a file is found twice: as the file that cannot be used, and as a link. */
function sortProblems(problems: readonly DataFolderProblem[]): readonly DataFolderProblem[] {
	const unique = problems.filter(
		({ code, file }, index) =>
			problems.findIndex((other) => other.code === code && other.file === file) === index,
	);
	return [
		...unique.filter(({ severity }) => severity === "error"),
		...unique.filter(({ severity }) => severity === "warning"),
	];
}
