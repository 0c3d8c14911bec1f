import type { RequestScope } from "../request-scope";
import { assertWithinQuota } from "./storage-use";

/**
 * Makes sure, before the body of a request is read, that what it stores finds room: on the disk, and within the quota of
 * its workspace.
 *
 * @throws StorageError `storage_full`; DomainError `quota_exceeded`.
 */
export async function requireSpace(scope: RequestScope): Promise<void> {
	const { disk, limits } = scope.kernel;
	const { bytes } = scope;
	disk.assertSpace(bytes);
	await assertWithinQuota(scope.workspace.store.storage, bytes, limits.storageBytes);
}
