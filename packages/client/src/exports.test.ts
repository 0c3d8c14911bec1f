import { expect, test } from "vitest";
import * as a2a from "./a2a";
import * as agUi from "./ag-ui";
import * as aiSdk from "./ai-sdk";
import * as index from "./index";
import * as mcp from "./mcp";
import * as mcpOAuth from "./mcp-oauth";

test.each(Object.entries({ index, mcp, mcpOAuth, a2a, agUi, aiSdk }))("%s exports", (_, entry) => {
	expect(Object.keys(entry).sort()).toMatchSnapshot();
});
