/** JSON object whose fields are not checked. */
export type Fields = { readonly [name: string]: unknown };

/** The body of a request that passed all checks, as far as behaviours and their tests read it. */
export interface ConverseRequest extends Fields {
	readonly messages: readonly ConverseMessage[];
	readonly system?: readonly Fields[];
	readonly inferenceConfig?: Fields;
	readonly toolConfig?: ToolConfiguration;
}

export interface ConverseMessage {
	readonly role: string;
	readonly content: readonly ContentBlock[];
}

export interface ContentBlock extends Fields {
	readonly text?: string;
	readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: unknown };
	readonly toolResult?: ToolResult;
}

export interface ToolResult {
	readonly toolUseId: string;
	readonly content: readonly { readonly text?: string; readonly json?: unknown }[];
	readonly status?: string;
}

export interface ToolConfiguration {
	readonly tools: readonly { readonly toolSpec?: ToolSpecification }[];
	readonly toolChoice?: { readonly tool?: { readonly name: string } };
}

export interface ToolSpecification {
	readonly name: string;
	readonly description?: string;
	readonly inputSchema: { readonly json?: unknown };
}

export const isObject = (value: unknown): value is Fields =>
	typeof value === "object" && value !== null && !Array.isArray(value);
