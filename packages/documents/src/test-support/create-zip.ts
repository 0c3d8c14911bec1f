import { crc32, deflateRawSync } from "node:zlib";

/** One file of a container that a test makes; what differs from its content is a lie that a reader has to notice. */
export interface ZipTestFile {
	readonly name: string;
	readonly content: string | Uint8Array;
	/** Size that the directory says. Default: that of the content. */
	readonly declaredSize?: number;
	/** Checksum that the directory says. Default: that of the content. */
	readonly checksum?: number;
	readonly flags?: number;
	/** Default 8, deflated; 0 is stored. */
	readonly method?: number;
	/** Offset of its data that the directory says. */
	readonly offset?: number;
}

/** Zip container of files, as office programs write them. */
export function createZip(
	files: Readonly<Record<string, string | Uint8Array>> | readonly ZipTestFile[],
): Buffer {
	const list = Array.isArray(files)
		? (files as readonly ZipTestFile[])
		: Object.entries(files).map(([name, content]) => ({ name, content }));
	const bodies: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const file of list) {
		const [body, entry] = toEntry(file, offset);
		bodies.push(body);
		directory.push(entry);
		offset += body.length;
	}
	const directoryLength = directory.reduce((sum, { length }) => sum + length, 0);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(Math.min(list.length, 0xffff), 8);
	end.writeUInt16LE(Math.min(list.length, 0xffff), 10);
	end.writeUInt32LE(directoryLength, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...bodies, ...directory, end]);
}

function toEntry(file: ZipTestFile, offset: number): [body: Buffer, entry: Buffer] {
	const content = Buffer.from(file.content);
	const method = file.method ?? 8;
	const data = method === 8 ? deflateRawSync(content) : content;
	const name = Buffer.from(file.name);
	// Version, flags, method, time, date, checksum, sizes, length of the name, no extra fields: the same in both headers.
	const fields = Buffer.alloc(26);
	fields.writeUInt16LE(20, 0);
	fields.writeUInt16LE(file.flags ?? 0x800, 2);
	fields.writeUInt16LE(method, 4);
	fields.writeUInt32LE(file.checksum ?? crc32(content), 10);
	fields.writeUInt32LE(data.length, 14);
	fields.writeUInt32LE(file.declaredSize ?? content.length, 18);
	fields.writeUInt16LE(name.length, 22);
	const rest = Buffer.alloc(14);
	rest.writeUInt32LE(file.offset ?? offset, 10);
	return [
		Buffer.concat([Buffer.from("PK\x03\x04"), fields, name, data]),
		Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), fields, rest, name]),
	];
}
