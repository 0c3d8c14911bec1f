import type { RunError } from "@stemma/core";
import type { PushedItem } from "../../../sources/repositories/push-repository";
import type { JobFile } from "../../job-file";
import { type JsonColumn, parseColumn } from "../../json-column";

/** Items of a source to list. */
export interface ListPushedInput {
	/** Id. */
	readonly source: string;
	/** Default: all. */
	readonly key?: string;
}

/** Row of an item with its document. */
export interface PushedRow extends Omit<PushedItem, "version" | "error"> {
	readonly version: string | null;
	readonly error: JsonColumn<RunError> | null;
}

/** Lists items of a source with their documents, by key; those whose document was deleted are left out. */
export const listPushedItems = (file: JobFile, { source, key }: ListPushedInput): readonly PushedItem[] =>
	file
		.prepare<PushedRow>(
			"SELECT key, version, status, error, size_bytes, documents.created_at, documents.updated_at FROM source_items" +
				" JOIN sources ON sources.number = source_items.source" +
				" JOIN knowledge_bases ON knowledge_bases.number = sources.knowledge_base" +
				" JOIN documents ON documents.number = source_items.document" +
				" WHERE sources.id = ? AND sources.deleted_at IS NULL AND knowledge_bases.deleted_at IS NULL" +
				`${key === undefined ? "" : " AND key = ?"} ORDER BY key`,
		)
		.all(source, ...(key === undefined ? [] : [key]))
		.map(toPushedItem);

export const toPushedItem = ({ version, error, ...row }: PushedRow): PushedItem => ({
	...row,
	version: version ?? "",
	error: error === null ? null : parseColumn(error).message,
});
