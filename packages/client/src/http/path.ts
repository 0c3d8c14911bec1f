import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";

/** A path with every value escaped: ``path`/v1/agents/${id}/run` ``. Whoever sends it checks it with `validatePath`. */
export function path(texts: TemplateStringsArray, ...values: readonly string[]): string {
	return texts.reduce((built, text, index) => `${built}${escapeId(values[index - 1])}${text}`);
}

/** Half of a character cannot be escaped. */
const escapeId = (value: unknown): string =>
	typeof value === "string" && !/[\ud800-\udfff]/u.test(value) ? encodeURIComponent(value) : "";

/** @throws ConfigurationError for an id that is none, or would lead elsewhere: empty, `.` or `..`. */
export function validatePath(path: string): string {
	if (/.\/\.{0,2}(\/|$)/.test(path))
		throw new ConfigurationError("An id is missing: a non-empty string is required.");
	return path;
}

/** `application/x-www-form-urlencoded`; without what is `undefined`. */
export const encodeFormFields = (fields: Readonly<Record<string, string | number | undefined>>): string =>
	Object.entries(omitUndefined(fields))
		.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
		.join("&");

/** Encodes fields as a query with its question mark; empty without fields. */
export function toQuery(query: Parameters<typeof encodeFormFields>[0] = {}): string {
	const fields = encodeFormFields(query);
	return fields && `?${fields}`;
}
