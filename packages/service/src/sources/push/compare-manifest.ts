import { readFileName, readFilePath, toDirectoryId, toFileKey } from "./pushed-file";

/** File of a manifest: what a program outside has now. */
export interface ManifestFile {
	/** Folders, joined by `/`; empty for none. */
	readonly path: string;
	readonly filename: string;
	/** Text that changes with the content, most often its SHA-256. */
	readonly checksum: string;
}

/** Differences between a manifest and the files that were pushed before, as Open WebUI names them. */
export interface ManifestDifference {
	readonly added: readonly NamedFile[];
	readonly modified: readonly (NamedFile & { readonly stale_file_id: string })[];
	readonly deleted: readonly (NamedFile & { readonly file_id: string })[];
	/** Folders need not be made, and are gone with their last file. */
	readonly mkdir: readonly never[];
	readonly rmdir: readonly never[];
	readonly unmodified_count: number;
	/** Ids of all folders of the manifest, by their paths. */
	readonly directory_map: Readonly<Record<string, string>>;
}

interface NamedFile {
	readonly path: string;
	readonly filename: string;
}

/** Pushed file, as far as it is compared. */
export interface ComparedFile {
	readonly id: string;
	readonly key: string;
	readonly hash: string;
}

/**
 * Id in place of that of a changed file. Programs delete what it names before they send the new content: it names nothing,
 * so that the document stays until the new content replaces it.
 */
export const REPLACED_FILE_ID = "replaced";

/** Compares a manifest with the files that were pushed before. */
export function compareManifest(
	manifest: readonly ManifestFile[],
	files: readonly ComparedFile[],
): ManifestDifference {
	const known = new Map(files.map((file) => [file.key, file]));
	const added: NamedFile[] = [];
	const modified: ManifestDifference["modified"][number][] = [];
	let unmodified = 0;
	const listed = new Set<string>();
	for (const { path, filename, checksum } of manifest) {
		const key = toFileKey(path, filename);
		listed.add(key);
		const file = known.get(key);
		if (file === undefined) added.push({ path, filename });
		else if (file.hash === checksum) unmodified += 1;
		else modified.push({ path, filename, stale_file_id: REPLACED_FILE_ID });
	}
	const deleted = files
		.filter(({ key }) => !listed.has(key))
		.map(({ id, key }) => ({ file_id: id, path: readFilePath(key), filename: readFileName(key) }));
	return {
		...{ added, modified, deleted, mkdir: [], rmdir: [] },
		unmodified_count: unmodified,
		directory_map: toDirectoryMap(manifest),
	};
}

function toDirectoryMap(manifest: readonly ManifestFile[]): Readonly<Record<string, string>> {
	const paths = new Set<string>();
	for (const { path } of manifest)
		for (let rest = path; rest !== "" && !paths.has(rest); rest = readFilePath(rest)) paths.add(rest);
	return Object.fromEntries([...paths].sort().map((path) => [path, toDirectoryId(path)]));
}
