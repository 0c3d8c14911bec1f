import { describe, expect, it } from "vitest";
import { createTestAgent } from "../test-support/test-agent";

/** A2A 1.0.1, sections 4.4 and 8: the card. */
const PATH = "/.well-known/agent-card.json";

async function readCard(options: Parameters<typeof createTestAgent>[0] = {}) {
	const response = await createTestAgent(options).send(PATH, { headers: { "a2a-version": "" } });
	return { response, card: await response.json() };
}

describe("8 Agent Card", () => {
	it("8.1 MUST be available, at the well-known address behind the agent's own (8.2), without a version", async () => {
		const { response } = await readCard();
		expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
	});

	it("14.3 MUST be an AgentCard with all that 4.4.1 requires", async () => {
		const { card } = await readCard();
		for (const name of ["name", "description", "version"]) expect(card[name]).toMatch(/./);
		for (const name of ["supportedInterfaces", "defaultInputModes", "defaultOutputModes", "skills"])
			expect(card[name].length).toBeGreaterThan(0);
		for (const { id, name, description, tags } of card.skills) {
			expect([id, name, description].every((text) => typeof text === "string" && text !== "")).toBe(true);
			expect(tags.length).toBeGreaterThan(0);
		}
		expect(card.capabilities).toMatchObject({
			streaming: true,
			pushNotifications: false,
			extendedAgentCard: false,
		});
	});

	it("5.2 and 8.3.1 MUST declare all bindings with their address and version, without a patch number (3.6)", async () => {
		const { card } = await readCard();
		const url = "http://127.0.0.1/a2a/desk";
		expect(card.supportedInterfaces).toEqual([
			{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
			{ url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
		]);
	});

	it("4.6.1 declares extensions", async () => {
		const extensions = [{ uri: "https://a.example/x/v1", description: "X", required: false }];
		const { card } = await readCard({ card: { extensions } });
		expect(card.capabilities.extensions).toEqual(extensions);
	});

	it("8.6.1 SHOULD have Cache-Control with max-age, and an ETag that changes with the card", async () => {
		const { response } = await readCard();
		expect(response.headers.get("cache-control")).toMatch(/max-age=\d+/);
		const etag = response.headers.get("etag") ?? "";
		expect(etag).toMatch(/^"/);
		const same = await createTestAgent().send(PATH, { headers: { "if-none-match": etag } });
		expect([same.status, await same.text()]).toEqual([304, ""]);
		const other = await readCard({ card: { version: "2" } });
		expect(other.response.headers.get("etag")).not.toBe(etag);
	});
});
