import { expect, test } from "vitest";
import * as aiSdk from "./ai-sdk";
import * as bedrock from "./bedrock";
import * as bedrockNode from "./bedrock.node";
import * as extractive from "./extractive";
import * as index from "./index";
import * as openAiCompatible from "./openai-compatible";
import * as rerankers from "./rerankers";

test.each(Object.entries({ index, aiSdk, bedrock, extractive, openAiCompatible, rerankers }))(
	"%s exports",
	(_, entry) => {
		expect(Object.keys(entry).sort()).toMatchSnapshot();
	},
);

test("Node gets the same of Bedrock", () => {
	expect(Object.keys(bedrockNode).sort()).toEqual(Object.keys(bedrock).sort());
});
