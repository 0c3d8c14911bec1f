import type { OutputSchema } from "@stemma/client";
import type { JsonObject, JsonSchema } from "@stemma/core";

/** Tools by the names that the `tool` nodes of a graph call them by. */
export type LocalTools = Readonly<Record<string, LocalTool>>;

/** A tool that is registered in code. With a schema of a library as its `parameters`, make it with {@link defineTool}. */
export type LocalTool = ToolDefinition<JsonObject>;

/** Definition of a tool: its arguments and its function. */
export interface ToolDefinition<Arguments> {
	/**
	 * Description that models read when they decide whether to call the tool, where the node has no `description` of
	 * its own.
	 */
	readonly description?: string;
	/**
	 * Schema of the arguments, an object: JSON Schema (draft 2020-12), or a Standard Schema of zod, Valibot, ArkType
	 * and others, from which their type is inferred. Arguments that do not fit are not passed on; the model receives
	 * what is wrong with them. Default: no arguments.
	 */
	readonly parameters?: JsonSchema | ToolSchema<Arguments>;
	/**
	 * JSON Schema that models see, for a Standard Schema that does not provide one: `toJsonSchema(schema)` of
	 * `@stemma/core/zod` for zod/mini. Default: derived from `parameters`.
	 */
	readonly jsonSchema?: JsonSchema;
	/** True where another call with the same arguments has no further effect. Default false. */
	readonly idempotent?: boolean;
	/**
	 * Gives the result: text, or what `JSON.stringify` can write, of at most 250,000 characters; nothing counts as `null`.
	 * Of a result that cannot be shown the model is told that the tool was carried out. What it throws is told to the model
	 * that called, by its message (of at most 1,000 characters) and a `StemmaError`'s hint; a `before` or `then` node fails
	 * with it. The arguments are its own, to change as it likes.
	 */
	run(args: Arguments, options: ToolRunOptions): unknown;
}

/** Options of one call of a tool, besides its arguments. */
export interface ToolRunOptions {
	/** Aborts when the run ends or the result is no longer wanted. */
	readonly signal: AbortSignal;
	/** `run_…` */
	readonly runId: string;
	/** The id of the node that calls. */
	readonly node: string;
}

/** Part of a Standard Schema (standardschema.dev) with a JSON Schema that is used here. */
export interface ToolSchema<Arguments = unknown> {
	readonly "~standard": OutputSchema<Arguments>["~standard"] & {
		readonly jsonSchema?: { input(options: { readonly target: string }): Record<string, unknown> };
	};
}

/**
 * A tool whose `run` is typed by the schema of its parameters.
 *
 * @example
 * ```ts
 * const refund = defineTool({
 *   description: "Pays an order back",
 *   parameters: z.object({ order: z.string(), amount: z.number().positive() }),
 *   run: ({ order, amount }, { signal }) => payBack(order, amount, signal),
 * });
 * createLocalAgent(graph, { ports, tools: { refund } });
 * ```
 */
export function defineTool<Arguments = JsonObject>(tool: ToolDefinition<Arguments>): LocalTool {
	// `run` is called with what the schema gave alone, whatever that is.
	return tool as unknown as LocalTool;
}
