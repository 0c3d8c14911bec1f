import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { createId } from "../../create-id";
import type { ByteAccount, ByteBudget } from "../../fairness/byte-budget";
import type { DiskSpace } from "../../storage/disk-space";
import { toFileError } from "../storage-error";
import { preparePrivateFolder } from "./private-files";

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
	/** Written so far. */
	readonly bytes: number;
	/** Throws where so many bytes would not be taken now. @throws DomainError `too_many_bytes`; StorageError `storage_full` */
	checkSpace(bytes: number): void;
	/** Starts content at the end of the file. Contents are written one after another. */
	startContent(): SpoolWriter;
	/** Deletes the file, and gives its bytes back to the budget in any case. Never rejects. May be called again. */
	delete(): Promise<void>;
}

export interface SpoolWriter {
	/** Appends to the content. @throws DomainError `too_many_bytes`; StorageError */
	write(bytes: Uint8Array): Promise<void>;
	/** Ends the content. */
	end(): SpooledContent;
}

/** Content in a spool file. */
export interface SpooledContent {
	readonly path: string;
	/** Position of its first byte. */
	readonly offset: number;
	/** Size in bytes. */
	readonly size: number;
	/** SHA-256 hash in hexadecimal digits. */
	readonly sha256: string;
}

export interface SpoolOptions {
	readonly budget: ByteBudget;
	/** Asked while contents are written: bodies need not announce their length, and many are on their way at once. */
	readonly disk: Pick<DiskSpace, "assertSpace">;
	/** Called with the error of a file that could not be deleted: the next start deletes it. */
	readonly onError: (error: unknown) => void;
}

/** Opens the spool of a data folder and deletes what a process that was killed left there. */
export async function openSpool(dataFolder: string, { budget, disk, onError }: SpoolOptions): Promise<Spool> {
	const folder = join(dataFolder, "spool");
	await withStorageError(folder, rm(folder, { recursive: true, force: true }));
	preparePrivateFolder(folder);
	const space: SpoolSpace = { assertSpace: disk.assertSpace, reserve: createDiskReservations(disk) };
	return {
		async create(workspaceId) {
			const path = join(folder, createId("up"));
			const file = await withStorageError(path, open(path, "wx", 0o600));
			return toSpoolFile({ path, file, account: budget.open(workspaceId), space, onError });
		},
	};
}

/** Bytes of all files together that are written between two looks at the disk. */
const DISK_RESERVATION_BYTES = 1024 * 1024;

/** Makes sure that bytes which are about to be written find room, by one look at the disk for many small writes. */
function createDiskReservations({ assertSpace }: Pick<DiskSpace, "assertSpace">): (bytes: number) => void {
	let reserved = 0;
	return (bytes) => {
		if (bytes > reserved) {
			assertSpace(bytes + DISK_RESERVATION_BYTES);
			reserved = bytes + DISK_RESERVATION_BYTES;
		}
		reserved -= bytes;
	};
}

interface SpoolSpace extends Pick<DiskSpace, "assertSpace"> {
	reserve(bytes: number): void;
}

interface SpoolFileOptions extends Pick<SpoolOptions, "onError"> {
	readonly path: string;
	readonly file: FileHandle;
	readonly account: ByteAccount;
	readonly space: SpoolSpace;
}

function toSpoolFile({ path, file, account, space, onError }: SpoolFileOptions): SpoolFile {
	let isDeleted = false;
	const report = (error: unknown): void => onError(toFileError(error, path));
	return {
		get bytes() {
			return account.bytes;
		},
		checkSpace(bytes) {
			account.check(bytes);
			space.assertSpace(bytes);
		},
		startContent() {
			const offset = account.bytes;
			const hash = createHash("sha256");
			return {
				async write(bytes) {
					const position = account.bytes;
					space.reserve(bytes.byteLength);
					account.add(bytes.byteLength);
					hash.update(bytes);
					await withStorageError(path, writeAll(file, bytes, position));
				},
				end: () => ({ path, offset, size: account.bytes - offset, sha256: hash.digest("hex") }),
			};
		},
		async delete() {
			if (isDeleted) return;
			isDeleted = true;
			await file.close().catch(report);
			await rm(path, { force: true }).catch(report);
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

async function withStorageError<Result>(path: string, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		throw toFileError(error, path);
	}
}
