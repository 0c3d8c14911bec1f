import { createUnsupportedError } from "../completions/unsupported-fields";
import { DomainError } from "../errors/domain-error";
import type { ResponseRequest } from "./response-request";

type Field = keyof ResponseRequest;

/** Values of fields that ask for nothing. */
const NEUTRAL_VALUES: { readonly [field in Field]?: readonly unknown[] } = {
	conversation: [],
	prompt: [],
	max_tool_calls: [],
	top_logprobs: [0],
	truncation: ["disabled"],
	context_management: [],
	moderation: [],
};

/** Inclusions that a response never has, so that nothing is left out. */
const ABSENT_INCLUDES: readonly unknown[] = ["reasoning.encrypted_content"];

/**
 * Refuses what would change the answer and is not carried out.
 *
 * @throws DomainError `unsupported_parameter`; `invalid_request` for fields that exclude each other.
 */
export function assertSupported(request: ResponseRequest): void {
	for (const [field, values] of Object.entries(NEUTRAL_VALUES)) {
		const value = request[field as Field];
		if (value != null && !values.includes(value))
			throw createUnsupportedError(field, `\`${field}\` is not supported.`);
	}
	assertIncludes(request.include);
	if (request.background !== true) return;
	if (request.store === false)
		throw new DomainError("invalid_request", "A response in the background has to be stored.", {
			param: "store",
			hint: "Leave `store` out, or do without `background`.",
		});
}

function assertIncludes(include: unknown): void {
	if (include == null) return;
	if (Array.isArray(include) && include.every((name) => ABSENT_INCLUDES.includes(name))) return;
	throw createUnsupportedError("include", "Nothing can be included in addition.");
}
