import { resolve } from "node:path";
import { Secret } from "../encryption/secret";
import type { DeploymentEmbeddings, DeploymentProvider } from "../models/deployment-models";
import { EMBEDDED_MODEL } from "../models/embedded/embedded-model-name";
import type { Configuration, LimitsConfiguration } from "./configuration";
import { BUILT_IN_MODEL, type ConfigurationFile } from "./configuration-file";
import { toDatabase } from "./database-schema";
import type { Environment } from "./environment-settings";
import { toPriceList } from "./prices-schema";
import { toReaderConfiguration } from "./reader-schema";
import { toIssuers } from "./sign-in-schema";

/** A file that was checked, as the service takes it. */
export function toConfiguration(
	file: ConfigurationFile,
	folder: string,
	environment: Environment,
): Configuration {
	const { listen, data, chat, embeddings, rerank, aws, encryption, outbound, sources, limits, log, metrics } =
		file;
	const { public_url, trusted_proxies, ...address } = listen;
	return {
		listen: {
			...address,
			...(public_url !== undefined && { publicUrl: public_url }),
			...(trusted_proxies.length > 0 && { trustedProxies: trusted_proxies }),
		},
		data: resolve(folder, data),
		...(file.database !== undefined && { database: toDatabase(file.database) }),
		providers: Object.fromEntries(
			Object.entries(file.providers).map(([name, provider]) => [name, toProvider(provider, environment)]),
		),
		...(chat !== undefined && chat !== BUILT_IN_MODEL && { chat }),
		...(embeddings !== undefined && { embeddings: toEmbeddings(embeddings, environment) }),
		...(rerank !== undefined && {
			rerank: {
				provider: rerank.provider,
				baseUrl: rerank.base_url,
				...toCredential(rerank.credential, environment),
				model: rerank.model ?? "default",
			},
		}),
		...(file.prices !== undefined && { prices: toPriceList(file.prices) }),
		aws,
		documents: { rereadOutdated: file.documents.reread_outdated },
		answers: { minCoverage: file.answers.min_coverage },
		encryption: {
			keys: encryption.keys.map(({ id, key }) => ({ id, key: new Secret(readCredential(key, environment)) })),
		},
		outbound,
		sources: { folders: sources.folders.map((path) => resolve(folder, path)) },
		ocr: file.ocr.languages === undefined ? {} : { languages: file.ocr.languages },
		readers: file.readers.map(toReaderConfiguration),
		signIn: {
			issuers: toIssuers(file.sign_in, (credential) => readCredential(credential, environment)),
		},
		limits: toLimits(limits),
		log,
		...(metrics?.token !== undefined && {
			metrics: { token: new Secret(readCredential(metrics.token, environment)) },
		}),
	};
}

function toLimits(limits: ConfigurationFile["limits"]): LimitsConfiguration {
	const { max_steps, max_depth, timeout_ms, max_tokens } = limits.run;
	const { retention } = limits;
	return {
		concurrentRuns: limits.concurrent_runs,
		requestsPerMinute: limits.requests_per_minute,
		accessTokensPerMinute: limits.access_tokens_per_minute,
		concurrentRequests: limits.concurrent_requests,
		concurrentSearches: limits.concurrent_searches,
		concurrentModelCalls: limits.concurrent_model_calls,
		uploadBytes: limits.upload_bytes,
		documents: limits.documents,
		threads: limits.threads,
		bodyBytes: limits.body_bytes,
		totalBodyBytes: limits.total_body_bytes,
		spoolBytes: limits.spool_bytes,
		totalSpoolBytes: limits.total_spool_bytes,
		storageBytes: limits.storage_bytes,
		...(limits.disk_reserve_bytes !== undefined && { diskReserveBytes: limits.disk_reserve_bytes }),
		retention: {
			runs: retention.runs,
			...(retention.run_days !== undefined && { runDays: retention.run_days }),
			receipts: retention.receipts,
			...(retention.receipt_days !== undefined && { receiptDays: retention.receipt_days }),
			...(retention.thread_days !== undefined && { threadDays: retention.thread_days }),
			...(retention.usage_days !== undefined && { usageDays: retention.usage_days }),
			...(retention.audit_days !== undefined && { auditDays: retention.audit_days }),
			feedback: retention.feedback,
			...(retention.feedback_days !== undefined && { feedbackDays: retention.feedback_days }),
		},
		run: {
			...(max_steps !== undefined && { maxSteps: max_steps }),
			...(max_depth !== undefined && { maxDepth: max_depth }),
			...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
			...(max_tokens !== undefined && { maxTokens: max_tokens }),
		},
	};
}

type ProviderFile = ConfigurationFile["providers"][string];
type CredentialFile = NonNullable<ProviderFile["credential"]>;

/** Reads the text of a credential. A variable that is not set has been refused before. */
const readCredential = (credential: CredentialFile, environment: Environment): string =>
	"value" in credential ? credential.value : (environment[credential.env] ?? "");

const toCredential = (
	credential: CredentialFile | undefined,
	environment: Environment,
): { readonly credential?: Secret } =>
	credential === undefined ? {} : { credential: new Secret(readCredential(credential, environment)) };

const toEmbeddings = (
	{ provider, base_url, credential, model, dimensions }: NonNullable<ConfigurationFile["embeddings"]>,
	environment: Environment,
): DeploymentEmbeddings => ({
	provider,
	baseUrl: base_url ?? "",
	...toCredential(credential, environment),
	model: model ?? EMBEDDED_MODEL,
	...(dimensions !== undefined && { dimensions }),
});

const toProvider = (provider: ProviderFile, environment: Environment): DeploymentProvider => ({
	provider: provider.provider,
	baseUrl: provider.base_url,
	...toCredential(provider.credential, environment),
	defaultModel: provider.default_model,
	allowedModels: provider.allowed_models,
});
