import type { JsonObject } from "@stemma/core";

/** The stateless revision that is spoken; there is no older one of its kind. */
export const MODERN_VERSION = "2026-07-28";

/** A tool as its server describes it. */
export interface McpTool {
	readonly name: string;
	/** Title for people. */
	readonly title?: string;
	/** Description for models. Untrusted text: see `pin`. */
	readonly description?: string;
	/** JSON Schema of the arguments. */
	readonly inputSchema: JsonObject;
	/** JSON Schema of `structuredContent`. */
	readonly outputSchema?: JsonObject;
	/** Hints of the server about what the tool does. Do not rely on them. */
	readonly annotations?: McpToolAnnotations;
	readonly _meta?: JsonObject;
}

export interface McpToolAnnotations {
	readonly title?: string;
	readonly readOnlyHint?: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint?: boolean;
}

/** A piece of what a tool gives; servers may send types that are not known here. */
export type McpContent =
	| { readonly type: "text"; readonly text: string; readonly _meta?: JsonObject }
	| { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
	| {
			readonly type: "resource_link";
			readonly uri: string;
			readonly name: string;
			readonly title?: string;
			readonly description?: string;
			readonly mimeType?: string;
	  }
	| { readonly type: "resource"; readonly resource: McpResource };

/** An embedded resource: as text, or in base64. */
export interface McpResource {
	readonly uri: string;
	readonly mimeType?: string;
	readonly text?: string;
	readonly blob?: string;
}

/** Progress of a call: `progress` grows. */
export interface McpProgress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

export const isProgress = (value: object): value is McpProgress =>
	"progress" in value && typeof value.progress === "number";

/** Request of the server to the caller before the tool goes on: `elicitation/create`, `sampling/createMessage`, … */
export interface McpInputRequest {
	readonly method: string;
	readonly params?: JsonObject;
}

/** Params of a request. */
export interface RpcParams {
	readonly [name: string]: unknown;
	readonly _meta?: object;
}

/** JSON-RPC 2.0: a response, or a request or notification of the server. */
export interface RpcMessage {
	readonly id?: unknown;
	readonly method?: string;
	readonly params?: JsonObject;
	readonly result?: JsonObject;
	readonly error?: RpcErrorObject;
}

/** Error object of JSON-RPC, typed as loosely as servers send it. */
export interface RpcErrorObject {
	readonly code?: unknown;
	readonly message?: unknown;
	readonly data?: unknown;
}
