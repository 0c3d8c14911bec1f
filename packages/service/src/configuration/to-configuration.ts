import { resolve } from "node:path";
import type { DeploymentProvider } from "../models/deployment-models";
import type { Configuration } from "./configuration";
import { BUILT_IN_MODEL, type ConfigurationFile } from "./configuration-file";
import type { Environment } from "./environment-settings";

/** A file that was checked, as the service takes it. */
export function toConfiguration(
	file: ConfigurationFile,
	folder: string,
	environment: Environment,
): Configuration {
	const { listen, data, chat, limits, log } = file;
	const { max_steps, max_depth, timeout_ms, max_tokens } = limits.run;
	return {
		listen,
		data: resolve(folder, data),
		providers: Object.fromEntries(
			Object.entries(file.providers).map(([name, provider]) => [name, toProvider(provider, environment)]),
		),
		...(chat !== undefined && chat !== BUILT_IN_MODEL && { chat }),
		limits: {
			concurrentRuns: limits.concurrent_runs,
			requestsPerMinute: limits.requests_per_minute,
			uploadBytes: limits.upload_bytes,
			documents: limits.documents,
			run: {
				...(max_steps !== undefined && { maxSteps: max_steps }),
				...(max_depth !== undefined && { maxDepth: max_depth }),
				...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
				...(max_tokens !== undefined && { maxTokens: max_tokens }),
			},
		},
		log,
	};
}

type ProviderFile = ConfigurationFile["providers"][string];

function toProvider(provider: ProviderFile, environment: Environment): DeploymentProvider {
	const { credential } = provider;
	const apiKey =
		credential === undefined || "value" in credential ? credential?.value : environment[credential.env];
	return {
		provider: provider.provider,
		baseUrl: provider.base_url,
		...(apiKey !== undefined && { apiKey }),
		defaultModel: provider.default_model,
		allowedModels: provider.allowed_models,
	};
}
