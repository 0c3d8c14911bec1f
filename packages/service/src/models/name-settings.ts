import { ProviderError } from "@stemma/routing";

/** Options of the library, as errors name them, and the fields of the configuration that they come from. */
const FIELDS: Readonly<Record<string, string>> = {
	"`apiKey`": "`credential`",
	"`baseUrl`": "`base_url`",
	"`credential.region`": "a third part of `credential`, the region",
};

/** The same text for those who write a configuration. */
export const nameSettings = (text: string): string =>
	text.replace(/`[\w.]+`/g, (name) => FIELDS[name] ?? name);

/** The same error for those who write a configuration. */
export function toConfiguredError(error: unknown): unknown {
	if (!ProviderError.is(error)) return error;
	const { message, hint, attempts } = error;
	const named = new ProviderError(nameSettings(message), {
		...error,
		hint: hint === undefined ? undefined : nameSettings(hint),
		cause: error.cause,
	});
	if (attempts !== undefined) named.attempts = attempts;
	return named;
}
