import type { Scope } from "@stemma/client";
import * as z from "zod";
import type { RequestScope } from "../request-scope";
import { checkInput } from "../validation/check-input";

/** A JSON Schema without `$schema`: the vocabulary that all drafts since 7 share. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Hints about a tool that a client may rely on. */
export interface ToolHints {
	readonly readOnlyHint: boolean;
	readonly destructiveHint: boolean;
	readonly idempotentHint: boolean;
	readonly openWorldHint: boolean;
}

export interface ToolCall {
	readonly scope: RequestScope;
	/** Aborts when the client leaves or gives up, and when the service stops. */
	readonly signal: AbortSignal;
	/** Tells the client how far the work is, where it has asked for that. */
	readonly reportProgress: (message: string) => void;
}

export interface Tool {
	readonly name: string;
	readonly title: string;
	/** Description for the model that chooses among tools. */
	readonly description: string;
	/** The caller needs one of these. */
	readonly scopes: readonly [Scope, ...Scope[]];
	readonly annotations: ToolHints;
	readonly inputSchema: JsonSchema;
	readonly outputSchema: JsonSchema;
	/** @throws DomainError also where the arguments are not as the schema says. */
	call(input: unknown, call: ToolCall): Promise<object>;
}

export interface ToolDefinition<Input>
	extends Omit<Tool, "annotations" | "inputSchema" | "outputSchema" | "call"> {
	readonly input: z.ZodType<Input>;
	readonly output: z.ZodType;
	/** Hints that differ from {@link READ_ONLY}. */
	readonly annotations?: Partial<ToolHints>;
	call(input: Input, call: ToolCall): Promise<object>;
}

const READ_ONLY: ToolHints = {
	readOnlyHint: true,
	destructiveHint: false,
	idempotentHint: true,
	openWorldHint: false,
};

/** A tool whose arguments are checked, and said to be wrong as in the rest of the API. */
export function defineTool<Input>({
	input,
	output,
	annotations,
	call,
	...definition
}: ToolDefinition<Input>): Tool {
	return {
		...definition,
		annotations: { ...READ_ONLY, ...annotations },
		inputSchema: toSchema(input, "input"),
		outputSchema: toSchema(output, "output"),
		call: async (args, toolCall) => call(checkInput(input, args ?? {}, "The arguments"), toolCall),
	};
}

function toSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
	const { $schema: _, ...converted } = z.toJSONSchema(schema, { io });
	return converted;
}
