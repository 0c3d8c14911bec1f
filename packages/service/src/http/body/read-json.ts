import { MAX_JSON_BODY_BYTES } from "@stemma/core/internal";
import { assertJsonType, parseJson } from "@stemma/protocol";
import type * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import { checkInput } from "../../validation/check-input";
import type { ServiceContext } from "../service-context";
import { readBody } from "./read-body";

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
	{ maxBytes = MAX_JSON_BODY_BYTES }: ReadJsonOptions = {},
): Promise<Output> {
	assertJsonType(context.req.header("content-type"));
	const bytes = await readBody(context, maxBytes);
	return checkInput(schema, parseJson(bytes), "The body");
}

/**
 * The query of a request, as its schema says: each parameter is text and may be there once. `limit` and `after` belong
 * to the page of a list.
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
