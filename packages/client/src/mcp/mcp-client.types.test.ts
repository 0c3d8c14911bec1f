import { expectTypeOf, test } from "vitest";
import { createMcpClient } from "./create-mcp-client";
import type { McpOutcome } from "./mcp-client";

// Checked by the compiler; nothing here is called.
type Tools = {
	readonly find_order: {
		readonly arguments: { readonly number: string; readonly region?: string };
		readonly result: { readonly status: string };
	};
	readonly list_orders: { readonly arguments: { readonly limit?: number }; readonly result: unknown };
};

async function accepted(): Promise<void> {
	const client = createMcpClient<Tools>({ url: "https://orders.example/mcp" });
	const outcome = await client.callTool("find_order", { number: "A7" }, { onProgress: () => undefined });
	expectTypeOf(outcome).toEqualTypeOf<McpOutcome<{ readonly status: string }>>();
	if (outcome.status === "complete")
		expectTypeOf(outcome.structuredContent?.status).toEqualTypeOf<string | undefined>();
	else expectTypeOf(await outcome.continue({})).toEqualTypeOf<McpOutcome<{ readonly status: string }>>();
	await client.callTool("list_orders");
	await client.callTool("list_orders", { limit: 3 });

	const any = createMcpClient({ url: "https://any.example/mcp" });
	await any.callTool("whatever");
	await any.callTool("whatever", { of: "any kind" });
}

async function refused(): Promise<void> {
	const client = createMcpClient<Tools>({ url: "https://orders.example/mcp" });
	// @ts-expect-error: there is no such tool
	await client.callTool("find_orders", {});
	// @ts-expect-error: it needs a number
	await client.callTool("find_order");
	// @ts-expect-error: of text
	await client.callTool("find_order", { number: 7 });
	// @ts-expect-error: it takes nothing of that name
	await client.callTool("list_orders", { most: 3 });
}

test("calls have the types of the tools", () => {
	expectTypeOf(accepted).toBeFunction();
	expectTypeOf(refused).toBeFunction();
});
