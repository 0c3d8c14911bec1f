import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@stemma/core";
import type { JobFile } from "../../../job-file";
import { type JsonColumn, parseColumn } from "../../../json-column";

interface DocumentRow {
	readonly number: number;
	readonly metadata: JsonColumn<JsonObject>;
}

/** The numbers of the documents with this metadata. */
export function findDocuments(
	file: JobFile,
	knowledgeBases: readonly number[],
	filter: JsonObject,
): number[] {
	const select = file.prepare<DocumentRow>("SELECT number, metadata FROM documents WHERE knowledge_base = ?");
	return knowledgeBases
		.flatMap((number) => select.all(number))
		.filter(({ metadata }) => hasMetadata(parseColumn(metadata), filter))
		.map(({ number }) => number);
}

/** Checks whether metadata has all fields of a filter. */
export const hasMetadata = (metadata: JsonObject, filter: JsonObject): boolean =>
	Object.entries(filter).every(
		([key, value]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value),
	);
