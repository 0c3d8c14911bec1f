/** A `File` or `Blob`, bytes, a stream of bytes, a file of `fileFromPath`, or what React Native's pickers give. */
export type FileContent = Blob | Uint8Array | StreamedContent | NativeFile;

/** A stream is read once: an upload of one is not tried again. */
export type StreamedContent = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | LazyContent;

/** Content that is read when it is sent, and anew for each try. */
export interface LazyContent {
	/** Size in bytes, where it is known. */
	readonly size?: number;
	open(): ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface NativeFile {
	readonly uri: string;
	readonly name?: string | null;
	readonly type?: string | null;
}

/** Reads content piece by piece. */
export interface ContentReader {
	read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
	/** Lets go of what is read. */
	cancel(): unknown;
}

/** Checks for content that can be uploaded. Without type checks, a form would send "undefined" or "[object Object]". */
export const isFileContent = (content: unknown): content is FileContent =>
	typeof content === "object" &&
	content !== null &&
	(ArrayBuffer.isView(content) ||
		isStreamed(content) ||
		"uri" in content ||
		("size" in content && "type" in content));

export const isStreamed = (content: object): content is StreamedContent =>
	isReadOnce(content) || "open" in content;

/** Checks for content that can be read only once: its upload is not tried again. */
export const isReadOnce = (content: object): boolean =>
	"getReader" in content || Symbol.asyncIterator in content;

/** Returns the size in bytes; `undefined` where it is not known. */
export const sizeOf = (content: FileContent): number | undefined =>
	ArrayBuffer.isView(content) ? content.byteLength : "size" in content ? content.size : undefined;

/** Begins to read. */
export function openContent(content: FileContent): ContentReader {
	if (ArrayBuffer.isView(content)) return openContent(toChunks(content));
	if ("getReader" in content) return content.getReader();
	if (Symbol.asyncIterator in content) {
		const chunks = content[Symbol.asyncIterator]();
		return { read: () => chunks.next(), cancel: () => chunks.return?.() };
	}
	// After the streams: those that Node makes of files have an `open`, too.
	if ("open" in content) return openContent(content.open());
	if ("stream" in content) return content.stream().getReader();
	throw new Error("Only React Native reads a file from its `uri`.");
}

const CHUNK_BYTES = 65_536;

/** Pieces, so that progress can be told. */
async function* toChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES)
		yield bytes.subarray(start, start + CHUNK_BYTES);
}
