import { createDocumentLinks, type DocumentLinks } from "../answering/document-links";
import type { RequestScope } from "../request-scope";
import { readPublicOrigin } from "./auth/public-origin";
import type { ServiceContext } from "./service-context";

/** The scope of a request behind `requireCaller`. */
export const toScope = (context: ServiceContext): RequestScope => ({
	kernel: context.get("kernel"),
	workspace: context.get("workspace"),
	caller: context.get("caller"),
	requestId: context.get("requestId"),
	depth: context.get("depth"),
	bytes: Number(context.req.header("content-length")) || 0,
	signal: context.req.raw.signal,
	traceContext: context.get("span")?.traceContext,
	documentLinks: toDocumentLinks(context),
});

/** Links of documents for the caller of a request. */
export const toDocumentLinks = (context: ServiceContext): DocumentLinks =>
	createDocumentLinks({
		caller: context.get("caller"),
		readOrigin: () => readPublicOrigin(context),
		tokens: context.get("kernel").documentTokens,
	});
