import type { DocumentStatus } from "@stemma/client";

/** File that a program outside has pushed into a knowledge base, with its document. Times are epoch milliseconds. */
export interface PushedFile {
	/** Id of the file: {@link toFileId}. */
	readonly id: string;
	/** Path and name: `docs/hours.md`. */
	readonly key: string;
	/** Hash that the program sent with it. */
	readonly hash: string;
	readonly status: DocumentStatus;
	/** Message of a document that could not be read. */
	readonly error: string | null;
	readonly size_bytes: number;
	readonly created_at: number;
	readonly updated_at: number;
}

/** Path and name of a file as its key in the source. */
export const toFileKey = (path: string, fileName: string): string =>
	path === "" ? toFileName(fileName) : `${path}/${toFileName(fileName)}`;

/**
 * Name of a file as it arrives in a form, where parsers drop folders and control characters, and senders escape quotation
 * marks. A name in a list becomes the same.
 */
const toFileName = (name: string): string =>
	(/[^/\\]*$/.exec(name.replaceAll("%22", '"'))?.[0] ?? "").replace(/\p{Cc}/gu, "").slice(-255) || "file";

/** Name of a key without its path. */
export const readFileName = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** Path of a key; empty for a file that is in no folder. */
export const readFilePath = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf("/")));

const encode = (text: string): string => Buffer.from(text).toString("base64url");
const decode = (text: string): string => Buffer.from(text, "base64url").toString();

/** Id of a file of a source. Two files of the same content have one document and two ids. */
export const toFileId = (source: string, key: string): string => `${source}.${encode(key)}`;

/** Reads the id of a file; `undefined` for what is none. */
export function readFileId(id: string): { readonly source: string; readonly key: string } | undefined {
	const [, source, key] = /^(src_[0-9a-z]{26})\.([\w-]+)$/.exec(id) ?? [];
	return source === undefined || key === undefined ? undefined : { source, key: decode(key) };
}

const DIRECTORY = "dir_";

/** Id of a folder: its path, so that nothing has to be kept. */
export const toDirectoryId = (path: string): string => `${DIRECTORY}${encode(path)}`;

/** Reads the path of a folder by its id; `undefined` for what is none. */
export const readDirectoryId = (id: string): string | undefined =>
	/^dir_[\w-]+$/.test(id) ? decode(id.slice(DIRECTORY.length)) : undefined;
