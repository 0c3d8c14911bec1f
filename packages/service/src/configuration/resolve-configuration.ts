import { resolve } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { findInputIssues, type InputIssue } from "../http/check-input";
import { closestName } from "../http/closest-name";
import type { DeploymentProvider } from "../models/model-resolver";
import { applySettings } from "./apply-settings";
import type { Configuration } from "./configuration";
import { type ConfigurationFile, configurationFileSchema } from "./configuration-file";
import { type Environment, readEnvironment, type Setting, variableOf } from "./environment-settings";

/** Where a configuration comes from; what comes later wins. */
export interface ConfigurationSources {
	/** The content of the file; default none. */
	readonly content?: unknown;
	/** What to call the file in messages. Default `stemma.config.json`. */
	readonly file?: string;
	/** What `data` is relative to. Default: the working folder. */
	readonly folder?: string;
	/** Default: empty. */
	readonly environment?: Environment;
	/** Options of a command line. */
	readonly options?: readonly Setting[];
}

/** The name of the built-in model, where a provider is asked for. */
const BUILT_IN = "extractive";

/**
 * Puts a configuration together, and checks it.
 *
 * @throws ConfigurationError with all that is wrong: the file or variable, the key, and what is expected.
 */
export function resolveConfiguration(sources: ConfigurationSources = {}): Configuration {
	const { content = {}, file = "stemma.config.json", folder = ".", environment = {}, options = [] } = sources;
	const settings = [...readEnvironment(environment), ...options];
	const { value, issues } = findInputIssues(configurationFileSchema, applySettings(content, settings));
	const found = value === undefined ? issues : findReferenceIssues(value.output, environment);
	if (value === undefined || found.length > 0) throw toError(found, file, settings);
	return toConfiguration(value.output, folder, environment);
}

/** Names of other things that do not exist. */
function findReferenceIssues(file: ConfigurationFile, environment: Environment): readonly InputIssue[] {
	const names = Object.keys(file.providers);
	const issues: InputIssue[] = [];
	const add = (path: string, message: string) => issues.push({ path, message, isUnknownField: false });
	if (file.chat !== undefined && file.chat !== BUILT_IN && !names.includes(file.chat))
		add("chat", `must be the name of a provider${listNames(file.chat, names)}`);
	if (names.includes(BUILT_IN))
		add(`providers.${BUILT_IN}`, "must be called something else: the built-in model has this name");
	for (const [name, { credential }] of Object.entries(file.providers))
		if (credential !== undefined && "env" in credential && !environment[credential.env])
			add(
				`providers.${name}.credential.env`,
				`names the environment variable ${credential.env}, which is not set`,
			);
	return issues;
}

function listNames(name: string, names: readonly string[]): string {
	const meant = closestName(name, names);
	if (meant !== undefined) return `. Did you mean "${meant}"?`;
	return names.length === 0 ? ', and there are none: add one to "providers"' : `: ${names.join(", ")}`;
}

function toError(
	issues: readonly InputIssue[],
	file: string,
	settings: readonly Setting[],
): ConfigurationError {
	const lines = issues.map(({ path, message }) => {
		const source = settings.filter((setting) => setting.path.join(".") === path).at(-1)?.source;
		const variable = message === "is missing" ? variableOf(path) : undefined;
		const more = variable === undefined ? "" : ` (${variable} sets it, too)`;
		if (source !== undefined) return `${source} ("${path}") ${message}.`;
		return `${file}: ${path === "" ? "the file" : `"${path}"`} ${message}${more}.`;
	});
	return new ConfigurationError(lines.join("\n"), {
		hint: "Correct this, then start again.",
	});
}

function toConfiguration(file: ConfigurationFile, folder: string, environment: Environment): Configuration {
	const { listen, data, chat, limits, log } = file;
	const { max_steps, max_depth, timeout_ms, max_tokens } = limits.run;
	return {
		listen,
		data: resolve(folder, data),
		providers: Object.fromEntries(
			Object.entries(file.providers).map(([name, provider]) => [name, toProvider(provider, environment)]),
		),
		...(chat !== undefined && chat !== BUILT_IN && { chat }),
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
