import { expect, test } from "vitest";
import * as bedrock from "./bedrock";
import * as bedrockNode from "./bedrock.node";

test("Node gets the same of Bedrock", () => {
	expect(Object.keys(bedrockNode).sort()).toEqual(Object.keys(bedrock).sort());
});
