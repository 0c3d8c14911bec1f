import { randomFill } from "node:crypto";
import { lstatSync, rmSync, statfsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** File that takes space so that there is some to give back when the disk is full: deletions need a little to begin with. */
export interface Ballast {
	/** Size of the file, whether it is there or not. */
	readonly bytes: number;
	/** Bytes that it takes now: all of them, or 0. */
	readonly heldBytes: number;
	/** Writes the file. @throws where there is no space. */
	create(): Promise<void>;
	/** Gives its space back. */
	release(): void;
}

const toBallastFile = (dataFolder: string): string => join(dataFolder, "ballast");

/** Gives the ballast of any size back where the disk is all but full: for commands that write without a service. */
export function releaseBallastIfFull(dataFolder: string): void {
	const file = toBallastFile(dataFolder);
	const bytes = lstatSync(file, { throwIfNoEntry: false })?.size;
	if (bytes === undefined) return;
	const { bavail, bsize } = statfsSync(dataFolder);
	if (bavail * bsize < bytes / 2) rmSync(file, { force: true });
}

const fillRandom = promisify<Buffer, Buffer>(randomFill);

const CHUNK_BYTES = 1024 * 1024;

/** @param bytes - 0: there is none. */
export function createBallast(dataFolder: string, bytes: number): Ballast {
	const file = toBallastFile(dataFolder);
	let heldBytes = lstatSync(file, { throwIfNoEntry: false })?.size === bytes ? bytes : 0;
	function release(): void {
		rmSync(file, { force: true });
		heldBytes = 0;
	}
	return {
		bytes,
		get heldBytes() {
			return heldBytes;
		},
		async create() {
			release();
			if (bytes === 0) return;
			try {
				await writeRandomBytes(file, bytes);
				heldBytes = bytes;
			} catch (error) {
				release();
				throw error;
			}
		},
		release,
	};
}

/** Random bytes: file systems that compress would store anything else in no space at all. */
async function writeRandomBytes(file: string, bytes: number): Promise<void> {
	const handle = await open(file, "wx", 0o600);
	const chunk = Buffer.alloc(Math.min(bytes, CHUNK_BYTES));
	try {
		for (let left = bytes; left > 0; left -= CHUNK_BYTES)
			await handle.write(await fillRandom(chunk), 0, Math.min(left, CHUNK_BYTES));
	} finally {
		await handle.close();
	}
}
