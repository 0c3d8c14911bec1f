import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDeployment, type TestDeployment } from "../test-support/test-deployment";

let deployment: TestDeployment;
beforeAll(async () => {
	deployment = await openTestDeployment(built);
});
afterAll(() => deployment?.close());

const get = (headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
	deployment.service.fetch(new Request("http://service.test/openapi.json", { headers }));

it("GET /openapi.json is open to pages of all origins, and is sent once: then 304", async () => {
	const response = await get({ origin: "https://elsewhere.example" });
	expect(response.status).toBe(200);
	expect(response.headers.get("access-control-allow-origin")).not.toBe(null);
	const { openapi, paths } = await response.json();
	expect(openapi).toBe("3.1.0");
	expect(Object.keys(paths)).toContain("/v1/ask");
	const etag = response.headers.get("etag") ?? "";
	expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
	const again = await get({ "if-none-match": etag });
	expect([again.status, await again.text()]).toEqual([304, ""]);
});
