import { ConfigurationError } from "@stemma/core/errors";

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

export function toQuery(query: Readonly<Record<string, string | number | undefined>> = {}): string {
	const pairs = Object.entries(query).flatMap(([name, value]) =>
		value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
	);
	return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** `application/x-www-form-urlencoded`. */
export const toFormFields = (fields: Readonly<Record<string, string>>): string =>
	Object.entries(fields)
		.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
		.join("&");
