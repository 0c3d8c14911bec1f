import type { SourceSettings } from "@stemma/client";
import type { ScanContext, SourceItem } from "./connector";
import { createFolderConnector, type FolderAccess } from "./folder-connector";
import { gitConnector } from "./git/git-connector";
import { s3Connector } from "./s3/s3-connector";
import { siteConnector } from "./site/site-connector";
import { urlConnector } from "./url-connector";

/** Scans a source by the connector of its kind. */
export type Scan = (settings: SourceSettings, context: ScanContext) => AsyncIterable<SourceItem>;

/** @param access - folders that may be sources. */
export function createScan(access: FolderAccess): Scan {
	const folderConnector = createFolderConnector(access);
	return (settings, context) => {
		if (settings.kind === "url") return urlConnector.scan(settings, context);
		if (settings.kind === "folder") return folderConnector.scan(settings, context);
		if (settings.kind === "site") return siteConnector.scan(settings, context);
		if (settings.kind === "git") return gitConnector.scan(settings, context);
		return s3Connector.scan(settings, context);
	};
}
