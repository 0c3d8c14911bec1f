import type { RequestStream, UploadProgress } from "../client";
import { createIdempotencyKey, redirectModeForStreams } from "../http/platform";
import { type MultipartContent, sumSizes, toMultipart } from "./multipart";
import { type PartReader, readPart } from "./part-reader";
import { isReadOnce } from "./upload-content";
import type { UploadParts } from "./upload-request";

/** Hint for cases in which another try would have helped. */
export const READ_ONCE_HINT =
	"A stream can be read only once, so it was not sent again: upload again with a new stream, or pass a Blob, bytes or `fileFromPath`.";

/** A form that is made as it is sent: it is read as far ahead as the connection takes it, and no further. */
export class UploadStream implements RequestStream {
	readonly type: string;
	readonly redirect = redirectModeForStreams();
	/** Some of it can be read once, and no more. */
	readonly isReadOnce: boolean;
	/** Error that stopped the body from being made, if there was one: the sender sees only a broken connection. */
	failed: { readonly error: unknown } | undefined;
	/** True where the upload would have been sent again if it could be read again. */
	wasRetryNeeded = false;
	readonly #contents: readonly MultipartContent[];
	readonly #onProgress: ((progress: UploadProgress) => void) | undefined;
	#reader: ContentsReader | undefined;

	constructor(parts: UploadParts, onProgress: ((progress: UploadProgress) => void) | undefined) {
		const boundary = `stemma-${createIdempotencyKey()}`;
		this.type = `multipart/form-data; boundary=${boundary}`;
		this.isReadOnce = parts.files.some(({ content }) => isReadOnce(content));
		this.#contents = toMultipart(parts, boundary);
		this.#onProgress = onProgress;
	}

	open(): ReadableStream<Uint8Array> {
		if (this.failed !== undefined) throw this.failed.error;
		if (this.#reader !== undefined && this.isReadOnce) {
			this.wasRetryNeeded = true;
			throw new Error(READ_ONCE_HINT);
		}
		this.close();
		const reader = readAll(this.#contents);
		this.#reader = reader;
		const total = sumSizes(this.#contents);
		let loaded = 0;
		return new ReadableStream<Uint8Array>(
			{
				pull: async (controller) => {
					try {
						const chunk = await reader.read();
						// What came before has gone out.
						if (loaded > 0) this.#onProgress?.({ loaded, total: chunk === undefined ? loaded : total });
						if (chunk === undefined) return controller.close();
						loaded += chunk.byteLength;
						controller.enqueue(chunk);
					} catch (error) {
						if (!reader.isClosed) this.failed ??= { error };
						throw error;
					}
				},
				cancel: reader.cancel,
			},
			{ highWaterMark: 0 },
		);
	}

	/** Stops reading. */
	close(): void {
		this.#reader?.cancel();
	}
}

interface ContentsReader extends PartReader {
	readonly isClosed: boolean;
}

/** One after the other. */
function readAll(contents: readonly MultipartContent[]): ContentsReader {
	let index = 0;
	let isClosed = false;
	let reader: PartReader | undefined;

	async function read(): Promise<Uint8Array | undefined> {
		const content = contents[index];
		if (content === undefined) return undefined;
		reader ??= readPart(content);
		const chunk = await reader.read();
		// A source that is let go of looks as if it had ended.
		if (isClosed) throw new Error("The upload was cancelled.");
		if (chunk !== undefined && chunk.byteLength > 0) return chunk;
		if (chunk === undefined) {
			reader = undefined;
			index += 1;
		}
		return read();
	}

	return {
		read,
		cancel() {
			isClosed = true;
			reader?.cancel();
			// What was not begun holds on to something, too.
			for (const next of contents.slice(reader === undefined ? index : index + 1))
				if (isReadOnce(next.content)) readPart(next).cancel();
		},
		get isClosed() {
			return isClosed;
		},
	};
}
