import type { JsonObject, Place } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { StemmaClient } from "../client";
import { readStrings } from "../errors/read-api-error";
import type { CallOptions } from "../options/call-options";
import type { Answer } from "../types/ask";
import type { DocumentListOptions, KnowledgeBase, KnowledgeDocument } from "../types/knowledge/knowledge";
import type { SearchResult } from "../types/knowledge/search";
import type { Page, PageOptions } from "../types/page";
import { createMcpClientOver } from "./create-mcp-client";
import type { McpCallOptions, McpClient, McpOptions, McpOutcome } from "./mcp-client";
import { McpError } from "./mcp-error";

/** Input of the tool `search` of a service's own MCP server. */
export interface McpSearchRequest {
	/** 1 to 10,000 characters. */
	readonly query: string;
	/** Default: those that the credential may search. */
	readonly knowledge_base_ids?: readonly string[];
	/** 1 to 100; default 8. */
	readonly top_k?: number;
	/** 0 to 1; only where a scoring stage runs. */
	readonly min_score?: number;
	/** Metadata values that a document must have to be searched. */
	readonly filter?: JsonObject;
}

export interface McpAskRequest {
	/** 1 to 10,000 characters. */
	readonly question: string;
	/** Default: those that the credential may search. */
	readonly knowledge_base_ids?: readonly string[];
	/** 1 to 50; default 8. */
	readonly top_k?: number;
	/** 0 to 1; only where a scoring stage runs. */
	readonly min_score?: number;
	/** Metadata values that a document must have to be searched. */
	readonly filter?: JsonObject;
}

/** Knowledge bases that were searched. */
export interface McpSearchScope {
	readonly knowledge_base_ids: readonly string[];
	/** True where there are other knowledge bases that were not searched: name them to search them. */
	readonly more_knowledge_bases: boolean;
}

export interface McpSearchResult extends Omit<SearchResult, keyof McpSearchScope>, McpSearchScope {
	/** The passages in brief, in the same order. */
	readonly results: readonly { readonly id: string; readonly title: string; readonly url: string }[];
}

/** The text of a document or of one passage. */
export interface McpFetchResult {
	readonly id: string;
	/** The document's. */
	readonly title: string;
	readonly text: string;
	/** Address of the document; empty if it has none. */
	readonly url: string;
	/** The document's. */
	readonly metadata: JsonObject;
	readonly document_id: string;
	readonly knowledge_base_id: string;
	readonly source: string | null;
	/** Number of passages in the document. */
	readonly passage_count: number;
	readonly passage_id?: string;
	readonly place?: Place;
	/** The passage at which a long document goes on, to be fetched next; `null` at its end. */
	readonly next: string | null;
}

export interface McpListDocumentsRequest extends DocumentListOptions {
	readonly knowledge_base_id: string;
}

/** The tools that a service has over MCP, and whatever else it lists. */
export interface Mcp extends Pick<McpClient, "protocol" | "listTools" | "callTool" | "close"> {
	search(request: McpSearchRequest, options?: McpCallOptions): Promise<McpSearchResult>;
	/** @param request - the id of a passage or a document, as `search` gives them. */
	fetch(request: { readonly id: string }, options?: McpCallOptions): Promise<McpFetchResult>;
	ask(request: McpAskRequest, options?: McpCallOptions): Promise<Answer & McpSearchScope>;
	listKnowledgeBases(request?: PageOptions, options?: CallOptions): Promise<Page<KnowledgeBase>>;
	listDocuments(request: McpListDocumentsRequest, options?: CallOptions): Promise<Page<KnowledgeDocument>>;
}

/** The service's own MCP server, with the client's credential. Nothing is sent before the first call. */
export function mcp(client: StemmaClient, options: McpOptions = {}): Mcp {
	const service = createMcpClientOver(client, "/mcp", options);
	const { listTools, callTool, close } = service;

	const call =
		<Request extends object, Result>(name: string) =>
		async (request: Request, callOptions?: McpCallOptions): Promise<Result> => {
			const outcome = await callTool(name, request, callOptions);
			if (outcome.status === "complete" && !outcome.isError) return outcome.structuredContent as Result;
			throw toToolError(name, client.redact(outcome));
		};

	return {
		get protocol() {
			return service.protocol;
		},
		listTools,
		callTool,
		close,
		search: call("search"),
		fetch: call("fetch"),
		ask: call("ask"),
		listKnowledgeBases: (request = {}, callOptions) =>
			call<PageOptions, Page<KnowledgeBase>>("list_knowledge_bases")(request, callOptions),
		listDocuments: call("list_documents"),
	};
}

/** Key in `_meta` of the service's own error, which has the code of its API. */
const ERROR_META = "stemma/error";

function toToolError(name: string, outcome: McpOutcome): McpError {
	const { content = [], _meta = {} } = outcome.status === "complete" ? outcome : {};
	const { [ERROR_META]: serviceError } = _meta;
	const { code = "tool_failed", message, hint } = readStrings(isJsonObject(serviceError) ? serviceError : {});
	const [firstContent] = content;
	const text = firstContent?.type === "text" ? firstContent.text : "No reason was given.";
	return new McpError(`The tool \`${name}\` failed: ${message ?? text}`, { code, hint });
}
