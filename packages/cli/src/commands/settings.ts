import { StemmaError } from "@stemma/core/errors";
import { withHints } from "../connection/with-hints";
import { type ServiceCommandOptions, withService } from "../connection/with-service";
import type { EndpointOptions } from "../settings/endpoint-options";
import { formatProviders } from "../settings/format-providers";
import { formatSettings } from "../settings/format-settings";
import { formatStages } from "../settings/format-stages";
import { formatTestResult } from "../settings/format-test-result";
import { readTrial, readUpdate } from "../settings/read-settings";
import { readSecret } from "../terminal/input/read-secret";
import { print, report } from "../terminal/print";
import { sanitizeLine, type Terminal } from "../terminal/terminal";

/** Options of `stemma settings set` and `stemma settings test`. */
export type EndpointCommandOptions = ServiceCommandOptions & EndpointOptions;

export async function showSettings(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const settings = await withService(options, ({ llmSettings }) => llmSettings.get());
	print(terminal, options, settings, () => formatSettings(settings));
}

export async function setSettings(terminal: Terminal, options: EndpointCommandOptions): Promise<void> {
	const saved = await withService(options, async ({ llmSettings }) => {
		const endpoint = await readUpdate(llmSettings, options);
		const key = await readApiKey(terminal, options);
		return withHints(HINTS, () => llmSettings.set({ ...endpoint, ...key }));
	});
	print(terminal, options, saved, () => `Saved.\n${formatSettings(saved)}`);
	if (options.json) return;
	warn(terminal, saved.warnings);
	terminal.stderr.write("Next: stemma settings test\n");
}

/** Returns the exit code. */
export async function testSettings(terminal: Terminal, options: EndpointCommandOptions): Promise<number> {
	const result = await withService(options, async ({ llmSettings }) => {
		const endpoint = await readTrial(llmSettings, options);
		const key = await readApiKey(terminal, options);
		return withHints(HINTS, () => llmSettings.test({ ...endpoint, ...key }));
	});
	const { ok, warnings = [], error } = result;
	if (!options.json) {
		warn(terminal, warnings);
		if (!ok)
			throw new StemmaError(error?.message ?? "The model did not answer.", error ?? { code: "test_failed" });
	}
	print(terminal, options, result, () => formatTestResult(result));
	return ok ? 0 : 1;
}

export async function clearSettings(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const cleared = await withService(options, ({ llmSettings }) => llmSettings.delete());
	print(terminal, options, cleared, () => (cleared.deleted ? CLEARED : NOTHING_TO_CLEAR));
}

const CLEARED = "Cleared, including the key: this workspace uses the deployment's model.\n";
const NOTHING_TO_CLEAR = "Nothing is set: this workspace uses the deployment's model.\n";

/** Returns the exit code. */
export async function showStages(terminal: Terminal, options: ServiceCommandOptions): Promise<number> {
	const plan = await withService(options, ({ llmSettings }) => llmSettings.stages());
	const { stages, refusal } = plan;
	if (refusal !== undefined && !options.json) throw new StemmaError(refusal.message, refusal);
	print(terminal, options, plan, () => formatStages(stages));
	return refusal === undefined ? 0 : 1;
}

export async function listProviders(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const { data } = await withService(options, ({ llmSettings }) => llmSettings.providers());
	print(terminal, options, data, () => formatProviders(data));
}

function warn(terminal: Terminal, warnings: readonly string[]): void {
	for (const warning of warnings) report(terminal, "note", sanitizeLine(warning));
}

/** The key as the service takes it; nothing where the one that is stored stays. */
async function readApiKey(
	terminal: Terminal,
	{ apiKeyEnv, apiKeyStdin, apiKey }: EndpointOptions,
): Promise<{ readonly api_key?: string | null }> {
	if (apiKey === false) return { api_key: null };
	if (apiKeyEnv !== undefined)
		return { api_key: await readSecret(terminal, { variable: apiKeyEnv }, "API key") };
	return apiKeyStdin ? { api_key: await readSecret(terminal, "input", "API key") } : {};
}

const HOW_TO_PASS_KEY = "Pass it with --api-key-stdin or --api-key-env <name>";

/** Hints for the command line when the service refuses settings, by the code of its error. */
const HINTS: Readonly<Record<string, string>> = {
	not_set: "Store settings first, or pass what to test. Examples: stemma settings --help",
	api_key_required: `${HOW_TO_PASS_KEY}; --no-api-key for an endpoint without one.`,
	credential_undecryptable: `${HOW_TO_PASS_KEY}, or ask the operator for the key that it was encrypted with.`,
	credential_required: `${HOW_TO_PASS_KEY}: a Bedrock API key, ACCESS_KEY_ID:SECRET_ACCESS_KEY, or the JSON that the AWS command line prints.`,
};
