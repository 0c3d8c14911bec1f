import type { Secret } from "../encryption/secret";
import type { DeploymentEmbeddings } from "../models/deployment-models";
import type { Configuration } from "./configuration";
import type { ConfigurationInput } from "./configuration-file";
import { printDatabase } from "./database-schema";
import { printPrices } from "./prices-schema";
import { printReader } from "./reader-schema";
import { printIssuers } from "./sign-in-schema";

const MASK = "****";

/** A configuration as its file would have it, all defaults written out and secrets masked. */
export function printConfiguration(configuration: Configuration): string {
	const {
		listen,
		data,
		database,
		providers,
		chat,
		embeddings,
		rerank,
		prices,
		aws,
		documents,
		encryption,
		answers,
		outbound,
		sources,
		ocr,
		readers,
		signIn,
		limits,
		log,
		metrics,
	} = configuration;
	const { publicUrl, trustedProxies = [], ...address } = listen;
	const file: ConfigurationInput = {
		listen: {
			...address,
			...(publicUrl !== undefined && { public_url: publicUrl }),
			...(trustedProxies.length > 0 && { trusted_proxies: [...trustedProxies] }),
		},
		data,
		...(database !== undefined && { database: printDatabase(database, MASK) }),
		providers: toProviders(providers),
		...(chat !== undefined && { chat }),
		...(embeddings !== undefined && { embeddings: toEmbeddings(embeddings) }),
		...(rerank !== undefined && {
			rerank: {
				provider: rerank.provider,
				base_url: rerank.baseUrl,
				...maskCredential(rerank.credential),
				model: rerank.model,
			},
		}),
		...(prices !== undefined && { prices: printPrices(prices) }),
		aws,
		documents: { reread_outdated: documents.rereadOutdated },
		answers: { min_coverage: answers.minCoverage },
		encryption: { keys: encryption.keys.map(({ id }) => ({ id, key: { value: MASK } })) },
		outbound: { allow: [...outbound.allow] },
		sources: { folders: [...sources.folders] },
		ocr: ocr.languages === undefined ? {} : { languages: [...ocr.languages] },
		readers: readers.map(printReader),
		sign_in: printIssuers(signIn.issuers, MASK),
		limits: toLimits(limits),
		log,
		...(metrics?.token !== undefined && { metrics: { token: { value: MASK } } }),
	};
	return JSON.stringify(file, undefined, 2);
}

const toProviders = (providers: Configuration["providers"]): ConfigurationInput["providers"] =>
	Object.fromEntries(
		Object.entries(providers).map(
			([name, { provider, baseUrl, credential, defaultModel, allowedModels }]) => [
				name,
				{
					provider,
					base_url: baseUrl,
					...maskCredential(credential),
					default_model: defaultModel,
					allowed_models: [...allowedModels],
				},
			],
		),
	);

const toEmbeddings = ({
	provider,
	baseUrl,
	credential,
	model,
	dimensions,
}: DeploymentEmbeddings): ConfigurationInput["embeddings"] =>
	provider === "embedded"
		? { provider }
		: {
				provider,
				base_url: baseUrl,
				...maskCredential(credential),
				model,
				...(dimensions !== undefined && { dimensions }),
			};

const toLimits = (limits: Configuration["limits"]) => {
	const { run, retention } = limits;
	return {
		concurrent_runs: limits.concurrentRuns,
		requests_per_minute: limits.requestsPerMinute,
		access_tokens_per_minute: limits.accessTokensPerMinute,
		concurrent_requests: limits.concurrentRequests,
		concurrent_searches: limits.concurrentSearches,
		concurrent_model_calls: limits.concurrentModelCalls,
		upload_bytes: limits.uploadBytes,
		documents: limits.documents,
		threads: limits.threads,
		body_bytes: limits.bodyBytes,
		total_body_bytes: limits.totalBodyBytes,
		spool_bytes: limits.spoolBytes,
		total_spool_bytes: limits.totalSpoolBytes,
		storage_bytes: limits.storageBytes,
		...(limits.diskReserveBytes !== undefined && { disk_reserve_bytes: limits.diskReserveBytes }),
		retention: {
			runs: retention.runs,
			...(retention.runDays !== undefined && { run_days: retention.runDays }),
			receipts: retention.receipts,
			...(retention.receiptDays !== undefined && { receipt_days: retention.receiptDays }),
			...(retention.threadDays !== undefined && { thread_days: retention.threadDays }),
			...(retention.usageDays !== undefined && { usage_days: retention.usageDays }),
			...(retention.auditDays !== undefined && { audit_days: retention.auditDays }),
			feedback: retention.feedback,
			...(retention.feedbackDays !== undefined && { feedback_days: retention.feedbackDays }),
		},
		// What is left out here is left out in the file.
		run: {
			...(run.maxSteps !== undefined && { max_steps: run.maxSteps }),
			...(run.maxDepth !== undefined && { max_depth: run.maxDepth }),
			...(run.timeoutMs !== undefined && { timeout_ms: run.timeoutMs }),
			...(run.maxTokens !== undefined && { max_tokens: run.maxTokens }),
		},
	};
};

const maskCredential = (
	credential: Secret | undefined,
): { readonly credential?: { readonly value: string } } =>
	credential === undefined ? {} : { credential: { value: MASK } };
