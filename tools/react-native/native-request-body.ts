import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";

/** What has come as a `Blob`, by its id. */
export type Blobs = Map<string, Buffer>;

/** A body as the app hands it over: one of these, or none. */
export interface NativeBody {
	readonly string?: string;
	readonly base64?: string;
	readonly uri?: string;
	readonly blob?: { readonly blobId: string };
	readonly formData?: readonly NativePart[];
}

/** A field of a form, or a file, which the platform itself reads from its address. */
interface NativePart {
	readonly string?: string;
	readonly uri?: string;
	readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface EncodedBody {
	readonly bytes: Buffer;
	/** Of a form, with its boundary. */
	readonly type?: string;
}

/** As Android's module writes it. */
export async function encodeBody(body: NativeBody, blobs: Blobs): Promise<EncodedBody | undefined> {
	const { string, base64, uri, blob, formData } = body;
	if (string !== undefined) return { bytes: Buffer.from(string) };
	if (base64 !== undefined) return { bytes: Buffer.from(base64, "base64") };
	if (uri !== undefined) return { bytes: await readFile(new URL(uri)) };
	if (blob !== undefined) return { bytes: blobs.get(blob.blobId) ?? Buffer.alloc(0) };
	return formData === undefined ? undefined : encodeForm(formData);
}

async function encodeForm(parts: readonly NativePart[]): Promise<EncodedBody> {
	const boundary = randomUUID();
	const pieces: Buffer[] = [];
	for (const { string = "", uri, headers } of parts) {
		const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
		pieces.push(Buffer.from(`--${boundary}\r\n${lines}\r\n`));
		pieces.push(uri === undefined ? Buffer.from(string) : await readFile(new URL(uri)), Buffer.from("\r\n"));
	}
	pieces.push(Buffer.from(`--${boundary}--\r\n`));
	return { bytes: Buffer.concat(pieces), type: `multipart/form-data; boundary=${boundary}` };
}
