import { expect, it } from "vitest";
import { createTestRuntime } from "../../test-support/scripted";

it("GET /openapi.json has the routes of the runtime, once: then 304", async () => {
	const { get } = await createTestRuntime();
	const response = await get("/openapi.json");
	expect(response.status).toBe(200);
	const { openapi, paths } = await response.json();
	expect(openapi).toBe("3.1.0");
	expect(Object.keys(paths)).toContain("/run/{agentId}");
	const etag = response.headers.get("etag") ?? "";
	expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
	const again = await get("/openapi.json", { "if-none-match": etag });
	expect([again.status, await again.text()]).toEqual([304, ""]);
});
