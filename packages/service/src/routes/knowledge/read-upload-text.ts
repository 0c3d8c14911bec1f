import { assertContentLength, assertJsonLimits, bodyTooLarge } from "@stemma/protocol";
import { DomainError } from "../../errors/domain-error";
import { createJsonTextSplitter, RepeatedFieldError } from "../../http/body/json-text-splitter";
import { readChunks, waitForMainThread } from "../../http/body/read-body";
import type { ServiceContext } from "../../http/service-context";
import type { SpooledContent, SpoolFile } from "../../store/data-folder/spool";

/** Bytes of the fields of a JSON upload beside its text. */
export const MAX_OTHER_FIELDS_BYTES = 256 * 1024;

export interface UploadText {
	/** The body, with at most one character in the place of its `text`. */
	readonly json: unknown;
	readonly content: SpooledContent;
}

export interface ReadUploadTextOptions {
	/** Maximum size of the text. */
	readonly maxBytes: number;
	/** Gets the text as it comes. */
	readonly spool: SpoolFile;
}

/**
 * The body of a JSON upload, without its `text` ever being in memory.
 *
 * @throws DomainError `body_too_large`, `invalid_json`, `invalid_request`, `too_many_bytes`.
 */
export async function readUploadText(
	context: ServiceContext,
	{ maxBytes, spool }: ReadUploadTextOptions,
): Promise<UploadText> {
	// A character of JSON takes up to 6 bytes, but hardly ever does.
	assertContentLength(context.req.header("content-length"), 1.5 * maxBytes);
	const decoder = new TextDecoder("utf-8", { fatal: true });
	const splitter = createJsonTextSplitter("text");
	const writer = spool.startContent();
	let size = 0;
	const store = async (piece: string): Promise<void> => {
		const text = withJsonErrors(() => splitter.push(piece));
		if (!text.isWellFormed()) throw unpairedSurrogate();
		if (splitter.restLength > MAX_OTHER_FIELDS_BYTES) throw bodyTooLarge(MAX_OTHER_FIELDS_BYTES);
		const bytes = Buffer.from(text);
		size += bytes.byteLength;
		if (size > maxBytes) throw bodyTooLarge(maxBytes);
		if (bytes.byteLength > 0) await writer.write(bytes);
	};
	for await (const chunk of readChunks(context)) {
		await waitForMainThread(context);
		await store(withJsonErrors(() => decoder.decode(chunk, { stream: true })));
	}
	await store(withJsonErrors(() => decoder.decode()));
	const rest = splitter.rest();
	assertJsonLimits(rest, "The body");
	return { json: withJsonErrors(() => JSON.parse(rest) as unknown), content: writer.end() };
}

function withJsonErrors<Result>(read: () => Result): Result {
	try {
		return read();
	} catch (error) {
		if (error instanceof RepeatedFieldError)
			throw new DomainError("invalid_request", '"text" occurs more than once.', { param: "text" });
		const isText = error instanceof SyntaxError;
		throw new DomainError("invalid_json", isText ? "The body is not JSON." : "The body is not UTF-8.");
	}
}

const unpairedSurrogate = (): DomainError =>
	new DomainError(
		"invalid_request",
		'"text" holds half of a character (a lone surrogate), which is no text.',
		{
			param: "text",
		},
	);
