// What the pages take for granted around their snippets.
import type * as client from "@stemma/client";
import type { A2aClient } from "@stemma/client/a2a";
import type { McpClient, McpInputRequired, McpLock } from "@stemma/client/mcp";
import type { StandardSchemaV1 } from "./standard-schema";

declare global {
	const stemma: client.Stemma;
	const run: client.AgentRunStream;
	const handbook: client.KnowledgeBase;
	const found: client.FoundPassage;
	const bytes: Uint8Array;
	const signal: AbortSignal;
	const agent: A2aClient;
	const tools: McpClient;
	const lock: McpLock;
	type Tools = {
		readonly find_order: { readonly arguments: { readonly number: string }; readonly result: unknown };
	};
	function openAndWait(authorizationUrl: string, signal: AbortSignal): Promise<string>;
	const oauth: { accessToken(): Promise<string> };
	function askThePerson(
		requests: McpInputRequired["inputRequests"],
	): Promise<Readonly<Record<string, object>>>;
	const z: {
		boolean(): boolean;
		object<Shape>(shape: Shape): StandardSchemaV1<Shape>;
	};
	const isStemmaError: typeof client.isStemmaError;
	const RateLimitError: typeof client.RateLimitError;
	const RunFailedError: typeof client.RunFailedError;
	function show(shown: unknown): void;
	function showPartial(result: object): void;
	function showError(message: string, hint: string | undefined): void;
	function retryLater(milliseconds: number | undefined): void;
	function callSomebody(): Promise<void>;
	function answerCustomer(stemma: client.Stemma, question: string): Promise<string>;
	function expect(
		value: unknown,
	): Record<"toHaveLength" | "toMatchObject" | "toEqual", (expected: unknown) => void>;
}
