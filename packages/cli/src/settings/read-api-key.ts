import { readSecret } from "../terminal/input/read-secret";
import type { Terminal } from "../terminal/terminal";
import type { EndpointOptions } from "./endpoint-options";

/** The key as the service takes it; nothing where the one that is stored stays. */
export async function readApiKey(
	terminal: Terminal,
	{ apiKeyEnv, apiKeyStdin, apiKey }: EndpointOptions,
): Promise<{ readonly api_key?: string | null }> {
	if (apiKey === false) return { api_key: null };
	if (apiKeyEnv !== undefined)
		return { api_key: await readSecret(terminal, { variable: apiKeyEnv }, "API key") };
	return apiKeyStdin ? { api_key: await readSecret(terminal, "input", "API key") } : {};
}
