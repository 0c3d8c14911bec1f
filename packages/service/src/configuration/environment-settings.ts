import { createHash } from "node:crypto";
import { findKeyProblem } from "../encryption/encryption-keys";

/** One value that is set from outside of the file. */
export interface Setting {
	/** Name of the variable or option that sets it: `STEMMA_DATA_FOLDER`, `--port`. */
	readonly source: string;
	/** Path of the key in the file that it replaces. */
	readonly path: readonly string[];
	readonly value: unknown;
}

/** The environment, as processes have it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PATH_BY_VARIABLE: Readonly<Record<string, readonly string[]>> = {
	STEMMA_LISTEN_HOST: ["listen", "host"],
	STEMMA_LISTEN_PORT: ["listen", "port"],
	STEMMA_LISTEN_PUBLIC_URL: ["listen", "public_url"],
	STEMMA_DATA_FOLDER: ["data"],
	STEMMA_DATABASE_POOL_SIZE: ["database", "pool_size"],
	STEMMA_CHAT: ["chat"],
	STEMMA_EMBEDDINGS_PROVIDER: ["embeddings", "provider"],
	STEMMA_EMBEDDINGS_BASE_URL: ["embeddings", "base_url"],
	STEMMA_EMBEDDINGS_MODEL: ["embeddings", "model"],
	STEMMA_EMBEDDINGS_DIMENSIONS: ["embeddings", "dimensions"],
	STEMMA_RERANK_PROVIDER: ["rerank", "provider"],
	STEMMA_RERANK_BASE_URL: ["rerank", "base_url"],
	STEMMA_RERANK_MODEL: ["rerank", "model"],
	STEMMA_ANSWERS_MIN_COVERAGE: ["answers", "min_coverage"],
	STEMMA_LIMITS_CONCURRENT_RUNS: ["limits", "concurrent_runs"],
	STEMMA_LIMITS_REQUESTS_PER_MINUTE: ["limits", "requests_per_minute"],
	STEMMA_LIMITS_ACCESS_TOKENS_PER_MINUTE: ["limits", "access_tokens_per_minute"],
	STEMMA_LIMITS_CONCURRENT_REQUESTS: ["limits", "concurrent_requests"],
	STEMMA_LIMITS_CONCURRENT_SEARCHES: ["limits", "concurrent_searches"],
	STEMMA_LIMITS_CONCURRENT_MODEL_CALLS: ["limits", "concurrent_model_calls"],
	STEMMA_LIMITS_UPLOAD_BYTES: ["limits", "upload_bytes"],
	STEMMA_LIMITS_DOCUMENTS: ["limits", "documents"],
	STEMMA_LIMITS_THREADS: ["limits", "threads"],
	STEMMA_LIMITS_BODY_BYTES: ["limits", "body_bytes"],
	STEMMA_LIMITS_TOTAL_BODY_BYTES: ["limits", "total_body_bytes"],
	STEMMA_LIMITS_SPOOL_BYTES: ["limits", "spool_bytes"],
	STEMMA_LIMITS_TOTAL_SPOOL_BYTES: ["limits", "total_spool_bytes"],
	STEMMA_LIMITS_STORAGE_BYTES: ["limits", "storage_bytes"],
	STEMMA_LIMITS_DISK_RESERVE_BYTES: ["limits", "disk_reserve_bytes"],
	STEMMA_LIMITS_RETENTION_RUNS: ["limits", "retention", "runs"],
	STEMMA_LIMITS_RETENTION_RUN_DAYS: ["limits", "retention", "run_days"],
	STEMMA_LIMITS_RETENTION_RECEIPTS: ["limits", "retention", "receipts"],
	STEMMA_LIMITS_RETENTION_RECEIPT_DAYS: ["limits", "retention", "receipt_days"],
	STEMMA_LIMITS_RETENTION_THREAD_DAYS: ["limits", "retention", "thread_days"],
	STEMMA_LIMITS_RETENTION_USAGE_DAYS: ["limits", "retention", "usage_days"],
	STEMMA_LIMITS_RETENTION_AUDIT_DAYS: ["limits", "retention", "audit_days"],
	STEMMA_LIMITS_RETENTION_FEEDBACK: ["limits", "retention", "feedback"],
	STEMMA_LIMITS_RETENTION_FEEDBACK_DAYS: ["limits", "retention", "feedback_days"],
	STEMMA_LIMITS_RUN_MAX_STEPS: ["limits", "run", "max_steps"],
	STEMMA_LIMITS_RUN_MAX_DEPTH: ["limits", "run", "max_depth"],
	STEMMA_LIMITS_RUN_TIMEOUT_MS: ["limits", "run", "timeout_ms"],
	STEMMA_LIMITS_RUN_MAX_TOKENS: ["limits", "run", "max_tokens"],
	STEMMA_LOG_LEVEL: ["log", "level"],
};

/** Texts that are taken as they are. */
const TEXT_VARIABLES: Readonly<Record<string, readonly string[]>> = {
	STEMMA_DATABASE_URL: ["database", "url"],
	STEMMA_DATABASE_OWNER_URL: ["database", "owner_url"],
	STEMMA_DATABASE_BACKUP_URL: ["database", "backup_url"],
	STEMMA_EMBEDDINGS_API_KEY: ["embeddings", "credential", "value"],
	STEMMA_RERANK_API_KEY: ["rerank", "credential", "value"],
	STEMMA_METRICS_TOKEN: ["metrics", "token", "value"],
};

const BOOLEAN_VARIABLES: Readonly<Record<string, readonly string[]>> = {
	STEMMA_AWS_ALLOW_AMBIENT_CREDENTIALS: ["aws", "allowAmbientCredentials"],
	STEMMA_DOCUMENTS_REREAD_OUTDATED: ["documents", "reread_outdated"],
};

/** Lists, with commas between. */
const LIST_VARIABLES: Readonly<Record<string, readonly string[]>> = {
	STEMMA_LISTEN_TRUSTED_PROXIES: ["listen", "trusted_proxies"],
	STEMMA_OUTBOUND_ALLOW: ["outbound", "allow"],
	STEMMA_SOURCE_FOLDERS: ["sources", "folders"],
	STEMMA_OCR_LANGUAGES: ["ocr", "languages"],
};

const KEY_LIST_VARIABLES: Readonly<Record<string, readonly string[]>> = {
	STEMMA_ENCRYPTION_KEY: ["encryption", "keys"],
};

/** The provider that the short-cut variables make. */
export const ENVIRONMENT_PROVIDER = "environment";

const toProviderPath = (...keys: readonly string[]): readonly string[] => [
	"providers",
	ENVIRONMENT_PROVIDER,
	...keys,
];

const CHAT_VARIABLES: Readonly<Record<string, readonly string[]>> = {
	STEMMA_CHAT_PROVIDER: toProviderPath("provider"),
	STEMMA_CHAT_BASE_URL: toProviderPath("base_url"),
	STEMMA_CHAT_MODEL: toProviderPath("default_model"),
	STEMMA_CHAT_API_KEY: toProviderPath("credential", "value"),
};

/** Reads the settings that the environment contains. An empty variable counts as not set. */
export function readEnvironment(environment: Environment): readonly Setting[] {
	const settings = [
		...pick(environment, PATH_BY_VARIABLE, toValue),
		...pick(environment, TEXT_VARIABLES, (text) => text),
		...pick(environment, BOOLEAN_VARIABLES, toFlag),
		...pick(environment, LIST_VARIABLES, toList),
		...pick(environment, KEY_LIST_VARIABLES, toEncryptionKeys),
	];
	const chatSettings = pick(environment, CHAT_VARIABLES, (text) => text);
	const [first] = chatSettings;
	if (first === undefined) return settings;
	const source = first.source;
	const chat: Setting = { source, path: ["chat"], value: ENVIRONMENT_PROVIDER };
	// Whoever names a provider means it.
	return [
		{ source, path: toProviderPath("provider"), value: "openai-compatible" },
		...chatSettings,
		chat,
		...settings,
	];
}

function pick(
	environment: Environment,
	keys: Readonly<Record<string, readonly string[]>>,
	read: (text: string) => unknown,
): Setting[] {
	return Object.entries(keys).flatMap(([source, path]) => {
		const text = environment[source];
		return text === undefined || text === "" ? [] : [{ source, path, value: read(text) }];
	});
}

const NUMBER = /^-?\d{1,15}(?:\.\d+)?$/;

const toValue = (text: string): unknown => (NUMBER.test(text) ? Number(text) : text);

const toFlag = (text: string): unknown => (text === "true" ? true : text === "false" ? false : text);

const toList = (text: string): string[] =>
	text
		.split(",")
		.map((part) => part.trim())
		.filter((part) => part !== "");

/** Named after what they are, so that a key keeps its name wherever it stands in the list. */
const toEncryptionKeys = (text: string): object[] =>
	toList(text).map((value, index) => {
		// What is no key may be a pass phrase, of which a fingerprint tells too much.
		const name = findKeyProblem(value) === undefined ? fingerprint(value) : String(index + 1);
		return { id: `environment-${name}`, key: { value } };
	});

const fingerprint = (value: string): string => createHash("sha256").update(value).digest("hex").slice(0, 8);

/** The variable that sets a key, for messages. */
export const findVariable = (path: string): string | undefined =>
	Object.entries({
		...PATH_BY_VARIABLE,
		...TEXT_VARIABLES,
		...BOOLEAN_VARIABLES,
		...LIST_VARIABLES,
		...KEY_LIST_VARIABLES,
		...CHAT_VARIABLES,
	}).find(([, keys]) => keys.join(".") === path)?.[0];
