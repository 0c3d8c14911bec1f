import type { JsonObject } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import { type FileContent, isFileContent } from "./upload-content";

/** One file with what is said of it, or several. */
export type UploadRequest = SingleUpload | SeveralUploads;

export interface SingleUpload extends UploadFile {
	readonly files?: undefined;
	/** Default: found in the document. */
	readonly title?: string;
	readonly metadata?: JsonObject;
}

export interface SeveralUploads {
	readonly files: readonly UploadFile[];
	/** Metadata of all files. */
	readonly metadata?: JsonObject;
}

/** A file to be uploaded; `fileFromPath` of `@stemma/client/node` makes one. */
export interface UploadFile {
	readonly file: FileContent;
	/** The file name, which tells the format: `guide.md`. Default: that of a `File`. */
	readonly name?: string;
	/**
	 * Source of the file (a path, an address): an upload with the same source replaces the document. All files have
	 * one, or none.
	 */
	readonly source?: string;
}

/** Content of the form, in its order. */
export interface UploadParts {
	readonly files: readonly UploadPart[];
	readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface UploadPart {
	readonly content: FileContent;
	readonly name: string;
	/** Name of the content in the request: `files[2].file`. */
	readonly field: string;
}

/** @throws ConfigurationError when a file is none or has no name, only some have a source, or `metadata` is no JSON. */
export function toUploadParts(request: UploadRequest): UploadParts {
	const isSingle = request.files === undefined;
	const files = isSingle ? [request] : request.files;
	const sources = files.flatMap(({ source }) => (source === undefined ? [] : [source]));
	if (sources.length > 0 && sources.length < files.length)
		throw new ConfigurationError("Some of `files` have a `source` and some have none.", {
			hint: "Give each of them one, or none.",
		});
	const { title, metadata } = isSingle ? request : { ...request, title: undefined };
	return {
		files: files.map((file, index) => toPart(file, isSingle ? "" : `files[${index}].`)),
		fields: [
			...sources.map((source) => ["source", source] as const),
			...(title === undefined ? [] : [["title", title] as const]),
			...(metadata === undefined ? [] : [["metadata", toJson(metadata)] as const]),
		],
	};
}

function toJson(metadata: JsonObject): string {
	try {
		return JSON.stringify(metadata);
	} catch (cause) {
		// A bigint, or what contains itself.
		throw new ConfigurationError("`metadata` is not JSON.", { hint: "`cause` says why.", cause });
	}
}

function toPart({ file, name }: UploadFile, prefix: string): UploadPart {
	const field = `${prefix}file`;
	if (!isFileContent(file))
		throw new ConfigurationError(`\`${field}\` must be a Blob, a File, bytes (Uint8Array), or a stream.`);
	const fileName = name ?? ("name" in file && typeof file.name === "string" ? file.name : undefined);
	if (fileName === undefined)
		throw new ConfigurationError(`\`${prefix}name\` is missing: the file's name, which tells its format.`);
	return { content: file, name: fileName, field };
}
