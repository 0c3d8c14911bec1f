import type { JsonObject } from "@stemma/core";

/** The stateless revision that is spoken; there is no older one of its kind. */
export const MODERN_VERSION = "2026-07-28";

/** A tool as its server describes it. */
export interface McpTool {
	readonly name: string;
	/** For people. */
	readonly title?: string;
	/** For models. Text of a stranger: see `pin`. */
	readonly description?: string;
	/** JSON Schema of the arguments. */
	readonly inputSchema: JsonObject;
	/** JSON Schema of `structuredContent`. */
	readonly outputSchema?: JsonObject;
	/** What the server says of what the tool does: nothing to rely on. */
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

/** How far a call is: `progress` grows. */
export interface McpProgress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

/** Something that the server asks of the caller before it goes on: `elicitation/create`, `sampling/createMessage`, … */
export interface McpInputRequest {
	readonly method: string;
	readonly params?: JsonObject;
}

/** JSON-RPC 2.0: a response, or a request or notification of the server. */
export interface RpcMessage {
	readonly id?: unknown;
	readonly method?: string;
	readonly params?: JsonObject;
	readonly result?: JsonObject;
	readonly error?: RpcErrorObject;
}

/** As lenient as servers are. */
export interface RpcErrorObject {
	readonly code?: unknown;
	readonly message?: unknown;
	readonly data?: unknown;
}
