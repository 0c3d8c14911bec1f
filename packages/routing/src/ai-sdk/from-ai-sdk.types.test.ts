import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModelV4, LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
import type { ChatModel } from "@stemma/core";
import { expectTypeOf, test } from "vitest";
import { fromAiSdk } from "./from-ai-sdk";
import type { AiSdkModel } from "./wire";

// Checked by the compiler; nothing here is called.
function rejected(embedding: EmbeddingModelV4): void {
	// @ts-expect-error the id of a model
	fromAiSdk("openai/gpt-5");
	// @ts-expect-error a provider that was not called
	fromAiSdk(createOpenAICompatible({ name: "acme", baseURL: "https://api.acme.test" }));
	// @ts-expect-error an embedding model
	fromAiSdk(embedding);
}

test("takes the models of all versions of the specification, and nothing else", () => {
	expectTypeOf<LanguageModelV2>().toExtend<AiSdkModel>();
	expectTypeOf<LanguageModelV3>().toExtend<AiSdkModel>();
	expectTypeOf<LanguageModelV4>().toExtend<AiSdkModel>();
	expectTypeOf<ReturnType<ReturnType<typeof createOpenAICompatible>>>().toExtend<AiSdkModel>();
	expectTypeOf(fromAiSdk).returns.toEqualTypeOf<ChatModel>();
	expectTypeOf(rejected).returns.toBeVoid();
});
