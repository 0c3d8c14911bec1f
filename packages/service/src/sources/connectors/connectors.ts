import type { SourceSettings } from "@stemma/client";
import type { ScanContext, SourceItem } from "./connector";
import type { FolderAccess } from "./folder-access";

/** Scans a source by the connector of its kind. */
export type Scan = (settings: SourceSettings, context: ScanContext) => AsyncIterable<SourceItem>;

/**
 * Creates the scan of all kinds. A connector is loaded at its first scan, since each brings readers of what it finds: a
 * service without sources does without their memory.
 *
 * @param access - folders that may be sources.
 */
export const createScan = (access: FolderAccess): Scan =>
	async function* scan(settings, context) {
		yield* await startScan(settings, context, access);
	};

async function startScan(
	settings: SourceSettings,
	context: ScanContext,
	access: FolderAccess,
): Promise<AsyncIterable<SourceItem>> {
	switch (settings.kind) {
		case "url":
			return (await import("./url-connector")).urlConnector.scan(settings, context);
		case "folder":
			return (await import("./folder-connector")).createFolderConnector(access).scan(settings, context);
		case "site":
			return (await import("./site/site-connector")).siteConnector.scan(settings, context);
		case "git":
			return (await import("./git/git-connector")).gitConnector.scan(settings, context);
		case "push":
			return (await import("./push-connector")).pushConnector.scan(settings, context);
		case "s3":
			return (await import("./s3/s3-connector")).s3Connector.scan(settings, context);
	}
}
