import type { LlmProvider, LlmSettings, LlmSettingsUpdate, UnsetLlmSettings } from "@stemma/client";

/** Content of the form. */
export interface SettingsDraft {
	readonly provider: string;
	readonly base_url: string;
	readonly model: string;
	/** Empty: the key that is stored stays. */
	readonly api_key: string;
	readonly removesKey: boolean;
}

/** Draft where nothing is set. */
export const NO_SETTINGS: SettingsDraft = {
	provider: "openai-compatible",
	base_url: "",
	model: "",
	api_key: "",
	removesKey: false,
};

/** Draft of the stored settings, or an empty one. */
export const toDraft = (settings: LlmSettings | UnsetLlmSettings): SettingsDraft =>
	settings.provider === null
		? NO_SETTINGS
		: { ...NO_SETTINGS, provider: settings.provider, base_url: settings.base_url, model: settings.model };

/** Draft with what a vendor needs. */
export const fillIn = (draft: SettingsDraft, { provider, base_url, models }: LlmProvider): SettingsDraft => ({
	...draft,
	provider,
	base_url,
	model: models[0] ?? "",
});

/** Body of a request; without a key in it, the stored one stays. */
export function toUpdate({
	provider,
	base_url,
	model,
	api_key,
	removesKey,
}: SettingsDraft): LlmSettingsUpdate {
	const update = { provider, base_url: base_url.trim(), model: model.trim() };
	if (removesKey) return { ...update, api_key: null };
	return api_key === "" ? update : { ...update, api_key };
}

/** Finds the vendor whose address is written in the form. */
export const findVendor = (
	{ provider, base_url }: SettingsDraft,
	vendors: readonly LlmProvider[],
): LlmProvider | undefined =>
	vendors.find((vendor) => vendor.provider === provider && matches(vendor.base_url, base_url));

/** Compares an address with a pattern in which `<…>` stands for anything. */
function matches(pattern: string, address: string): boolean {
	if (pattern === address) return true;
	const [start = "", ...others] = pattern.split(/<[^>]*>/);
	const end = others.at(-1);
	return end !== undefined && address !== "" && address.startsWith(start) && address.endsWith(end);
}
