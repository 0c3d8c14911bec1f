import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@stemma/core";
import type { JobFile } from "../../store/job-file";

interface DocumentRow {
	readonly number: number;
	readonly metadata: string;
}

/** The numbers of the documents with this metadata. */
export function findDocuments(
	file: JobFile,
	knowledgeBases: readonly number[],
	filter: JsonObject,
): number[] {
	const select = file.prepare("SELECT number, metadata FROM documents WHERE knowledge_base = ?");
	return knowledgeBases
		.flatMap((number) => select.all(number) as unknown as DocumentRow[])
		.filter(({ metadata }) => matches(JSON.parse(metadata) as JsonObject, filter))
		.map(({ number }) => number);
}

const matches = (metadata: JsonObject, filter: JsonObject): boolean =>
	Object.entries(filter).every(
		([key, value]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value),
	);
