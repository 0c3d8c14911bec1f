import { readBody } from "../../http/body/read-body";
import type { ServiceContext } from "../../http/service-context";

const MAX_TOKEN_FORM_BYTES = 16 * 1024;

/** Error of a token request, as RFC 6749, section 5.2, has it. */
export class TokenError extends Error {
	constructor(
		readonly code: string,
		description: string,
		readonly status: 400 | 401 | 429 = 400,
		readonly retryAfterSeconds?: number,
	) {
		super(description);
	}
}

/** Reads the form of a token request. @throws TokenError `invalid_request` */
export async function readTokenForm(context: ServiceContext): Promise<URLSearchParams> {
	const type = context.req.header("content-type") ?? "";
	if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
		throw new TokenError("invalid_request", "The body must be application/x-www-form-urlencoded.");
	const bytes = await readBody(context, MAX_TOKEN_FORM_BYTES);
	const form = new URLSearchParams(new TextDecoder().decode(bytes));
	for (const name of form.keys())
		if (form.getAll(name).length > 1)
			throw new TokenError(
				"invalid_request",
				"A form parameter occurs more than once. Send each parameter once.",
			);
	return form;
}

/** Reads a parameter that must be there. @throws TokenError `invalid_request` */
export function readParameter(form: URLSearchParams, name: string): string {
	const value = form.get(name);
	if (value === null || value === "") throw new TokenError("invalid_request", `${name} is missing.`);
	return value;
}

/** Responds with the error of a token request; others are thrown on. */
export function respondWithTokenError(context: ServiceContext, error: unknown): Response {
	if (!(error instanceof TokenError)) throw error;
	if (error.status === 401) context.header("www-authenticate", 'Basic realm="stemma", charset="UTF-8"');
	if (error.retryAfterSeconds !== undefined) context.header("retry-after", String(error.retryAfterSeconds));
	return context.json({ error: error.code, error_description: error.message }, error.status);
}
