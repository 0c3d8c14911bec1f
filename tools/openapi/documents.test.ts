import { describe, expect, it } from "vitest";
import { toPathTemplate } from "./document-parts";
import { writeDocumentTypes } from "./document-types";
import { EXCLUDED_ROUTES } from "./exclusions";
import { ALLOWED_METHODS, createRouteApp, listServedRoutes } from "./parts";
import { createRuntimeDocument } from "./runtime-document";
import { EXCLUDED_RUNTIME_ROUTES, RUNTIME_ROUTES } from "./runtime-routes";
import { createServiceDocument } from "./service-document";
import { openTypes } from "./type-schemas";

const routes = listServedRoutes(createRouteApp());
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
	`${method} ${path}`;

describe("the document of the service", () => {
	it("has each route that is served, but those that are excluded with a reason", () => {
		const undescribed = routes.filter(({ description }) => description === undefined).map(nameOf);
		expect(undescribed.sort()).toEqual(Object.keys(EXCLUDED_ROUTES).sort());
	});

	it("has examples that the service accepts", () => {
		const examples = routes.flatMap(({ description }) =>
			description?.example === undefined || description.body === undefined
				? []
				: [description.body.safeParse(description.example)],
		);
		expect(examples.length).toBeGreaterThan(20);
		expect(examples.filter(({ success }) => !success)).toEqual([]);
	});
});

describe("the document of the runtime", () => {
	it("has each route that it serves", () => {
		const methods = Object.entries(RUNTIME_ROUTES).map(([name, { method }]) => [name, method]);
		const served = Object.entries(ALLOWED_METHODS).map(([name, allow]) => [name, allow.split(",")[0]]);
		expect(Object.fromEntries(methods)).toEqual(Object.fromEntries(served));
		// The others check their methods themselves.
		expect(Object.keys(EXCLUDED_RUNTIME_ROUTES)).toEqual(["/a2a/:agentId", "other"]);
	});
});

it("the committed documents and their types are those of the code: npm run openapi writes them", {
	timeout: 120_000,
}, async () => {
	const createTypeSchemas = openTypes("tools/openapi/runtime-types.ts");
	const write = (document: object): string => `${JSON.stringify(document, null, "\t")}\n`;
	const service = createServiceDocument(routes, createTypeSchemas("ResponseTypes"));
	await expect(write(service)).toMatchFileSnapshot("../../docs/openapi.json");
	const runtime = createRuntimeDocument(createTypeSchemas("RuntimeTypes"));
	await expect(write(runtime)).toMatchFileSnapshot("../../docs/openapi-runtime.json");
	const types = await writeDocumentTypes([runtime, service]);
	await expect(types).toMatchFileSnapshot("../contract/document-types.ts");
});

it("paths have their parameters in braces", () => {
	expect(toPathTemplate("/v1/models/:id{(?!resolve$).+}")).toEqual({
		template: "/v1/models/{id}",
		names: ["id"],
	});
});
