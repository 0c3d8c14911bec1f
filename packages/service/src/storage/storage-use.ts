import type { StorageUsage } from "@stemma/client";
import { formatBytes } from "@stemma/core/internal";
import type { LimitsConfiguration } from "../configuration/configuration";
import { DomainError } from "../errors/domain-error";
import type { StorageRepository } from "./storage-repository";

/** Reads how much a workspace stores, and its limits. */
export async function readStorageUsage(
	repository: StorageRepository,
	{ storageBytes, documents, retention }: LimitsConfiguration,
): Promise<StorageUsage> {
	const counts = await repository.readCounts();
	return {
		bytes: await repository.readBytes(),
		max_bytes: storageBytes,
		documents: counts.documents,
		max_documents: documents,
		runs: counts.runs,
		max_runs: retention.runs,
	};
}

/**
 * Makes sure that a workspace may store more.
 *
 * @param bytes - how much, as far as that is known.
 * @param maxBytes - of the workspace.
 * @throws DomainError `quota_exceeded`.
 */
export async function assertWithinQuota(
	repository: StorageRepository,
	bytes: number,
	maxBytes: number,
): Promise<void> {
	const used = await repository.readBytes();
	if (used + bytes <= maxBytes) return;
	throw new DomainError(
		"quota_exceeded",
		`The workspace uses ${formatBytes(used)} of the ${formatBytes(maxBytes)} that it may store.`,
		{
			hint: "Nothing of this request was stored. Delete documents or knowledge bases that are not needed; their space becomes free within moments. The operator of the service can raise limits.storage_bytes.",
			details: { quota: "storage_bytes", used, maximum: maxBytes, requested: bytes },
		},
	);
}
