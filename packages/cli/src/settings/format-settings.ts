import type { LlmSettings, UnsetLlmSettings } from "@stemma/client";
import { sanitizeLine } from "../terminal/terminal";
import { formatTable } from "../terminal/text/table";

/** Formats the stored settings, a line a field; if there are none, a sentence that names what the deployment uses. */
export const formatSettings = (settings: LlmSettings | UnsetLlmSettings): string =>
	settings.provider === null ? formatUnset(settings) : formatStored(settings);

const formatUnset = ({ deployment: { provider, model } }: UnsetLlmSettings): string =>
	`Nothing is set: this workspace uses the deployment's model, ${sanitizeLine(`${model} (${provider})`)}.\n`;

const formatStored = (settings: LlmSettings): string =>
	formatTable(
		[
			["provider", settings.provider],
			["address", settings.base_url],
			["model", settings.model],
			["API key", describeKey(settings)],
			["set", `${settings.updated_at} by ${settings.updated_by}`],
		].map((row) => row.map(sanitizeLine)),
	);

function describeKey({ has_api_key, status }: LlmSettings): string {
	if (!has_api_key) return "none";
	return status === "ok"
		? "stored, encrypted"
		: "stored, but no encryption key of the service decrypts it: set it again";
}
