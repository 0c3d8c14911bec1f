import type { ChatRequest, ChatSettings, ChatToolCall } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";

type SettingName = keyof ChatSettings;

/**
 * Settings that the built-in model accepts: those that a model without sampling meets anyway, and stop texts, at which
 * the answer is cut off.
 */
const ACCEPTED_SETTINGS: readonly SettingName[] = [
	"temperature",
	"topP",
	"seed",
	"stop",
	"parallelToolCalls",
];

/**
 * @throws StemmaError `unsupported_parameter`, with the setting's name as `field`, for the first that would change how a
 * model writes: sentences are quoted as they are.
 */
export function assertSettings({ settings = {} }: ChatRequest): void {
	const names = Object.keys(settings) as SettingName[];
	const unsupported = names.find((name) => settings[name] !== undefined && !ACCEPTED_SETTINGS.includes(name));
	if (unsupported === undefined) return;
	throw new StemmaError(
		`The built-in model does not support the setting \`${unsupported}\`.`,
		{ code: "unsupported_parameter", hint: "Leave it out, or configure a model." },
		{ field: unsupported, attempts: 0 },
	);
}

/** The calls that a choice leaves. */
export function chooseCalls(
	calls: readonly ChatToolCall[],
	{ toolChoice, settings }: ChatRequest,
): readonly ChatToolCall[] {
	const chosen =
		typeof toolChoice === "object" ? calls.filter(({ name }) => name === toolChoice.name) : calls;
	return settings?.parallelToolCalls === false ? chosen.slice(0, 1) : chosen;
}

/** A text up to the first of the texts to stop at. */
export function cutAtStop(text: string, { stop = [] }: ChatSettings = {}): string {
	const ends = stop.map((end) => text.indexOf(end)).filter((at) => at !== -1);
	return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}
