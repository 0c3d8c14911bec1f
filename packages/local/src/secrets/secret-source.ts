import { type AgentGraph, ConfigurationError } from "@stemma/core";
import { isJsonObject, quote, toSecretVariable as toVariable } from "@stemma/core/internal";

/** Gives the value of a secret that a graph names, for the server that it is sent to; `undefined` where there is none. */
export type SecretSource = (
	name: string,
	serverUrl: string,
) => string | undefined | Promise<string | undefined>;

/** Values by the names that the graph has for them, or what is asked for a value before each call. */
export type LocalSecrets = Readonly<Record<string, string>> | SecretSource;

/**
 * Returns the source of secrets: what was passed in, and nothing else; without it the environment's
 * `STEMMA_TOOL_<NAME>`.
 */
export function toSecretSource(secrets: LocalSecrets | undefined): SecretSource {
	if (typeof secrets === "function") return secrets;
	if (secrets === undefined) return environmentSecrets;
	return (name) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined);
}

const environmentSecrets: SecretSource = (name) => readEnvironment(toVariable(name));

/**
 * The value that goes out for a node; none for a node without a secret.
 *
 * @throws ConfigurationError `secret_missing`, with the name of the variable where that is read.
 */
export async function resolveSecret(
	source: SecretSource | undefined,
	name: string | undefined,
	serverUrl: string,
): Promise<string | undefined> {
	if (name === undefined) return undefined;
	const value = await source?.(name, serverUrl);
	if (value) return value;
	const [variable, hint] =
		source === environmentSecrets
			? [
					` (${toVariable(name)})`,
					"Set that variable where the graph runs, or pass the value in the option `secrets`.",
				]
			: ["", `Give it in ${OPTION}.`];
	throw new ConfigurationError(`There is no value for the secret ${quote(name)}${variable}.`, {
		code: "secret_missing",
		hint,
	});
}

const OPTION = "the option `secrets` (of `mcpTools` and `remoteAgents`: `secret`)";

/**
 * Describes where the author of a graph sets a secret. The environment's variable is not read once the option is given.
 */
export const describeSecretSource = (source: SecretSource | undefined, name: string): string =>
	source === environmentSecrets ? `the variable ${toVariable(name)}, or the option \`secrets\`` : OPTION;

/**
 * One variable holds one secret, wherever the graph runs.
 *
 * @throws ConfigurationError for names that stand for the same variable.
 */
export function assertDistinctSecrets({ nodes }: AgentGraph): void {
	const names = new Map<string, string>();
	for (const node of nodes) {
		const name = "auth" in node ? node.auth?.secret : undefined;
		if (name === undefined) continue;
		const variable = toVariable(name);
		const existing = names.get(variable) ?? name;
		if (existing !== name)
			throw new ConfigurationError(
				`The secrets ${quote(existing)} and ${quote(name)} of the graph would both be the variable ${variable}.`,
				{
					hint: "Name one of them differently: letters of any case and all other characters count as the same.",
				},
			);
		names.set(variable, name);
	}
}

/** A variable of the environment; `undefined` in browsers and React Native. Deno may forbid to look. */
function readEnvironment(name: string): string | undefined {
	try {
		const platform: unknown = Reflect.get(globalThis, "process");
		const value = isJsonObject(platform) && isJsonObject(platform.env) ? platform.env[name] : undefined;
		return typeof value === "string" ? value : undefined;
	} catch {
		return undefined;
	}
}
