import { ConfigurationError } from "@stemma/core/errors";
import { closestName, isJsonObject } from "@stemma/core/internal";
import { findInputIssues, type InputIssue, toSentence } from "../validation/check-input";
import { applySettings } from "./apply-settings";
import type { Configuration } from "./configuration";
import { BUILT_IN_MODEL, type ConfigurationFile, configurationFileSchema } from "./configuration-file";
import { type Environment, findVariable, readEnvironment, type Setting } from "./environment-settings";
import { findKeyIssues } from "./find-encryption-key-issues";
import { findOutboundIssues } from "./find-outbound-issues";
import { findProviderIssues, findVendorIssues } from "./find-provider-issues";
import { findIssuerIssues, listIssuerCredentials } from "./sign-in-schema";
import { toConfiguration } from "./to-configuration";

/** Sources of a configuration; later ones override earlier ones. */
export interface ConfigurationSources {
	/** The content of the file; default none. */
	readonly content?: unknown;
	/** Name of the file in messages. Default `stemma.config.json`. */
	readonly file?: string;
	/** Folder that `data` is relative to. Default: the working folder. */
	readonly folder?: string;
	/** Default: empty. */
	readonly environment?: Environment;
	/** Options of a command line. */
	readonly options?: readonly Setting[];
}

/**
 * Puts a configuration together, and checks it.
 *
 * @throws ConfigurationError with all that is wrong: the file or variable, the key, and what is expected.
 */
export function resolveConfiguration(sources: ConfigurationSources = {}): Configuration {
	const { content = {}, file = "stemma.config.json", folder = ".", environment = {}, options = [] } = sources;
	const settings = [...readEnvironment(environment), ...options];
	const { value, issues } = findInputIssues(configurationFileSchema, applySettings(content, settings));
	const found =
		value === undefined
			? issues
			: [...findReferenceIssues(value.output, environment), ...findDuplicateKeyIssues(content, settings)];
	if (value === undefined || found.length > 0) throw toError(found, file, settings);
	const configuration = toConfiguration(value.output, folder, environment);
	const unusableIssues = [
		...Object.entries(configuration.providers).flatMap(([name, provider]) =>
			findProviderIssues(name, provider, configuration.aws.allowAmbientCredentials),
		),
		...findVendorIssues(configuration),
		...findKeyIssues(configuration),
		...findOutboundIssues(configuration),
	];
	if (unusableIssues.length > 0) throw toError(unusableIssues, file, settings);
	return configuration;
}

/** Keys that are silently put aside would be missed when it is too late. */
function findDuplicateKeyIssues(content: unknown, settings: readonly Setting[]): InputIssue[] {
	const overrideSetting = settings.find(({ path }) => path.join(".") === "encryption.keys");
	const encryption = isJsonObject(content) && isJsonObject(content.encryption) ? content.encryption : {};
	if (overrideSetting === undefined || encryption.keys === undefined) return [];
	const message = "is set in the settings file as well, whose keys would be ignored: use one of the two";
	return [{ path: "encryption.keys", message, kind: "invalid" }];
}

/** Names of other things that do not exist. */
function findReferenceIssues(file: ConfigurationFile, environment: Environment): readonly InputIssue[] {
	const names = Object.keys(file.providers);
	const issues: InputIssue[] = [];
	const add = (path: string, message: string, kind: InputIssue["kind"] = "invalid") =>
		issues.push({ path, message, kind });
	if (file.chat !== undefined && file.chat !== BUILT_IN_MODEL && !names.includes(file.chat))
		add("chat", `must be the name of a provider, got "${file.chat}"${suggestName(file.chat, names)}`);
	if (names.includes(BUILT_IN_MODEL))
		add(`providers.${BUILT_IN_MODEL}`, "must be called something else: the built-in model has this name");
	for (const [path, credential] of listCredentials(file))
		if (credential !== undefined && "env" in credential && !environment[credential.env])
			add(`${path}.env`, `names ${describeVariable(credential.env)}, which is not set or empty`);
	if (file.rerank?.provider === "cohere" && file.rerank.model === undefined)
		add("rerank.model", "is missing", "missing");
	issues.push(...findEmbeddingsIssues(file.embeddings));
	for (const { path, message } of findIssuerIssues(file.sign_in)) add(path, message);
	const ids = file.encryption.keys.map(({ id }) => id);
	for (const [index, id] of ids.entries())
		if (ids.indexOf(id) !== index) add(`encryption.keys[${index}].id`, `occurs twice: "${id}"`);
	const readers = file.readers.map(({ name }) => name);
	for (const [index, name] of readers.entries())
		if (readers.indexOf(name) !== index) add(`readers[${index}].name`, `occurs twice: "${name}"`);
	return issues;
}

/** Finds keys that a vendor's embedding model needs, or that the embedded one does not have. */
function findEmbeddingsIssues(embeddings: ConfigurationFile["embeddings"]): readonly InputIssue[] {
	if (embeddings === undefined) return [];
	const { provider, ...rest } = embeddings;
	if (provider === "embedded")
		return Object.keys(rest).map((key) => ({
			path: `embeddings.${key}`,
			message: 'must be left out beside "provider": "embedded", which is one model inside of the service',
			kind: "invalid",
		}));
	return (["base_url", "model"] as const)
		.filter((key) => rest[key] === undefined)
		.map((key) => ({ path: `embeddings.${key}`, message: "is missing", kind: "missing" }));
}

/**
 * Describes an environment variable for messages. A text that is no variable name is not shown, because it may be the
 * key itself.
 */
const describeVariable = (name: string): string =>
	/^[A-Z_][A-Z0-9_]{0,63}$/.test(name)
		? `the environment variable ${name}`
		: 'an environment variable (not shown: a key itself goes into "value")';

type CredentialFile = ConfigurationFile["providers"][string]["credential"];

/** All that are named in a file, by their path. */
const listCredentials = (file: ConfigurationFile): readonly (readonly [string, CredentialFile])[] => [
	...Object.entries(file.providers).map(
		([name, { credential }]) => [`providers.${name}.credential`, credential] as const,
	),
	["embeddings.credential", file.embeddings?.credential],
	["rerank.credential", file.rerank?.credential],
	["metrics.token", file.metrics?.token],
	...listIssuerCredentials(file.sign_in),
	...file.encryption.keys.map(({ key }, index) => [`encryption.keys[${index}].key`, key] as const),
];

function suggestName(name: string, names: readonly string[]): string {
	const suggestion = closestName(name, names);
	if (suggestion !== undefined) return `. Did you mean "${suggestion}"?`;
	return names.length === 0
		? ': there are none yet, add one to "providers"'
		: `: there is ${names.join(", ")}`;
}

/** Checks whether a path is the one that was set, or a part of it. */
const isAtPath = (path: string, settingPath: string): boolean =>
	path === settingPath || path.startsWith(`${settingPath}[`);

function toError(
	issues: readonly InputIssue[],
	file: string,
	settings: readonly Setting[],
): ConfigurationError {
	const lines = issues.map(({ path, message, kind }) => {
		const settingSource = settings.filter((setting) => isAtPath(path, setting.path.join("."))).at(-1)?.source;
		// A part of what the environment makes.
		const section = path.split(".").slice(0, -1).join(".");
		const isSectionSet = settings.some((setting) => setting.path.join(".").startsWith(`${section}.`));
		const source = settingSource ?? (kind === "missing" && isSectionSet ? findVariable(path) : undefined);
		if (source !== undefined) return toSentence(`${source} ("${path}") ${message}`);
		return toSentence(`${file}: ${path === "" ? "the file" : `"${path}"`} ${message}`);
	});
	return new ConfigurationError(lines.join("\n"), {
		hint: "Correct this, then start again.",
	});
}
