/** Folder, and how many sources it has on its own level. */
export interface MeasuredFolder {
	readonly folder: string;
	readonly files: number;
}

/** Folders of these files, the fullest first. */
export function measureFolders(paths: readonly string[]): MeasuredFolder[] {
	const counts = new Map<string, number>();
	for (const path of paths) {
		const folder = path.slice(0, path.lastIndexOf("/"));
		counts.set(folder, (counts.get(folder) ?? 0) + 1);
	}
	return [...counts]
		.map(([folder, files]) => ({ folder, files }))
		.sort((one, other) => other.files - one.files || one.folder.localeCompare(other.folder));
}
