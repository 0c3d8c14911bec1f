import type { Configuration } from "./configuration";
import type { ConfigurationInput } from "./configuration-file";

const MASK = "****";

/** A configuration as its file would have it, all defaults written out and secrets masked. */
export function printConfiguration({ listen, data, providers, chat, limits, log }: Configuration): string {
	const { run } = limits;
	const file: ConfigurationInput = {
		listen,
		data,
		providers: Object.fromEntries(
			Object.entries(providers).map(([name, { provider, baseUrl, apiKey, defaultModel, allowedModels }]) => [
				name,
				{
					provider,
					base_url: baseUrl,
					...(apiKey !== undefined && { credential: { value: MASK } }),
					default_model: defaultModel,
					allowed_models: [...allowedModels],
				},
			]),
		),
		...(chat !== undefined && { chat }),
		limits: {
			concurrent_runs: limits.concurrentRuns,
			requests_per_minute: limits.requestsPerMinute,
			upload_bytes: limits.uploadBytes,
			documents: limits.documents,
			// What is left out here is left out in the file.
			run: {
				...(run.maxSteps !== undefined && { max_steps: run.maxSteps }),
				...(run.maxDepth !== undefined && { max_depth: run.maxDepth }),
				...(run.timeoutMs !== undefined && { timeout_ms: run.timeoutMs }),
				...(run.maxTokens !== undefined && { max_tokens: run.maxTokens }),
			},
		},
		log,
	};
	return JSON.stringify(file, undefined, 2);
}
