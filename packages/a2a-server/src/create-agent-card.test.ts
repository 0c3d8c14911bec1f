import { describe, expect, it } from "vitest";
import { BEARER_SECURITY, createAgentCard } from "./create-agent-card";
import { createTestAgent } from "./test-support/test-agent";

describe("a card", () => {
	it("says what is there", () => {
		const url = "https://a.example/a2a/desk";
		expect(createAgentCard({ id: "desk", version: "3", url, ...BEARER_SECURITY })).toEqual({
			name: "desk",
			description: "The agent desk.",
			version: "3",
			supportedInterfaces: [
				{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
				{ url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
			],
			capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
			defaultInputModes: ["text/plain", "application/json"],
			defaultOutputModes: ["text/plain", "application/json"],
			skills: [{ id: "desk", name: "desk", description: "The agent desk.", tags: ["agent"] }],
			securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
			securityRequirements: [{ schemes: { bearer: { list: [] } } }],
		});
	});

	const PATH = "/.well-known/agent-card.json";

	it("needs no version, and is sent once", async () => {
		const { send } = createTestAgent();
		const first = await send(PATH, { headers: { "a2a-version": "" } });
		expect(first.headers.get("content-type")).toBe("application/json");
		expect(first.headers.get("cache-control")).toBe("private, max-age=60");
		expect(await first.json()).toMatchObject({ name: "desk" });
		const etag = first.headers.get("etag") ?? "";
		for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
			const again = await send(PATH, { headers: { "if-none-match": tag } });
			expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
		}
		const changed = createTestAgent({ card: { version: "2" } });
		expect((await changed.send(PATH, { headers: { "if-none-match": etag } })).status).toBe(200);
	});

	it("is read alone", async () => {
		expect((await createTestAgent().send(PATH, { method: "POST" })).status).toBe(404);
	});
});
