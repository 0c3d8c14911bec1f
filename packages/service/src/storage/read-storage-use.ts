import type { StorageUsage } from "@stemma/client";
import type { LimitsConfiguration } from "../configuration/configuration";
import type { Database } from "../store/database";
import { readStorageBytes } from "./storage-use";

/** Reads how much a workspace stores, and its limits. */
export async function readStorageUsage(
	database: Pick<Database<never>, "readJob"> & Parameters<typeof readStorageBytes>[0],
	{ storageBytes, documents, retention }: LimitsConfiguration,
): Promise<StorageUsage> {
	const counts = await database.readJob("readStoredCounts", undefined);
	return {
		bytes: await readStorageBytes(database),
		max_bytes: storageBytes,
		documents: counts.documents,
		max_documents: documents,
		runs: counts.runs,
		max_runs: retention.runs,
	};
}
