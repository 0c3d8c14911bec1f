import type { RunError } from "@stemma/core";
import type { DocumentCounts } from "./knowledge";

/** Kind of a source, with what that kind is told. */
export type SourceSettings =
	| ({ readonly kind: "url" } & UrlSourceSettings)
	| ({ readonly kind: "site" } & SiteSourceSettings)
	| ({ readonly kind: "git" } & GitSourceSettings)
	| ({ readonly kind: "s3" } & S3SourceSettings)
	| ({ readonly kind: "folder" } & FolderSourceSettings)
	| PushSourceSettings;

/** One document at an address. */
export interface UrlSourceSettings {
	/** Address with http or https, without user info. */
	readonly url: string;
}

/** Patterns that items must match. `*` is any text without `/`, `**` any text. */
export interface SourcePatterns {
	/** Patterns of which an item matches at least one. Default: all items. */
	readonly include?: readonly string[];
	/** Patterns of items that are left out. Default: none. */
	readonly exclude?: readonly string[];
}

/** Pages of a site, or those that a sitemap names. Patterns are of paths, such as `/docs/**`. */
export interface SiteSourceSettings extends SourcePatterns {
	/** First page, whose links are followed on the same host; or a sitemap, whose pages are read. */
	readonly url: string;
	/** Links to follow from the first page on, 0 to 20. Default 5. */
	readonly max_depth?: number;
	/** Maximum number of pages. Default 1,000, at most 10,000. */
	readonly max_pages?: number;
	/** Pause between two requests in milliseconds, 0 to 60,000. Default 200; a longer `Crawl-delay` of the site applies. */
	readonly delay_ms?: number;
}

/** Files of a Git repository, by the archive that its host offers over HTTPS. */
export interface GitSourceSettings extends SourcePatterns {
	/** Address of the repository, such as `https://github.com/owner/name`. */
	readonly url: string;
	/** Branch, tag or commit. Default: the repository's default branch. */
	readonly ref?: string;
	/** Software of the host, for repositories of a server of your own. Default: by the name of the server. */
	readonly host?: "github" | "gitlab" | "gitea" | "bitbucket";
	/** Folder in the repository. Default: all of it. */
	readonly path?: string;
	/** Address of a `.tar.gz` or `.zip` archive in place of the one that is found by the host: `{ref}` stands for the ref. */
	readonly archive_url?: string;
}

/** Objects of a bucket in S3, or in what speaks its protocol. */
export interface S3SourceSettings extends SourcePatterns {
	readonly bucket: string;
	/** Default: all objects. */
	readonly prefix?: string;
	/** Default `us-east-1`. */
	readonly region?: string;
	/** Address of a server that speaks the protocol. Default: that of AWS in the region. */
	readonly endpoint?: string;
	/** The bucket is a part of the host name at `endpoint`, too, as at AWS. Default false: it is a part of the path. */
	readonly virtual_host?: boolean;
}

/** Files of a folder on the service's machine, within those that the operator allows by `sources.folders`. */
export interface FolderSourceSettings extends SourcePatterns {
	/** Absolute path. */
	readonly path: string;
}

/** Files that a program outside pushes, such as `oikb` of Open WebUI. The first of them creates the source. */
export interface PushSourceSettings {
	readonly kind: "push";
}

/** Place that brings documents into a knowledge base and keeps them up to date. */
export interface Source {
	/** `src_…` */
	readonly id: string;
	readonly knowledge_base_id: string;
	readonly name: string;
	readonly settings: SourceSettings;
	/**
	 * Name of the workspace's secret that is sent: an access token, or for `s3` `<access key id>:<secret access key>`. It must
	 * be stored for the server's origin, such as `https://docs.example.com`.
	 */
	readonly credential: string | null;
	/** Minutes between syncs; `null`: syncs start by request alone. */
	readonly every_minutes: number | null;
	readonly next_sync_at: string | null;
	/** Documents that it has brought in. */
	readonly documents: DocumentCounts;
	/** `null` before the first. */
	readonly last_sync: SourceSync | null;
	readonly created_at: string;
	readonly updated_at: string;
}

export interface SourceCreate {
	/** 1 to 200 characters. Default: the address or path. */
	readonly name?: string;
	readonly settings: Exclude<SourceSettings, PushSourceSettings>;
	readonly credential?: string | null;
	/** 5 to 525,600. Default `null`: no schedule. */
	readonly every_minutes?: number | null;
}

/** Changes to a source; fields that are left out stay as they are. Its kind stays. */
export type SourceUpdate = Partial<SourceCreate>;

/** `queued` → `running` → `succeeded`, `failed` or `cancelled`. */
export type SourceSyncStatus = "queued" | "running" | "succeeded" | "failed" | "cancelled";

/** Report of one sync. */
export interface SourceSync {
	/** `sync_…` */
	readonly id: string;
	readonly source_id: string;
	readonly status: SourceSyncStatus;
	/** Reason of a sync that failed; what it had done stays. */
	readonly error: RunError | null;
	readonly counts: SourceSyncCounts;
	/** Size of all contents that were read. */
	readonly bytes: number;
	/** First items that failed or were skipped. */
	readonly issues: readonly SourceIssue[];
	readonly created_at: string;
	readonly started_at: string | null;
	readonly ended_at: string | null;
}

export interface SourceSyncCounts {
	readonly added: number;
	readonly changed: number;
	readonly unchanged: number;
	/** Items with the content of one that is gone: its document stays, with its passages. */
	readonly moved: number;
	/** Gone from the source, and deleted. */
	readonly removed: number;
	readonly skipped: number;
	readonly failed: number;
}

/** Item that failed, or was skipped. */
export interface SourceIssue {
	readonly key: string;
	readonly outcome: "skipped" | "failed";
	readonly code: string;
	readonly message: string;
}

export interface SourceSyncOptions {
	/** Deletes all documents where the source has none any more, in place of the error `source_empty`. Default false. */
	readonly force?: boolean;
}

export interface SourceDeleteOptions {
	/** Keeps the documents of the source as if they were uploaded. Default false: they are deleted with it. */
	readonly keepDocuments?: boolean;
}
