import { describe, expect, it } from "vitest";
import { toPathTemplate } from "./document-parts";
import { EXCLUDED_ROUTES } from "./exclusions";
import { createRouteApp, listServedRoutes } from "../../packages/service/src/openapi/served-routes";
import { createServiceDocument } from "./service-document";
import { createTypeSchemas } from "./type-schemas";

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

	it("is docs/openapi.json: npm run openapi writes it", { timeout: 60_000 }, async () => {
		const types = createTypeSchemas("packages/service/src/openapi/response-types.ts", "ResponseTypes");
		const document = createServiceDocument(routes, types);
		await expect(`${JSON.stringify(document, null, "\t")}\n`).toMatchFileSnapshot("../../docs/openapi.json");
	});
});

it("paths have their parameters in braces", () => {
	expect(toPathTemplate("/v1/models/:id{(?!resolve$).+}")).toEqual({
		template: "/v1/models/{id}",
		names: ["id"],
	});
});
