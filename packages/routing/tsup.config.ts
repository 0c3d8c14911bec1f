import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

export default defineConfig(
	isomorphicBuild([
		"index",
		"extractive",
		"openai-compatible",
		"bedrock",
		"bedrock.node",
		"ai-sdk",
		"rerankers",
	]),
);
