import { UnreadableError } from "../unreadable-error";

/** Offsets of the header (MS-CFB 2.2). */
const SECTOR_SHIFT = 30;
const FAT_SECTORS = 44;
const FIRST_DIRECTORY_SECTOR = 48;
const FIRST_MINI_FAT_SECTOR = 60;
const FIRST_DIFAT_SECTOR = 68;
const DIFAT = 76;
const DIFAT_IN_HEADER = 109;

/** Offsets of a directory entry (MS-CFB 2.6.1). */
const ENTRY_BYTES = 128;
const TYPE = 66;
const RELATIVES = [68, 72, 76];
const START = 116;
const SIZE = 120;

const ROOT = 5;
const STREAM = 2;
/** First number that is no sector but a mark: the end of a chain, a free sector (MS-CFB 2.1). */
const FIRST_MARK = 0xfffffffa;
/** Smaller streams are in the mini stream, in sectors of 64 bytes. */
const MINI_STREAM_CUTOFF = 4_096;
const MINI_SECTOR_BYTES = 64;

/**
 * Checks that all chains of sectors in a Compound File end, within the file, and that its directory is a tree: readers follow
 * them without looking.
 *
 * @throws UnreadableError
 */
export function assertSoundCompoundFile(bytes: Uint8Array): void {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		checkFile(view);
	} catch (error) {
		// Whatever is read beyond the end of the file.
		if (error instanceof RangeError) throw damaged(error);
		throw error;
	}
}

const damaged = (cause?: unknown): UnreadableError =>
	new UnreadableError("it is damaged (its sectors do not hold together)", { cause });

/** Sectors that follow one another, by the table of their successors. */
type Table = readonly number[];

function checkFile(view: DataView): void {
	const sectorBytes = 2 ** view.getUint16(SECTOR_SHIFT, true);
	if (sectorBytes !== 512 && sectorBytes !== 4_096) throw damaged();
	const readSector = (sector: number): number[] =>
		Array.from({ length: sectorBytes / 4 }, (_, index) =>
			view.getUint32((sector + 1) * sectorBytes + index * 4, true),
		);
	const sectors = Math.ceil(view.byteLength / sectorBytes);
	const fat = listFatSectors(view, readSector, sectors).flatMap(readSector);
	const miniFat = followChain(fat, view.getUint32(FIRST_MINI_FAT_SECTOR, true), sectors).flatMap(readSector);
	const directory = followChain(fat, view.getUint32(FIRST_DIRECTORY_SECTOR, true), sectors);
	const entries = directory.flatMap((sector) =>
		Array.from(
			{ length: sectorBytes / ENTRY_BYTES },
			(_, index) => (sector + 1) * sectorBytes + index * ENTRY_BYTES,
		),
	);
	for (const entry of entries) checkStream(view, entry, { fat, miniFat, sectorBytes });
	checkTree(view, entries);
}

/** Sectors of the table of successors: those in the header, then those in a chain of their own. */
function listFatSectors(
	view: DataView,
	readSector: (sector: number) => number[],
	sectors: number,
): readonly number[] {
	const count = view.getUint32(FAT_SECTORS, true);
	if (count > sectors) throw damaged();
	const found = Array.from({ length: DIFAT_IN_HEADER }, (_, index) =>
		view.getUint32(DIFAT + index * 4, true),
	);
	for (let next = view.getUint32(FIRST_DIFAT_SECTOR, true); next < FIRST_MARK && found.length < count; ) {
		const listed = readSector(next);
		next = listed.pop() ?? FIRST_MARK;
		found.push(...listed);
	}
	return found.slice(0, count).filter((sector) => sector < FIRST_MARK);
}

/** Sectors of a chain, from its first one. @throws UnreadableError where it has more than a number of them. */
function followChain(table: Table, start: number, maxLength: number): readonly number[] {
	const chain: number[] = [];
	for (let next = start; next < FIRST_MARK; next = table[next] ?? FIRST_MARK) {
		if (chain.length >= maxLength) throw damaged();
		chain.push(next);
	}
	return chain;
}

interface Tables {
	readonly fat: Table;
	readonly miniFat: Table;
	readonly sectorBytes: number;
}

function checkStream(view: DataView, entry: number, { fat, miniFat, sectorBytes }: Tables): void {
	const type = view.getUint8(entry + TYPE);
	const size = view.getUint32(entry + SIZE, true);
	if ((type !== STREAM && type !== ROOT) || size === 0) return;
	if (size > view.byteLength) throw damaged();
	const isMini = type === STREAM && size < MINI_STREAM_CUTOFF;
	const needed = Math.ceil(size / (isMini ? MINI_SECTOR_BYTES : sectorBytes));
	// Some programs leave sectors at the end of a chain; the end has to be there all the same.
	const table = isMini ? miniFat : fat;
	if (followChain(table, view.getUint32(entry + START, true), table.length).length < needed) throw damaged();
}

/** Checks that no entry of the directory is reached twice. */
function checkTree(view: DataView, entries: readonly number[]): void {
	const isReached = new Set<number>([0]);
	const waiting = entries.slice(0, 1);
	for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop())
		for (const offset of RELATIVES) {
			const relative = view.getUint32(entry + offset, true);
			if (relative >= FIRST_MARK) continue;
			const next = entries[relative];
			if (next === undefined || isReached.has(relative)) throw damaged();
			isReached.add(relative);
			waiting.push(next);
		}
}
