import type { ChatRequest, ChatSettings, ChatToolCall } from "@stemma/core";
import type { Endpoint } from "../http/to-provider-error";
import { createUnsupportedSettingError, listSettings, type SettingName } from "../http/unsupported-setting";

const BUILT_IN: Endpoint = {
	vendorHost: "The built-in model",
	model: "extractive",
	hasKey: false,
	api: "",
	baseUrlHint: "",
};

/** What a model that samples nothing keeps by itself, and the texts to stop at, which are cut off. */
const KEPT: readonly SettingName[] = ["temperature", "topP", "seed", "stop", "parallelToolCalls"];

/**
 * @throws ProviderError `unsupported_parameter` for the first setting that would change how a model writes: sentences
 * are quoted as they are.
 */
export function assertSettings({ settings }: ChatRequest): void {
	const refused = listSettings(settings).find((name) => !KEPT.includes(name));
	if (refused !== undefined) throw createUnsupportedSettingError(refused, BUILT_IN);
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
