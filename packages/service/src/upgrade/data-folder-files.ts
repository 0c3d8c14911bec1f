import { mkdtemp, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { readFileSize } from "../doctor/check-database-file";
import { toDeploymentFile } from "../store/data-folder/deployment-file";
import { toWorkspaceFile, toWorkspacesFolder } from "../store/data-folder/workspace-files";
import { copyDatabase, listWorkspacesIn } from "../store/sqlite/open-snapshots";
import { type DatabaseKind, readDatabaseVersion, toNewestVersion } from "../store/sqlite/open-upgrades";

/** Database of a data folder, and the version that it would get. */
export interface VersionedFile {
	readonly path: string;
	/** Relative to the data folder. */
	readonly file: string;
	readonly kind: DatabaseKind;
	/** Name of the workspace. */
	readonly name?: string;
	readonly bytes: number;
	readonly from: number;
	readonly to: number;
}

/**
 * Lists the databases of a data folder with their versions, that of the deployment first.
 *
 * @throws StorageError where one cannot be read.
 */
export async function listVersionedFiles(folder: string): Promise<readonly VersionedFile[]> {
	const deployment = toDeploymentFile(folder);
	const workspaces = await listWorkspaces(folder, deployment);
	const toFile = (path: string, kind: DatabaseKind, name?: string): VersionedFile => ({
		path,
		file: relative(folder, path),
		kind,
		...(name !== undefined && { name }),
		bytes: readFileSize(path),
		from: readDatabaseVersion(path),
		to: toNewestVersion(kind),
	});
	return [
		toFile(deployment, "deployment"),
		...workspaces.map(({ id, name }) =>
			toFile(toWorkspaceFile(toWorkspacesFolder(folder), id), "workspace", name),
		),
	];
}

/** A copy has no log, and no other process writes to it. */
const listWorkspaces = (folder: string, deployment: string) =>
	withWorkFolder(folder, async (work) => {
		const copy = join(work, "deployment.sqlite");
		await copyDatabase(deployment, copy);
		return listWorkspacesIn(copy);
	});

/** Runs work with a folder of its own on the disk of a data folder; it is removed after that. */
export async function withWorkFolder<Result>(
	dataFolder: string,
	work: (folder: string) => Promise<Result>,
): Promise<Result> {
	const folder = await mkdtemp(join(dataFolder, ".upgrade-"));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
