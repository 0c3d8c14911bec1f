import type { JsonObject } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";

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
	/** For all of them. */
	readonly metadata?: JsonObject;
}

export interface UploadFile {
	readonly file: FileContent;
	/** The file name, which tells the format: `guide.md`. Default: that of a `File`. */
	readonly name?: string;
	/** Where the file is from (a path, an address): the same source again replaces the document. All files have one, or none. */
	readonly source?: string;
}

/** A `File` or `Blob`, bytes, or what React Native's pickers give. */
export type FileContent = Blob | Uint8Array | NativeFile;

export interface NativeFile {
	readonly uri: string;
	readonly name?: string | null;
	readonly type?: string | null;
}

/** @throws ConfigurationError when a file has no name, or only some have a source. */
export function toUploadForm(request: UploadRequest): FormData {
	const form = new FormData();
	const files = request.files ?? [request];
	const sources = files.flatMap(({ source }) => (source === undefined ? [] : [source]));
	if (sources.length > 0 && sources.length < files.length)
		throw new ConfigurationError("Some of `files` have a `source` and some have none.", {
			hint: "Give each of them one, or none.",
		});
	files.forEach((file, index) => {
		appendFile(form, file, request.files === undefined ? "" : `files[${index}].`);
	});
	for (const source of sources) form.append("source", source);
	if (request.files === undefined && request.title !== undefined) form.append("title", request.title);
	if (request.metadata !== undefined) form.append("metadata", JSON.stringify(request.metadata));
	return form;
}

function appendFile(form: FormData, { file, name }: UploadFile, field: string): void {
	// Where nobody checks types, this would become the text "undefined".
	if (typeof file !== "object" || file === null)
		throw new ConfigurationError(`\`${field}file\` must be a Blob, a File, or bytes (Uint8Array).`);
	const fileName = name ?? ("name" in file && typeof file.name === "string" ? file.name : undefined);
	if (fileName === undefined)
		throw new ConfigurationError(`\`${field}name\` is missing: the file's name, which tells its format.`);
	if ("uri" in file)
		// React Native's forms read the file from its address.
		form.append("file", { ...file, name: fileName } as unknown as Blob);
	else
		form.append(
			"file",
			file instanceof Uint8Array ? new Blob([file as Uint8Array<ArrayBuffer>]) : file,
			fileName,
		);
}
