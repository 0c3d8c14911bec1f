import { statfsSync } from "node:fs";
import type { ServiceWarning } from "@stemma/client";
import { formatBytes } from "@stemma/core/internal";
import type { Logger } from "pino";
import { StorageError } from "../store/storage-error";
import { createBallast } from "./ballast";

/** Space of the disk that holds the data folder. A reserve of it is kept for tokens, deletions and settings. */
export interface DiskSpace {
	/**
	 * Asserts that there is space before something is stored that takes space: uploads, agents, new runs.
	 *
	 * @param bytes - how much it takes, as far as that is known.
	 * @throws StorageError `storage_full` where less than the reserve would be left.
	 */
	assertSpace(bytes?: number): void;
	/** Frees the ballast where the disk is almost full. Call it before every write. Never throws. */
	prepareWrite(): void;
	/** Looks how much is left: logs what has changed, and makes the ballast again once there is room for it. */
	check(): Promise<void>;
	/** Measures the free space, and names the reserve. */
	readSpace(): FreeSpace;
	/** Warning for `/readyz`; none where more than the reserve is left. */
	listWarnings(): readonly ServiceWarning[];
}

/** Free space of a disk, in bytes. */
export interface FreeSpace {
	/** Free space with that of the ballast, which is there to be given back. */
	readonly freeBytes: number;
	/** Space below which nothing is stored that takes some. */
	readonly reserveBytes: number;
}

export interface DiskSpaceOptions {
	/** Default: 5 % of the disk, and 256 MiB at the most. 0: no reserve, and no ballast. */
	readonly reserveBytes?: number | undefined;
	readonly logger: Pick<Logger, "warn" | "info">;
}

const MEBIBYTE = 1024 * 1024;
/** Maximum of the default reserve. */
export const MAX_RESERVE_BYTES = 256 * MEBIBYTE;
const RESERVE_SHARE = 0.05;
const MAX_BALLAST_BYTES = 8 * MEBIBYTE;
/**
 * Share of the reserve that the ballast takes. Less than the reserve is free after the ballast was freed: only tokens,
 * deletions and settings may use it.
 */
const BALLAST_SHARE = 0.25;

export const STORAGE_LOW = "storage_low";

export function createDiskSpace(dataFolder: string, { reserveBytes, logger }: DiskSpaceOptions): DiskSpace {
	const reserve =
		reserveBytes ?? Math.min(MAX_RESERVE_BYTES, Math.floor(readTotal(dataFolder) * RESERVE_SHARE));
	const ballast = createBallast(dataFolder, Math.min(MAX_BALLAST_BYTES, Math.floor(reserve * BALLAST_SHARE)));
	let isBelowReserve = false;
	let hasFailed = false;
	/** The ballast counts as free: it is there to be given back. */
	const countFreeBytes = (): number => readFree(dataFolder) + ballast.heldBytes;

	/** Every write comes by: what fails here is in the log, and whether the write can be done is for the write to find out. */
	function prepareWrite(): void {
		try {
			releaseBallastIfFull();
			hasFailed = false;
		} catch (error) {
			if (!hasFailed)
				logger.warn(
					{ err: error },
					"the disk of the data folder cannot be looked at, or its ballast released",
				);
			hasFailed = true;
		}
	}

	function releaseBallastIfFull(): void {
		if (ballast.heldBytes === 0 || readFree(dataFolder) >= ballast.bytes / 2) return;
		ballast.release();
		logger.warn(
			{ code: STORAGE_LOW, bytes: ballast.bytes },
			"the disk of the data folder is full: space that was kept for it is given back, for deletions, tokens and settings; free some space",
		);
	}

	return {
		prepareWrite,
		assertSpace(bytes = 0) {
			if (countFreeBytes() - bytes >= reserve) return;
			prepareWrite();
			throw storageFullError(reserve);
		},
		async check() {
			prepareWrite();
			const freeBytes = countFreeBytes();
			if (freeBytes < reserve !== isBelowReserve) {
				isBelowReserve = !isBelowReserve;
				if (isBelowReserve)
					logger.warn({ code: STORAGE_LOW, free: freeBytes, reserve }, describeLow(freeBytes, reserve));
				else logger.info({ free: freeBytes }, "the disk of the data folder has room again");
			}
			if (ballast.heldBytes < ballast.bytes && freeBytes >= reserve + ballast.bytes) await ballast.create();
		},
		readSpace: () => ({ freeBytes: countFreeBytes(), reserveBytes: reserve }),
		listWarnings() {
			const freeBytes = countFreeBytes();
			return freeBytes >= reserve ? [] : [{ code: STORAGE_LOW, message: describeLow(freeBytes, reserve) }];
		},
	};
}

const storageFullError = (reserve: number): StorageError =>
	new StorageError(
		`The disk of the data folder has less than ${formatBytes(reserve)} left, which is kept for tokens, deletions and settings.`,
		{ code: "storage_full", hint: "Free some space on the disk, or lower limits.disk_reserve_bytes." },
	);

const describeLow = (freeBytes: number, reserve: number): string =>
	`The disk of the data folder has ${formatBytes(freeBytes)} left, less than the reserve of ${formatBytes(reserve)}: uploads, new agents and new runs are refused with 503 storage_full; reading, searching, tokens, deletions and settings still work. Free some space, or lower limits.disk_reserve_bytes.`;

function readFree(folder: string): number {
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize;
}

function readTotal(folder: string): number {
	const { blocks, bsize } = statfsSync(folder);
	return blocks * bsize;
}
