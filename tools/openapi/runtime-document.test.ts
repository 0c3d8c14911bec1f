import { expect, it } from "vitest";
import { ALLOWED_METHODS } from "../../packages/runtime/src/http/routes/match-route";
import { createRuntimeDocument } from "./runtime-document";
import { EXCLUDED_RUNTIME_ROUTES, RUNTIME_ROUTES } from "./runtime-routes";
import { createTypeSchemas } from "./type-schemas";

it("the document of the runtime has each route that it serves", () => {
	const methods = Object.entries(RUNTIME_ROUTES).map(([name, { method }]) => [name, method]);
	const served = Object.entries(ALLOWED_METHODS).map(([name, allow]) => [name, allow.split(",")[0]]);
	expect(Object.fromEntries(methods)).toEqual(Object.fromEntries(served));
	// The others check their methods themselves.
	expect(Object.keys(EXCLUDED_RUNTIME_ROUTES)).toEqual(["/a2a/:agentId", "other"]);
});

it("is docs/openapi-runtime.json: npm run openapi writes it", { timeout: 60_000 }, async () => {
	const document = createRuntimeDocument(createTypeSchemas("tools/openapi/runtime-types.ts", "RuntimeTypes"));
	await expect(`${JSON.stringify(document, null, "\t")}\n`).toMatchFileSnapshot(
		"../../docs/openapi-runtime.json",
	);
});
