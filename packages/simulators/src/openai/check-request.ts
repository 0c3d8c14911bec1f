import type { IncomingHttpHeaders } from "node:http";
import { checkBody } from "./check-body.ts";
import { checkEmbeddings, type EmbeddingLimits } from "./check-embeddings.ts";
import type { Fields } from "./field-checks.ts";
import { Rejection, reject } from "./rejection.ts";

/** A request as it came in, before anything of it is believed. */
export interface RawRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
}

/** A request that the vendor would answer. */
export interface AcceptedRequest {
	readonly operation: "completion" | "embeddings";
	readonly body: Fields;
}

export interface RequestRules {
	/** The key that is expected; without one any is taken, and none too. */
	readonly apiKey: string | undefined;
	readonly embeddings: EmbeddingLimits;
}

const PATHS: { readonly [path: string]: AcceptedRequest["operation"] | undefined } = {
	"/v1/chat/completions": "completion",
	"/v1/embeddings": "embeddings",
};

/**
 * Looks at a request as the vendor does.
 *
 * @throws Rejection with the status and the error object that the vendor would answer.
 */
export function checkRequest(request: RawRequest, { apiKey, embeddings }: RequestRules): AcceptedRequest {
	const { method, path, headers } = request;
	const operation = PATHS[path];
	if (operation === undefined) throw new Rejection(404, `Invalid URL (${method} ${path})`);
	if (method !== "POST")
		throw new Rejection(
			405,
			`Not allowed to ${method} on ${path}. (HINT: Perhaps you meant to use a different HTTP method?)`,
			{ code: "method_not_supported" },
		);
	if (apiKey !== undefined) checkAuthorization(headers.authorization, apiKey);
	checkContentType(headers["content-type"]);
	const body = parseBody(request.text);
	return {
		operation,
		body: operation === "completion" ? checkBody(body) : checkEmbeddings(body, embeddings),
	};
}

function checkAuthorization(header: string | undefined, apiKey: string): void {
	if (header === undefined)
		throw new Rejection(
			401,
			"You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
		);
	const [, sent] = /^Bearer (\S+)$/.exec(header) ?? [];
	if (sent === apiKey) return;
	// The vendor repeats parts of the key; whoever passes its body on leaks them.
	throw new Rejection(
		401,
		`Incorrect API key provided: ${sent?.slice(0, 7)}***${sent?.slice(-4)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
		{ code: "invalid_api_key" },
	);
}

function checkContentType(header: string | undefined): void {
	if (/^application\/json\s*(;|$)/i.test(header ?? "")) return;
	reject(
		`Unsupported content type: '${header ?? ""}'. This API method only accepts 'application/json' requests.`,
		null,
		"unsupported_content_type",
	);
}

function parseBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return reject(
			"We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The API expects a JSON payload, but what was sent was not valid JSON.)",
		);
	}
}
