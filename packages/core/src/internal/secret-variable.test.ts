import { expect, test } from "vitest";
import { toSecretVariable } from "./secret-variable";

test.each([
	["billing", "STEMMA_TOOL_BILLING"],
	["my-tool.v2", "STEMMA_TOOL_MY_TOOL_V2"],
	["schlüssel", "STEMMA_TOOL_SCHL_SSEL"],
])("the secret %s is the variable %s", (name, variable) => expect(toSecretVariable(name)).toBe(variable));
