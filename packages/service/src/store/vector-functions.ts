import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "@stemma/core/errors";
import { getLoadablePath } from "sqlite-vec";

/**
 * Gives a connection the functions that compare vectors (`vec_distance_cosine`, `vec_distance_hamming`, `vec_bit`). Only
 * they need the extension: tables with vectors are plain ones, which any SQLite reads and writes.
 *
 * @param database - opened with `allowExtension`; after this it loads no other.
 * @throws Error where there is no binary for this platform, or it cannot be loaded.
 */
export function loadVectorFunctions(database: DatabaseSync): void {
	try {
		database.loadExtension(getLoadablePath());
	} finally {
		database.enableLoadExtension(false);
	}
}

/** Checks whether vectors can be searched on this platform. Everything else works without vector search. */
export const canSearchVectors = (): boolean => findLoadError() === undefined;

/** @throws ConfigurationError where vectors cannot be searched, so that an embedding model is of no use. */
export function assertVectorSearch(): void {
	const loadError = findLoadError();
	if (loadError === undefined) return;
	throw new ConfigurationError(
		`"embeddings" is configured, but vectors cannot be searched on this machine (${process.platform}-${process.arch}).`,
		{
			code: "vectors_unavailable",
			hint:
				"Install the optional dependencies of the package sqlite-vec (macOS, Linux with glibc, Windows on x64)," +
				' or remove "embeddings": passages are then found by words alone.',
			cause: loadError,
		},
	);
}

function findLoadError(): unknown {
	const database = new DatabaseSync(":memory:", { allowExtension: true });
	try {
		loadVectorFunctions(database);
		return undefined;
	} catch (error) {
		return error;
	} finally {
		database.close();
	}
}
