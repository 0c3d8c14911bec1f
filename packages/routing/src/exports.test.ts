import { expect, test } from "vitest";
import * as extractive from "./extractive";
import * as index from "./index";
import * as openAiCompatible from "./openai-compatible";

test.each(Object.entries({ index, extractive, openAiCompatible }))("%s exports", (_, entry) => {
	expect(Object.keys(entry).sort()).toMatchSnapshot();
});
