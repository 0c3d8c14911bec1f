import { ConfigurationError } from "@stemma/core/errors";
import { withoutUndefined } from "@stemma/core/internal";

/**
 * A path with every value escaped: ``path`/v1/agents/${id}/run` ``.
 *
 * @throws ConfigurationError for an id that would lead elsewhere: empty, `.` or `..`.
 */
export function path(texts: TemplateStringsArray, ...values: readonly string[]): string {
	return texts.reduce((built, text, index) => `${built}${escapeId(values[index - 1])}${text}`);
}

function escapeId(value: unknown): string {
	if (typeof value === "string" && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
	throw new ConfigurationError("An id is missing: a text that is not empty is needed.");
}

/** `application/x-www-form-urlencoded`; without what is `undefined`. */
export const toFormFields = (fields: Readonly<Record<string, string | number | undefined>>): string =>
	Object.entries(withoutUndefined(fields))
		.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
		.join("&");

/** The same after a question mark; nothing for no fields. */
export function toQuery(query: Parameters<typeof toFormFields>[0] = {}): string {
	const fields = toFormFields(query);
	return fields && `?${fields}`;
}
