import type { DroppedFile } from "./upload-queue";

/** Files of what was dropped, folders with all that is in them. Hidden files are left out. */
export async function readDroppedFiles({ items, files }: DataTransfer): Promise<readonly DroppedFile[]> {
	// The list is empty after the event, so all entries are taken at once.
	const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
	if (entries.length === 0) return toDroppedFiles(files);
	return (await Promise.all(entries.map(readEntry))).flat();
}

/** Files of a field. */
export const toDroppedFiles = (files: Iterable<File>): readonly DroppedFile[] =>
	[...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

async function readEntry(entry: FileSystemEntry): Promise<readonly DroppedFile[]> {
	if (entry.name.startsWith(".")) return [];
	if (isFile(entry)) {
		const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
		return [{ file, path: entry.fullPath.replace(/^\//, "") }];
	}
	if (!isFolder(entry)) return [];
	const entries = await readFolder(entry.createReader());
	return (await Promise.all(entries.map(readEntry))).flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A reader gives the entries of a folder in batches; the last one is empty. */
async function readFolder(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
	const all: FileSystemEntry[] = [];
	for (;;) {
		const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
			reader.readEntries(resolve, reject),
		);
		if (batch.length === 0) return all;
		all.push(...batch);
	}
}
