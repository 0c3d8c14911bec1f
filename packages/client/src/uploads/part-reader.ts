import { ConfigurationError, isStemmaError } from "@stemma/core/errors";
import { type ContentReader, openContent } from "./upload-content";
import type { UploadPart } from "./upload-request";

/** Reads one file of an upload. */
export interface PartReader {
	/**
	 * The next piece; `undefined` after the last.
	 *
	 * @throws ConfigurationError that names the field, where it cannot be read.
	 */
	read(): Promise<Uint8Array | undefined>;
	/** Lets go of what is read, however far it got. */
	cancel(): void;
}

export function readPart({ content, field }: Pick<UploadPart, "content" | "field">): PartReader {
	let reader: ContentReader | undefined;
	const open = (): ContentReader => {
		reader ??= openContent(content);
		return reader;
	};
	const cancel = async (): Promise<unknown> => open().cancel();
	return {
		async read() {
			try {
				const { done, value } = await open().read();
				if (done === true) return undefined;
				// A copy: whoever makes the pieces may use the buffer again before this one has gone out.
				if (ArrayBuffer.isView(value))
					return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
			} catch (error) {
				throw isStemmaError(error) ? error : createUnreadableError(field, "cannot be read to its end", error);
			}
			throw createUnreadableError(field, "yields chunks that are not bytes (Uint8Array)");
		},
		cancel: () => void cancel().catch(() => undefined),
	};
}

const createUnreadableError = (field: string, problem: string, cause?: unknown): ConfigurationError =>
	new ConfigurationError(`\`${field}\` ${problem}.`, {
		code: "file_unreadable",
		...(cause === undefined ? {} : { hint: "`cause` has what its source says.", cause }),
	});
