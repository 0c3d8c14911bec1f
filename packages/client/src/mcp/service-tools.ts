import type { JsonObject, Place } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CallOptions } from "../call-options";
import type { StemmaClient } from "../client";
import { readTexts } from "../read-api-error";
import type { Answer } from "../types/ask";
import type { DocumentListOptions, KnowledgeBase, KnowledgeDocument } from "../types/knowledge";
import type { Page, PageOptions } from "../types/page";
import type { SearchResult } from "../types/search";
import { createMcpClientOver } from "./create-mcp-client";
import type { McpCallOptions, McpClient, McpOptions, McpOutcome } from "./mcp-client";
import { McpError } from "./mcp-error";

export interface McpSearch {
	/** 1 to 10,000 characters. */
	readonly query: string;
	/** Default: those that the credential may search. */
	readonly knowledge_base_ids?: readonly string[];
	/** 1 to 100; default 8. */
	readonly top_k?: number;
}

export interface McpAsk {
	/** 1 to 10,000 characters. */
	readonly question: string;
	/** Default: those that the credential may search. */
	readonly knowledge_base_ids?: readonly string[];
}

/** Where a question went. */
export interface McpSearched {
	readonly knowledge_base_ids: readonly string[];
	/** There are others, which were not looked in: name them to do so. */
	readonly more_knowledge_bases: boolean;
}

export interface McpFound extends Omit<SearchResult, keyof McpSearched>, McpSearched {
	/** The passages in brief, in the same order. */
	readonly results: readonly { readonly id: string; readonly title: string; readonly url: string }[];
}

/** The text of a document or of one passage. */
export interface McpFetched {
	readonly id: string;
	/** The document's. */
	readonly title: string;
	readonly text: string;
	/** Address of the document; empty where it has none. */
	readonly url: string;
	/** The document's. */
	readonly metadata: JsonObject;
	readonly document_id: string;
	readonly knowledge_base_id: string;
	readonly source: string | null;
	/** Of the document. */
	readonly passage_count: number;
	readonly passage_id?: string;
	readonly place?: Place;
	/** The passage at which a long document goes on, to be fetched next; `null` at its end. */
	readonly next: string | null;
}

export interface McpDocuments extends DocumentListOptions {
	readonly knowledge_base_id: string;
}

/** The tools that a service has over MCP, and whatever else it lists. */
export interface Mcp extends Pick<McpClient, "protocol" | "listTools" | "callTool" | "close"> {
	search(request: McpSearch, options?: McpCallOptions): Promise<McpFound>;
	/** @param request - the id of a passage or a document, as `search` gives them. */
	fetch(request: { readonly id: string }, options?: McpCallOptions): Promise<McpFetched>;
	ask(request: McpAsk, options?: McpCallOptions): Promise<Answer & McpSearched>;
	listKnowledgeBases(request?: PageOptions, options?: CallOptions): Promise<Page<KnowledgeBase>>;
	listDocuments(request: McpDocuments, options?: CallOptions): Promise<Page<KnowledgeDocument>>;
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

/** Where the service has its own error, with the code of its API. */
const ERROR_META = "stemma/error";

function toToolError(name: string, outcome: McpOutcome): McpError {
	const { content = [], _meta = {} } = outcome.status === "complete" ? outcome : {};
	const { [ERROR_META]: told } = _meta;
	const { code = "tool_failed", message, hint } = readTexts(isJsonObject(told) ? told : {});
	const [said] = content;
	const text = said?.type === "text" ? said.text : "No reason was given.";
	return new McpError(`The tool \`${name}\` failed: ${message ?? text}`, { code, hint });
}
