import { DocumentError } from "@stemma/documents";
import type { FetchLike } from "@stemma/routing/openai-compatible";
import {
	type ConvertedFile,
	type ExternalFile,
	type ExternalReader,
	readerFailedError,
	toReason,
} from "./external-reader";
import type { ReaderConfiguration, ReaderServer } from "./reader-configuration";

const MEBIBYTE = 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;

/** Creates a reader that sends each file to a server of the operator's choice. */
export const createServerReader = (
	reader: ReaderConfiguration,
	via: ReaderServer,
	fetch: FetchLike,
): ExternalReader => ({
	name: reader.name,
	async convert(file, signal) {
		const timeout = AbortSignal.timeout(reader.timeoutMs);
		const request = via.kind === "tika" ? toTikaRequest(via, file) : toDoclingRequest(via, file);
		try {
			const response = await fetch(request.url, {
				...request.init,
				redirect: "error",
				signal: AbortSignal.any([signal, timeout]),
			});
			const bytes = await readBody(response, response.ok ? reader.maxOutputBytes : MAX_ERROR_BYTES, reader);
			if (!response.ok) {
				const reason = [`answered ${response.status}`, toReason(bytes.toString())].filter(Boolean);
				throw readerFailedError(reader.name, reason.join(": "));
			}
			return via.kind === "tika" ? { bytes, format: "text" } : readDoclingAnswer(bytes, reader.name);
		} catch (error) {
			if (error instanceof DocumentError) throw error;
			signal.throwIfAborted();
			if (timeout.aborted)
				throw readerFailedError(reader.name, `took longer than ${reader.timeoutMs / 1_000} s`, error);
			throw readerFailedError(reader.name, "cannot be reached", error);
		}
	},
});

interface ReaderRequest {
	readonly url: string;
	readonly init: RequestInit;
}

/** `PUT /tika` of Apache Tika's server: the file as it is, its text back. Tika finds out the format. */
const toTikaRequest = ({ baseUrl }: ReaderServer, { bytes }: ExternalFile): ReaderRequest => ({
	url: `${baseUrl}/tika`,
	init: {
		method: "PUT",
		headers: { accept: "text/plain", "content-type": "application/octet-stream" },
		body: toBody(bytes),
	},
});

/** `POST /v1/convert/file` of docling-serve: a form with the file, JSON with its Markdown back. */
function toDoclingRequest({ baseUrl }: ReaderServer, { bytes, fileName }: ExternalFile): ReaderRequest {
	const form = new FormData();
	form.append("files", new Blob([toBody(bytes)]), fileName ?? "document");
	form.append("to_formats", "md");
	return {
		url: `${baseUrl}/v1/convert/file`,
		init: { method: "POST", headers: { accept: "application/json" }, body: form },
	};
}

/** A copy whose memory is of no other thread. */
const toBody = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

function readDoclingAnswer(bytes: Buffer, name: string): ConvertedFile {
	const markdown = findMarkdown(bytes.toString());
	if (markdown === undefined) throw readerFailedError(name, "answered without Markdown");
	return { bytes: Buffer.from(markdown), format: "markdown" };
}

function findMarkdown(json: string): string | undefined {
	try {
		const text: unknown = JSON.parse(json)?.document?.md_content;
		return typeof text === "string" ? text : undefined;
	} catch {
		return undefined;
	}
}

/** Body of a response within a limit. Of errors, the start is enough. */
async function readBody(
	response: Response,
	maxBytes: number,
	{ name }: ReaderConfiguration,
): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of response.body ?? []) {
		bytes += chunk.length;
		if (bytes <= maxBytes) chunks.push(chunk);
		else if (response.ok)
			throw readerFailedError(name, `gave more than ${Math.floor(maxBytes / MEBIBYTE)} MiB of text`);
		else break;
	}
	return Buffer.concat(chunks);
}
