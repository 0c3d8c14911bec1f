import { StemmaError } from "@stemma/core/errors";
import { withHints } from "../connection/with-hints";
import { type ConnectionOptions, withService } from "../connection/with-service";
import type { EndpointOptions } from "../settings/endpoint-options";
import { formatProviders } from "../settings/format-providers";
import { formatSettings } from "../settings/format-settings";
import { formatStages } from "../settings/format-stages";
import { formatTestResult } from "../settings/format-test-result";
import { readTrial, readUpdate } from "../settings/read-settings";
import { SETTINGS_HINTS } from "../settings/settings-hints";
import { readSecret } from "../terminal/input/read-secret";
import { sanitizeLine, style, type Terminal } from "../terminal/terminal";
import { formatJson } from "../terminal/text/format-json";

/** Options of `stemma settings`. */
export interface SettingsCommandOptions extends ConnectionOptions {
	readonly json: boolean;
}

export type EndpointCommandOptions = SettingsCommandOptions & EndpointOptions;

export async function showSettings(terminal: Terminal, options: SettingsCommandOptions): Promise<void> {
	const settings = await withService(options, ({ llmSettings }) => llmSettings.get());
	terminal.stdout.write(options.json ? toLine(settings) : formatSettings(settings));
}

export async function setSettings(terminal: Terminal, options: EndpointCommandOptions): Promise<void> {
	const saved = await withService(options, async ({ llmSettings }) => {
		const endpoint = await readUpdate(llmSettings, options);
		const key = await readApiKey(terminal, options);
		return withHints(SETTINGS_HINTS, () => llmSettings.set({ ...endpoint, ...key }));
	});
	if (options.json) {
		terminal.stdout.write(toLine(saved));
		return;
	}
	terminal.stdout.write(`Saved.\n${formatSettings(saved)}`);
	warn(terminal, saved.warnings);
	terminal.stderr.write("Next: stemma settings test\n");
}

/** Returns the exit code. */
export async function testSettings(terminal: Terminal, options: EndpointCommandOptions): Promise<number> {
	const result = await withService(options, async ({ llmSettings }) => {
		const endpoint = await readTrial(llmSettings, options);
		const key = await readApiKey(terminal, options);
		return withHints(SETTINGS_HINTS, () => llmSettings.test({ ...endpoint, ...key }));
	});
	const { ok, warnings = [], error } = result;
	if (options.json) {
		terminal.stdout.write(toLine(result));
		return ok ? 0 : 1;
	}
	warn(terminal, warnings);
	if (!ok)
		throw new StemmaError(error?.message ?? "The model did not answer.", error ?? { code: "test_failed" });
	terminal.stdout.write(formatTestResult(result));
	return 0;
}

export async function clearSettings(terminal: Terminal, options: SettingsCommandOptions): Promise<void> {
	const cleared = await withService(options, ({ llmSettings }) => llmSettings.delete());
	const text = cleared.deleted ? CLEARED : NOTHING_TO_CLEAR;
	terminal.stdout.write(options.json ? toLine(cleared) : text);
}

const CLEARED = "Cleared, including the key: this workspace uses the deployment's model.\n";
const NOTHING_TO_CLEAR = "Nothing is set: this workspace uses the deployment's model.\n";

/** Returns the exit code. */
export async function showStages(terminal: Terminal, options: SettingsCommandOptions): Promise<number> {
	const plan = await withService(options, ({ llmSettings }) => llmSettings.stages());
	const { stages, refusal } = plan;
	if (options.json) {
		terminal.stdout.write(toLine(plan));
		return refusal === undefined ? 0 : 1;
	}
	if (refusal !== undefined) throw new StemmaError(refusal.message, refusal);
	terminal.stdout.write(formatStages(stages));
	return 0;
}

export async function listProviders(terminal: Terminal, options: SettingsCommandOptions): Promise<void> {
	const { data } = await withService(options, ({ llmSettings }) => llmSettings.providers());
	terminal.stdout.write(options.json ? toLine(data) : formatProviders(data));
}

function warn({ stderr }: Terminal, warnings: readonly string[]): void {
	for (const warning of warnings)
		stderr.write(`${style(stderr, "yellow", "note:")} ${sanitizeLine(warning)}\n`);
}

const toLine = (value: unknown): string => `${formatJson(value)}\n`;

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
