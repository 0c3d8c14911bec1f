import type { JsonObject } from "@stemma/core";
import { expectTypeOf, test } from "vitest";
import { createLocalAgent } from "../create-local-agent";
import { defineTool, type LocalTool, type ToolSchema } from "./define-tool";

// Checked by the compiler; nothing here is called.
declare const schema: ToolSchema<{ readonly order: string; readonly at: Date }>;
declare const graph: Parameters<typeof createLocalAgent>[0];
interface Invoice {
	readonly total: number;
	readonly note?: string;
}
declare const invoice: Invoice;
const jsonSchema = { type: "object", properties: { order: { type: "string" } } } as const;

function accepted(): void {
	const typed = defineTool({
		parameters: schema,
		run({ order, at }, { signal, runId, node }) {
			expectTypeOf(order).toEqualTypeOf<string>();
			expectTypeOf(at).toEqualTypeOf<Date>();
			expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
			expectTypeOf([runId, node]).toEqualTypeOf<string[]>();
			return { order };
		},
	});
	expectTypeOf(typed).toEqualTypeOf<LocalTool>();
	defineTool({ parameters: jsonSchema, run: (args) => expectTypeOf(args).toEqualTypeOf<JsonObject>() && "" });
	defineTool({ parameters: jsonSchema, run: ({ order }: { readonly order: string }) => order });
	defineTool({ run: async () => undefined });
	defineTool({ run() {} });
	defineTool({ run: async (): Promise<string | undefined> => undefined });
	defineTool({
		parameters: schema,
		run: async ({ order }) => {
			if (order === "A1") return;
			return { order, paid_at: new Date(), by: undefined };
		},
	});
	defineTool({ run: async () => invoice });
	createLocalAgent(graph, { ports: {} }).run({ input: invoice, context: invoice });
	createLocalAgent(graph, {
		ports: {},
		tools: { typed, plain: { parameters: jsonSchema, run: async ({ order }) => order ?? null } },
	});
}

function rejected(): void {
	// @ts-expect-error no argument of that name
	defineTool({ parameters: schema, run: ({ amount }) => String(amount) });
	// @ts-expect-error a tool that does nothing
	defineTool({ parameters: schema });
	// @ts-expect-error a function alone
	createLocalAgent(graph, { ports: {}, tools: { refund: () => "paid" } });
}

async function output(agent: ReturnType<typeof createLocalAgent>): Promise<void> {
	const checked = await agent.run({ input: "", output: schema });
	expectTypeOf(checked.output.at).toEqualTypeOf<Date>();
	// @ts-expect-error nothing to work on
	await agent.run({ input: undefined });
	// @ts-expect-error nothing has checked it
	(await agent.run({ input: "" })).output.at;
}

test("the compiler checks tools", () => {
	expectTypeOf([accepted, rejected]).toEqualTypeOf<(() => void)[]>();
	expectTypeOf(output).returns.toEqualTypeOf<Promise<void>>();
});
