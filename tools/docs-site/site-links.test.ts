import { expect, it } from "vitest";
import { root } from "../sources/list-files";
import { toSiteLink } from "./site-links";

const WEB = "https://github.com/stemma-ai/stemma";

it.each([
	["http-api.md", "docs/client.md", "/http-api.md"],
	["http-api.md#approvals", "docs/client.md", "/http-api.md#approvals"],
	["README.md", "docs/client.md", "/index.md"],
	["../README.md", "docs/README.md", "/start.md"],
	["docs/README.md", "README.md", "/index.md"],
	["../packages/react/README.md", "docs/README.md", "/packages/react.md"],
	["../react", "packages/client/README.md", "/packages/react.md"],
	["../CODE_OF_CONDUCT.md", "docs/support.md", "/code-of-conduct.md"],
	["openapi.json", "docs/http-api.md", "/http/openapi.json"],
	["../examples/ag-ui", "docs/README.md", `${WEB}/tree/v0.1.0/examples/ag-ui`],
	["examples/handbook/agent.json", "README.md", `${WEB}/blob/v0.1.0/examples/handbook/agent.json`],
	["../.github/workflows/test.yml", "docs/support.md", `${WEB}/blob/v0.1.0/.github/workflows/test.yml`],
	[`${WEB}/blob/main/docs/client.md#react`, "packages/react/README.md", "/client.md#react"],
	[`${WEB}/tree/main/examples/ag-ui`, "packages/react/README.md", `${WEB}/tree/v0.1.0/examples/ag-ui`],
	[`${WEB}/issues`, "packages/react/README.md", `${WEB}/issues`],
	["#versions", "docs/support.md", "#versions"],
	["https://semver.org/#a", "docs/support.md", "https://semver.org/#a"],
])("%s of %s leads to %s", (link, file, expected) => {
	expect(toSiteLink(link, file, { root, ref: "v0.1.0" })).toBe(expected);
});
