import { findJsonLimitIssue } from "@stemma/core/internal";
import type * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import { checkInput, invalidInput } from "../../validation/check-input";
import { locateJsonError } from "../../validation/locate-json-error";
import type { ServiceContext } from "../service-context";
import { DEFAULT_MAX_BODY_BYTES, readBody } from "./read-body";

/** Options of reading a JSON body and checking it against a schema. */
export interface ReadJsonOptions {
	/** Default 2 MiB. */
	readonly maxBytes?: number;
}

/**
 * The body of a request, as its schema says; see {@link checkInput}.
 *
 * @throws DomainError `unsupported_media_type`, `body_too_large`, `invalid_json`, `unknown_field`, `invalid_request`.
 */
export async function readJson<Output>(
	context: ServiceContext,
	schema: z.ZodType<Output>,
	{ maxBytes = DEFAULT_MAX_BODY_BYTES }: ReadJsonOptions = {},
): Promise<Output> {
	assertJsonType(context.req.header("content-type"));
	const bytes = await readBody(context, maxBytes);
	return checkInput(schema, parseBody(bytes), "The body");
}

/**
 * The query of a request, as its schema says: each parameter is text and may be there once. `limit` and `after` belong
 * to {@link readPageRequest}.
 */
export function readQuery<Output>(context: ServiceContext, schema: z.ZodType<Output>): Output {
	const input: Record<string, string> = {};
	for (const [name, values] of Object.entries(context.req.queries())) {
		const [value = "", ...more] = values;
		if (more.length > 0)
			throw new DomainError("invalid_request", `The parameter "${name}" occurs more than once.`, {
				param: name,
			});
		if (name !== "limit" && name !== "after") input[name] = value;
	}
	return checkInput(schema, input, "The query");
}

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** @throws DomainError `unsupported_media_type` */
export function assertJsonType(contentType: string | undefined): void {
	if (contentType !== undefined && JSON_TYPE.test(contentType)) return;
	throw new DomainError("unsupported_media_type", "The body must be JSON in UTF-8.", {
		hint: "Send the header content-type: application/json.",
	});
}

/**
 * The body as JSON.
 *
 * @throws DomainError `invalid_json`; `invalid_request` if it is nested too deep or holds too many values.
 */
export function parseBody(bytes: Uint8Array): unknown {
	const text = decodeUtf8(bytes);
	assertJsonLimits(text, "The body");
	try {
		return JSON.parse(text);
	} catch {
		const { message, ...location } = locateJsonError(text);
		throw new DomainError("invalid_json", `The body is not JSON: ${message}.`, { details: location });
	}
}

/** @throws DomainError `invalid_request` for JSON that is nested too deep, holds too many values, or is no Unicode text. */
export function assertJsonLimits(text: string, subject: string): void {
	const issue = findJsonLimitIssue(text);
	if (issue !== undefined) throw invalidInput([{ ...issue, isUnknownField: false }], subject);
}

function decodeUtf8(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new DomainError("invalid_json", "The body is not UTF-8.");
	}
}
