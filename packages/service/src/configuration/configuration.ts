import type { RunLimits } from "@stemma/core";
import type { EncryptionKey } from "../encryption/encryption-keys";
import type { Secret } from "../encryption/secret";
import type { ReaderConfiguration } from "../knowledge/external-readers/reader-configuration";
import type {
	DeploymentEmbeddings,
	DeploymentProvider,
	DeploymentReranker,
} from "../models/deployment-models";
import type { IssuerConfiguration } from "../people/oidc/issuer-configuration";
import type { PriceList } from "../pricing/price-list";
import type { Retention } from "../storage/storage-repository";

/** All that an operator decides, with nothing left open. */
export interface Configuration {
	readonly listen: ListenConfiguration;
	/** The folder that everything is kept in; absolute. With a database: uploads on their way, and the first credentials. */
	readonly data: string;
	/** Postgres database that everything is kept in. Default: SQLite files in the folder. */
	readonly database?: DatabaseConfiguration;
	/** Providers by name. */
	readonly providers: { readonly [name: string]: DeploymentProvider };
	/** The provider that answers; none: the built-in model, which only quotes. */
	readonly chat?: string;
	/** Embedding model; without one, passages are found by words alone. */
	readonly embeddings?: DeploymentEmbeddings;
	/** Reranker; without one, the model that answers scores passages. */
	readonly rerank?: DeploymentReranker;
	/** Prices of models; receipts and usage have costs where there is one. Default: none. */
	readonly prices?: PriceList;
	readonly aws: {
		/** Providers without a credential may sign with those of this machine. Default false. */
		readonly allowAmbientCredentials: boolean;
	};
	readonly documents: {
		/** Documents that an earlier version has read worse than today's would are read again in the background. Default true. */
		readonly rereadOutdated: boolean;
	};
	readonly answers: {
		/**
		 * Share of a question, 0 to 1, that the passages must cover by their words; else the question is refused. Default
		 * 0.52; 0 refuses where nothing is found alone.
		 */
		readonly minCoverage: number;
	};
	readonly encryption: {
		/** The first encrypts, all open. None: no workspace can store a credential. */
		readonly keys: readonly EncryptionKey[];
	};
	readonly outbound: {
		/** Targets that tenants may name besides public addresses: hosts, CIDRs, or `private`. */
		readonly allow: readonly string[];
	};
	readonly sources: {
		/** Folders of this machine that workspaces may read documents from, with all below them; absolute. Default: none. */
		readonly folders: readonly string[];
	};
	readonly ocr: {
		/** Codes of the languages that are recognized in images and scans; none: no text is. Default: all that are installed. */
		readonly languages?: readonly string[];
	};
	/** External readers of documents; the first one of a format counts. */
	readonly readers: readonly ReaderConfiguration[];
	readonly signIn: {
		/** Issuers of OpenID Connect that people sign in with, in the order of their buttons. */
		readonly issuers: readonly IssuerConfiguration[];
	};
	readonly limits: LimitsConfiguration;
	readonly log: { readonly level: LogLevel };
	readonly metrics?: {
		/** Token for `GET /metrics`; without one, only requests from this machine are answered there. */
		readonly token?: Secret;
	};
}

export interface DatabaseConfiguration {
	/** `postgres://role:password@host/database`, for the role that the service works with. */
	readonly url: Secret;
	/** Address for the role that owns the tables, which creates and changes them. Default: `url`. */
	readonly ownerUrl?: Secret;
	/** Address for a role that row-level security does not bind and that reads all tables, for backups. Default: `ownerUrl`, else `url`. */
	readonly backupUrl?: Secret;
	/** Connections of this instance at most. Default 20. */
	readonly poolSize: number;
}

export interface ListenConfiguration {
	/** Default `127.0.0.1`: this machine alone. */
	readonly host: string;
	/** Default 4000; 0 for any that is free. */
	readonly port: number;
	/** The origin that clients know the service by, such as `https://stemma.example`. Default: what each request names. */
	readonly publicUrl?: string;
	/**
	 * Proxies whose headers tell the addresses of clients, and HTTPS: addresses, ranges, or `loopback`. Default none: clients
	 * have the address of the connection.
	 */
	readonly trustedProxies?: readonly string[];
}

/** Limits of each workspace. */
export interface LimitsConfiguration {
	/** Default 50. */
	readonly concurrentRuns: number;
	/** Default 6,000. */
	readonly requestsPerMinute: number;
	/** Access tokens of one client; all clients together get four times as many. Default 300. */
	readonly accessTokensPerMinute: number;
	/** Requests in flight at once, streams until their end. Default 500. */
	readonly concurrentRequests: number;
	/** Searches that run or wait for their turn at once, those of runs included. Default 500. */
	readonly concurrentSearches: number;
	/** Calls to vendors of models at once; further ones wait. Default 500. */
	readonly concurrentModelCalls: number;
	/** The largest upload; default 20 MiB. */
	readonly uploadBytes: number;
	/** Default 1,000,000. */
	readonly documents: number;
	/** Conversation threads. Default 100,000. */
	readonly threads: number;
	/** Bytes of request bodies in memory. Default 24 MiB. */
	readonly bodyBytes: number;
	/** Bytes of request bodies in memory of all workspaces together. Default 96 MiB. */
	readonly totalBodyBytes: number;
	/** Bytes of uploads on the disk that are not stored yet. Default 1 GiB. */
	readonly spoolBytes: number;
	/** Bytes of uploads on the disk that are not stored yet, of all workspaces together. Default 4 GiB. */
	readonly totalSpoolBytes: number;
	/** Bytes that a workspace may use of its file; default 20 GiB. */
	readonly storageBytes: number;
	/** Bytes of the disk that are kept for tokens, deletions and settings. Default: 5 % of it, 256 MiB at the most. */
	readonly diskReserveBytes?: number;
	/** Retention of a workspace's runs and records; older ones are deleted. */
	readonly retention: Retention;
	/** Met with those of each graph: of two figures the smaller counts. */
	readonly run: RunLimits;
}

export const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
