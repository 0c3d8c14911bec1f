import { asText, type Fields } from "./lenient-json";

/** Part of an error that is kept as a cause. */
export interface ErrorTrace extends Error {
	/** System's error code: `ECONNREFUSED`, `UND_ERR_SOCKET`. */
	readonly code?: string;
}

const NAME = /^[A-Za-z_]{0,60}(?:Error|Exception)$/;
const CODE = /^(?:E[A-Z]{2,14}|[A-Z]+(?:_[A-Z\d]+){1,8})$/;

/**
 * The name of an error and the code that it or what lies in it has, where they look like such: the rest (words, fields,
 * causes) may hold the prompt, a key, or what the vendor said. Undefined where there is no error.
 */
export function toErrorTrace(chain: readonly Fields[]): ErrorTrace | undefined {
	const [error] = chain;
	if (error === undefined) return undefined;
	const name = asText(error.name);
	const code = chain.map((link) => asText(link.code)).find((text) => CODE.test(text));
	return Object.assign(new Error("Words left out."), {
		name: NAME.test(name) ? name : "Error",
		...(code && { code }),
	});
}
