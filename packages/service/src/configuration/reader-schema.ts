import * as z from "zod";
import type { ReaderConfiguration } from "../knowledge/external-readers/reader-configuration";

const MEBIBYTE = 1024 * 1024;
/** Memory of a program where its reader says nothing. */
const DEFAULT_MEMORY_MEBIBYTES = 1024;

const extension = z
	.string()
	.regex(/^\.?[A-Za-z0-9][A-Za-z0-9_-]{0,15}$/, { error: "must be an extension such as dwg" })
	.transform((text) => text.replace(/^\./, "").toLowerCase());
const mediaType = z
	.string()
	.regex(/^[\w.+-]+\/[\w.+-]+$/, { error: "must be a media type such as image/tiff" })
	.transform((text) => text.toLowerCase());

const serverUrl = z
	.string()
	.refine(isServerUrl, {
		error: "must be an address such as http://tika:9998, without a name, password or query",
	})
	.transform((text) => text.replace(/\/+$/, ""));

/** Schema of one external reader: a program or a server. */
export const readerSchema = z
	.strictObject({
		name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
			error: "is not a valid name for a reader: use lower-case letters, digits, _ and -, up to 64",
		}),
		extensions: z.array(extension).max(200).default([]),
		media_types: z.array(mediaType).max(200).default([]),
		command: z
			.tuple([z.string().min(1)], z.string(), {
				error: "must be a list: the program, then its arguments",
			})
			.optional(),
		tika_url: serverUrl.optional(),
		docling_url: serverUrl.optional(),
		/** Format of a program's output. */
		output: z.enum(["text", "markdown", "html"]).optional(),
		/** Memory of a program. */
		max_memory_mebibytes: z
			.int()
			.min(16)
			.max(1024 * 1024)
			.optional(),
		timeout_ms: z.int().min(1).max(3_600_000).default(120_000),
		max_output_bytes: z
			.int()
			.min(1)
			.max(256 * MEBIBYTE)
			.default(64 * MEBIBYTE),
	})
	.refine(({ extensions, media_types }) => extensions.length + media_types.length > 0, {
		error: 'needs "extensions" or "media_types" of the files that it reads',
	})
	.refine(hasOneWay, { error: 'needs one of "command", "tika_url", "docling_url"' })
	.refine(
		({ command, output, max_memory_mebibytes }) =>
			command !== undefined || (output ?? max_memory_mebibytes) === undefined,
		{
			error: 'may have "output" and "max_memory_mebibytes" only with a "command"',
		},
	);

export type ReaderFile = z.output<typeof readerSchema>;

export function toReaderConfiguration(reader: ReaderFile): ReaderConfiguration {
	const { name, extensions, media_types, timeout_ms, max_output_bytes } = reader;
	return {
		name,
		extensions,
		mediaTypes: media_types,
		timeoutMs: timeout_ms,
		maxOutputBytes: max_output_bytes,
		via: toVia(reader),
	};
}

function toVia({ command, tika_url, docling_url, ...options }: ReaderFile): ReaderConfiguration["via"] {
	if (command === undefined)
		return tika_url === undefined
			? { kind: "docling", baseUrl: docling_url ?? "" }
			: { kind: "tika", baseUrl: tika_url };
	const { output = "text", max_memory_mebibytes: maxMemoryMebibytes = DEFAULT_MEMORY_MEBIBYTES } = options;
	return { kind: "command", command, output, maxMemoryMebibytes };
}

function hasOneWay({
	command,
	tika_url,
	docling_url,
}: Partial<Record<"command" | "tika_url" | "docling_url", unknown>>): boolean {
	return [command, tika_url, docling_url].filter((way) => way !== undefined).length === 1;
}

/** An external reader as its file would have it. */
export function printReader(reader: ReaderConfiguration): z.input<typeof readerSchema> {
	const { name, extensions, mediaTypes, timeoutMs, maxOutputBytes, via } = reader;
	const common = {
		name,
		extensions: [...extensions],
		media_types: [...mediaTypes],
		timeout_ms: timeoutMs,
		max_output_bytes: maxOutputBytes,
	};
	if (via.kind !== "command")
		return via.kind === "tika"
			? { ...common, tika_url: via.baseUrl }
			: { ...common, docling_url: via.baseUrl };
	const [program, ...parameters] = via.command;
	return {
		...common,
		command: [program, ...parameters],
		output: via.output,
		max_memory_mebibytes: via.maxMemoryMebibytes,
	};
}

function isServerUrl(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { protocol, username, password, search, hash } = new URL(text);
	return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === "";
}
