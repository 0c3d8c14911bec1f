import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TarHeader } from "modern-tar";
import { type ReadArchive, type ReadArchiveOptions, readArchive } from "./read-archive";
import { requireFreeSpace } from "./require-free-space";
import type { ArchivePart } from "./write-archive";

/**
 * Extracts an archive into a folder. Refuses what {@link readArchive} refuses, and what the folder's disk has no room for.
 *
 * @throws ArchiveError as `readArchive`; `archive_no_space`
 */
export const extractArchive = (
	file: string,
	folder: string,
	options: ReadArchiveOptions,
): Promise<ReadArchive> =>
	readArchive(file, options, async (header, body) => {
		requireFreeSpace(folder, header.size, `The entry ${header.name}`);
		return extractEntry(header, body, folder, options.signal);
	});

async function extractEntry(
	{ name, size }: TarHeader,
	body: AsyncIterable<Uint8Array>,
	folder: string,
	signal: AbortSignal | undefined,
): Promise<ArchivePart> {
	const target = join(folder, name);
	await mkdir(dirname(target), { recursive: true, mode: 0o700 });
	const handle = await open(target, "wx", 0o600);
	try {
		const hash = createHash("sha256");
		let bytes = 0;
		for await (const piece of body) {
			signal?.throwIfAborted();
			hash.update(piece);
			await writeAll(handle, piece);
			bytes += piece.byteLength;
		}
		if (bytes !== size) throw new Error(`The entry ${name} is cut off.`);
		await handle.sync();
		return { path: name, bytes, sha256: hash.digest("hex") };
	} finally {
		await handle.close();
	}
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
	for (let done = 0; done < bytes.byteLength; )
		done += (await handle.write(bytes, done, bytes.byteLength - done)).bytesWritten;
}
