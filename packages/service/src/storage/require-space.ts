import type { ServiceContext } from "../http/service-app";
import { assertWithinQuota } from "./storage-use";

/**
 * Makes sure, before the body of a request is read, that what it stores finds room: on the disk, and within the quota of
 * its workspace.
 *
 * @throws StorageError `storage_full`; DomainError `quota_exceeded`.
 */
export async function requireSpace(context: ServiceContext): Promise<void> {
	const { disk, limits } = context.get("kernel");
	const bytes = Number(context.req.header("content-length")) || 0;
	disk.assertSpace(bytes);
	await assertWithinQuota(context.get("workspace").database, bytes, limits.storageBytes);
}
