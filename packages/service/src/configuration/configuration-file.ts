import { isTrustedProxyEntry } from "@stemma/protocol";
import * as z from "zod";
import { LOG_LEVELS } from "./configuration";
import { databaseSchema } from "./database-schema";
import { isPlainHost } from "./is-plain-host";
import { pricesSchema } from "./prices-schema";
import { readerSchema } from "./reader-schema";
import { signInSchema } from "./sign-in-schema";

/** Name of the built-in model where a provider is expected. */
export const BUILT_IN_MODEL = "extractive";

const MEBIBYTE = 1024 * 1024;

const count = (max: number) => z.int().min(1).max(max);

const bytes = (min: number) =>
	z
		.int()
		.min(min)
		.max(1024 * 1024 * MEBIBYTE);

const days = count(36_500);

const credential = z.union(
	[z.strictObject({ env: z.string().min(1) }), z.strictObject({ value: z.string().min(1) })],
	{
		error: 'must be {"env": "<name of an environment variable>"} or {"value": "<the key itself>"}',
	},
);

const baseUrl = z
	.string()
	.refine(isBaseUrl, {
		error: "must be an address such as https://api.example.com/v1, without a name, password or query",
	})
	.transform(normalizeBaseUrl);

const publicUrl = z
	.string()
	.refine(isPublicUrl, {
		error: "must be an address such as https://stemma.example, without a path, name, password or query",
	})
	.transform((text) => new URL(text).origin);

const trustedProxy = z.string().max(100).refine(isTrustedProxyEntry, {
	error:
		'must be the address of a proxy such as "10.0.0.2", a range such as "10.0.0.0/8" but not of all addresses, or the word "loopback" for this machine',
});

const modelName = z.string().min(1).max(200);

const provider = z.strictObject({
	provider: z.enum(["openai-compatible", "bedrock"]),
	base_url: baseUrl,
	credential: credential.optional(),
	default_model: modelName,
	allowed_models: z.array(modelName).max(1000).default([]),
});

/** Embedding model for passages and questions, for all workspaces. */
const embeddings = z.strictObject({
	provider: z.enum(["openai-compatible", "embedded"]).default("openai-compatible"),
	/** The embedded model has neither an address nor a choice of models. */
	base_url: baseUrl.optional(),
	credential: credential.optional(),
	model: modelName.optional(),
	dimensions: count(65_536).optional(),
});

/** Reranker of passages, for all workspaces. */
const rerank = z.strictObject({
	provider: z.enum(["cohere", "tei"]),
	base_url: baseUrl,
	credential: credential.optional(),
	/** A server of text-embeddings-inference has one model, and is not told. */
	model: modelName.optional(),
});

const encryptionKey = z.strictObject({
	id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, {
		error: "is not a valid name for a key: use letters, digits, _, . and -, up to 64",
	}),
	key: credential,
});

const languageCode = z.string().regex(/^[A-Za-z][A-Za-z_]{1,39}$/, {
	error: 'is not the code of a language, such as "eng", "deu" or "chi_sim"',
});

/** Schema of `stemma.config.json`. */
export const configurationFileSchema = z.strictObject({
	$schema: z.string().optional(),
	listen: z
		.strictObject({
			host: z.string().min(1).default("127.0.0.1"),
			port: z.int().min(0).max(65_535).default(4000),
			public_url: publicUrl.optional(),
			trusted_proxies: z.array(trustedProxy).max(1000).default([]),
		})
		.prefault({}),
	data: z.string().min(1).default("./stemma-data"),
	database: databaseSchema.optional(),
	providers: z
		.record(
			z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
				error: "is not a valid name for a provider: use lower-case letters, digits, _ and -, up to 64",
			}),
			provider,
		)
		.default({}),
	chat: z.string().min(1).optional(),
	embeddings: embeddings.optional(),
	rerank: rerank.optional(),
	prices: pricesSchema.optional(),
	aws: z.strictObject({ allowAmbientCredentials: z.boolean().default(false) }).prefault({}),
	documents: z.strictObject({ reread_outdated: z.boolean().default(true) }).prefault({}),
	answers: z.strictObject({ min_coverage: z.number().min(0).max(1).default(0.52) }).prefault({}),
	encryption: z.strictObject({ keys: z.array(encryptionKey).max(100).default([]) }).prefault({}),
	outbound: z.strictObject({ allow: z.array(z.string().min(1).max(300)).max(1000).default([]) }).prefault({}),
	sources: z
		.strictObject({ folders: z.array(z.string().min(1).max(1000)).max(100).default([]) })
		.prefault({}),
	ocr: z.strictObject({ languages: z.array(languageCode).max(100).optional() }).prefault({}),
	sign_in: signInSchema.prefault({}),
	readers: z.array(readerSchema).max(100).default([]),
	limits: z
		.strictObject({
			concurrent_runs: count(100_000).default(50),
			requests_per_minute: count(10_000_000).default(6000),
			access_tokens_per_minute: count(10_000_000).default(300),
			concurrent_requests: count(1_000_000).default(500),
			concurrent_searches: count(1_000_000).default(500),
			concurrent_model_calls: count(1_000_000).default(500),
			upload_bytes: count(1024 * MEBIBYTE).default(20 * MEBIBYTE),
			documents: count(1_000_000_000).default(1_000_000),
			threads: count(1_000_000_000).default(100_000),
			body_bytes: bytes(MEBIBYTE).default(24 * MEBIBYTE),
			total_body_bytes: bytes(MEBIBYTE).default(96 * MEBIBYTE),
			spool_bytes: bytes(MEBIBYTE).default(1024 * MEBIBYTE),
			total_spool_bytes: bytes(MEBIBYTE).default(4096 * MEBIBYTE),
			storage_bytes: count(1024 ** 5).default(20 * 1024 * MEBIBYTE),
			disk_reserve_bytes: z
				.int()
				.min(0)
				.max(1024 ** 5)
				.optional(),
			retention: z
				.strictObject({
					runs: count(1_000_000_000).default(100_000),
					run_days: days.optional(),
					receipts: count(1_000_000_000).default(1_000_000),
					receipt_days: days.optional(),
					thread_days: days.optional(),
					usage_days: days.optional(),
					audit_days: days.optional(),
					feedback: count(1_000_000_000).default(100_000),
					feedback_days: days.optional(),
				})
				.prefault({}),
			run: z
				.strictObject({
					max_steps: count(1_000_000).optional(),
					max_depth: count(1000).optional(),
					timeout_ms: count(86_400_000).optional(),
					max_tokens: count(1_000_000_000).optional(),
				})
				.prefault({}),
		})
		.prefault({}),
	log: z.strictObject({ level: z.enum(LOG_LEVELS).default("info") }).prefault({}),
	metrics: z.strictObject({ token: credential.optional() }).optional(),
});

/** `stemma.config.json`, with its defaults. */
export type ConfigurationFile = z.output<typeof configurationFileSchema>;

/** `stemma.config.json`, as one writes it. */
export type ConfigurationInput = z.input<typeof configurationFileSchema>;

/**
 * Normalizes a base URL to the form that is shown everywhere: host in lower case, no default port, no endpoint path
 * pasted behind it.
 */
function normalizeBaseUrl(text: string): string {
	const { origin, pathname } = new URL(text);
	return origin + pathname.replace(/(\/chat\/completions|\/embeddings)?\/*$/, "");
}

function isBaseUrl(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { protocol, username, password, search, hash } = new URL(text);
	return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === "";
}

function isPublicUrl(text: string): boolean {
	if (!isBaseUrl(text)) return false;
	const { host, pathname } = new URL(text);
	return pathname === "/" && isPlainHost(host);
}
