import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from "yauzl";
import { UnreadableError } from "../unreadable-error";
import { assertNotCompoundFile } from "./compound-file";
import { inflateEntry } from "./inflate-entry";
import { DEFAULT_ZIP_LIMITS, type ZipLimits } from "./zip-limits";

/** Zip container of a document, such as `.docx` or `.epub`. Its names are labels: nothing is written to a disk. */
export interface ZipContainer {
	/** Names of its files, with `/` between folders. Names with `..` and symbolic links are left out. */
	readonly names: readonly string[];
	/**
	 * Unpacked bytes of a file; none where there is no such file. Letters match in either case.
	 *
	 * @throws UnreadableError where it is damaged, encrypted, or larger than the limits.
	 */
	find(name: string): Promise<Uint8Array | undefined>;
	/** Size of a file when it is unpacked, in bytes; none where there is no such file. */
	sizeOf(name: string): number | undefined;
	/** @throws UnreadableError also where there is no such file. */
	get(name: string): Promise<Uint8Array>;
}

/** Size of the header before each entry's data, without its name. */
const LOCAL_HEADER_BYTES = 30;

/**
 * Opens a zip container, and checks its directory.
 *
 * @throws UnreadableError where it is none, is damaged, or is built to grow when it is unpacked; with the code
 * `password_protected` for an encrypted office file.
 */
export async function openZip(bytes: Uint8Array, limits: Partial<ZipLimits> = {}): Promise<ZipContainer> {
	const { maxEntries, maxEntryBytes, maxTotalBytes } = { ...DEFAULT_ZIP_LIMITS, ...limits };
	assertNotCompoundFile(bytes);
	const buffer = withoutPadding(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	const { zip, entries } = await readDirectory(buffer, maxEntries);
	const byLowerCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]));
	let unpackedBytes = 0;

	async function find(name: string): Promise<Uint8Array | undefined> {
		const entry = entries.get(name) ?? byLowerCase.get(name.toLowerCase());
		if (entry === undefined) return undefined;
		unpackedBytes += entry.uncompressedSize;
		if (entry.uncompressedSize > maxEntryBytes || unpackedBytes > maxTotalBytes)
			throw new UnreadableError("it is too large when it is unpacked", { code: "too_complex" });
		const { fileDataStart } = await zip
			.readLocalFileHeaderPromise(entry, { minimal: true })
			.catch(throwDamaged);
		return inflateEntry(entry, buffer.subarray(fileDataStart, fileDataStart + entry.compressedSize));
	}

	return {
		names: [...entries.keys()],
		sizeOf: (name) => entries.get(name)?.uncompressedSize,
		find,
		async get(name) {
			const content = await find(name);
			if (content === undefined) throw new UnreadableError(`its part ${name} is missing`);
			return content;
		},
	};
}

/** First bytes of the record that ends a container (APPNOTE 4.3.16), its size, and where it holds the length of its comment. */
const END_SIGNATURE = Buffer.from("504b0506", "hex");
const END_BYTES = 22;
const COMMENT_LENGTH_OFFSET = 20;

/** The container without what follows its end, as disks and mail programs add. */
function withoutPadding(buffer: Buffer): Buffer {
	const end = buffer.lastIndexOf(END_SIGNATURE);
	if (end === -1 || end + END_BYTES > buffer.length) return buffer;
	return buffer.subarray(0, end + END_BYTES + buffer.readUInt16LE(end + COMMENT_LENGTH_OFFSET));
}

interface ZipDirectory {
	readonly zip: ZipFile;
	readonly entries: ReadonlyMap<string, Entry>;
}

async function readDirectory(buffer: Buffer, maxEntries: number): Promise<ZipDirectory> {
	// Names are decoded here: one that the library refuses would hide all others.
	const zip = await fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false }).catch(
		throwDamaged,
	);
	if (zip.entryCount > maxEntries)
		throw new UnreadableError(`it is a container of more than ${maxEntries.toLocaleString("en")} files`, {
			code: "too_complex",
		});
	const entries: Entry[] = [];
	try {
		for await (const entry of zip.eachEntry()) entries.push(entry);
	} catch (error) {
		throwDamaged(error);
	}
	assertNoOverlap(entries);
	const byName = new Map<string, Entry>();
	for (const entry of entries) {
		const name = toName(entry);
		if (name !== undefined && !byName.has(name)) byName.set(name, entry);
	}
	return { zip, entries: byName };
}

/** Entries that share their data are how a small file becomes a huge one. */
function assertNoOverlap(entries: readonly Entry[]): void {
	let end = 0;
	const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
	for (const { relativeOffsetOfLocalHeader: start, compressedSize } of inOrder) {
		if (start < end) throw new UnreadableError("its container is damaged (two of its files overlap)");
		end = start + LOCAL_HEADER_BYTES + compressedSize;
	}
}

/** Kinds of files in the upper half of the attributes that Unix writes. */
const FILE_KIND_MASK = 0o170000;
const SYMBOLIC_LINK = 0o120000;

const isLink = ({ externalFileAttributes }: Entry): boolean =>
	((externalFileAttributes >>> 16) & FILE_KIND_MASK) === SYMBOLIC_LINK;

/** Name of a file; none for folders, links, and names that climb. */
function toName(entry: Entry): string | undefined {
	if (isLink(entry)) return undefined;
	const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
	const raw = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
	const name = raw.replaceAll("\\", "/").replace(/^\/+/u, "");
	return name === "" || name.endsWith("/") || name.split("/").includes("..") ? undefined : name;
}

function throwDamaged(error: unknown): never {
	throw new UnreadableError("its container (zip) is damaged or incomplete", { cause: error });
}
