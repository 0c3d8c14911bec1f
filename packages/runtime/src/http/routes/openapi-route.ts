import { createServedDocument, listsEtag } from "@stemma/protocol";
import { type HttpRequest, type HttpResponse, jsonTextResponse } from "../http-exchange";

/** The document is a file of its own in the build, which is loaded with the first request for it. */
const readDocument = createServedDocument(
	async () => (await import("../../../../../docs/openapi-runtime.json")).default,
);

/** Answers `GET /openapi.json`: what the runtime does, for programs. */
export async function respondWithOpenApi(request: HttpRequest): Promise<HttpResponse> {
	const { text, etag } = await readDocument();
	const headers = { etag, "cache-control": "private, no-cache" };
	const known = request.header("if-none-match");
	if (known !== undefined && listsEtag(known, etag)) return { status: 304, headers, body: null };
	const response = jsonTextResponse(text);
	return { ...response, headers: { ...response.headers, ...headers } };
}
