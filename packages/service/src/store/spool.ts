import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { createNewId } from "../auth/new-id";
import type { ByteAccount, ByteBudget } from "../fairness/byte-budget";
import { preparePrivateFolder } from "./private-files";
import { toFileError } from "./storage-error";

/** Folder in the data folder that holds the content of uploads until the store has it: on the disk, not in memory. */
export interface Spool {
	/**
	 * Creates an empty file for one request, which has to delete it.
	 *
	 * @throws StorageError
	 */
	create(workspaceId: string): Promise<SpoolFile>;
}

/** File of one request, readable by the service's user alone. */
export interface SpoolFile {
	/** Throws where so many bytes would not be taken now. @throws ApiError `too_many_bytes` */
	checkRoom(bytes: number): void;
	/** Starts content at the end of the file. Contents are written one after another. */
	startContent(): SpoolWriter;
	/** Deletes the file. May be called again. */
	delete(): Promise<void>;
}

export interface SpoolWriter {
	/** Appends to the content. @throws ApiError `too_many_bytes`; StorageError */
	write(bytes: Uint8Array): Promise<void>;
	/** Ends the content. */
	end(): SpooledContent;
}

/** Content in a spool file. */
export interface SpooledContent {
	readonly path: string;
	/** Position of its first byte. */
	readonly offset: number;
	/** In bytes. */
	readonly size: number;
	/** In hexadecimal digits. */
	readonly sha256: string;
}

/** Opens the spool of a data folder and deletes what a process that was killed left there. */
export async function openSpool(dataFolder: string, budget: ByteBudget): Promise<Spool> {
	const folder = join(dataFolder, "spool");
	await orStorageError(folder, rm(folder, { recursive: true, force: true }));
	preparePrivateFolder(folder);
	return {
		async create(workspaceId) {
			const path = join(folder, createNewId("up"));
			return toSpoolFile(path, await orStorageError(path, open(path, "wx", 0o600)), budget.open(workspaceId));
		},
	};
}

function toSpoolFile(path: string, file: FileHandle, account: ByteAccount): SpoolFile {
	let isDeleted = false;
	return {
		checkRoom: (bytes) => account.check(bytes),
		startContent() {
			const offset = account.bytes;
			const hash = createHash("sha256");
			return {
				async write(bytes) {
					const position = account.bytes;
					account.add(bytes.byteLength);
					hash.update(bytes);
					await orStorageError(path, writeAll(file, bytes, position));
				},
				end: () => ({ path, offset, size: account.bytes - offset, sha256: hash.digest("hex") }),
			};
		},
		async delete() {
			if (isDeleted) return;
			isDeleted = true;
			await file.close();
			await rm(path, { force: true });
			account.release();
		},
	};
}

/** The system may take less than it is given. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
	for (let done = 0; done < bytes.byteLength; ) {
		const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
		done += bytesWritten;
	}
}

async function orStorageError<Result>(path: string, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		throw toFileError(error, path);
	}
}
