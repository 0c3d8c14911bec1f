import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findServiceAt } from "./service-token";

let STEMMA_DATA_FOLDER: string;
beforeAll(async () => {
	STEMMA_DATA_FOLDER = await mkdtemp(join(tmpdir(), "stemma-folder-"));
});
afterAll(() => rm(STEMMA_DATA_FOLDER, { recursive: true }));

const find = (service: string, server: string, secret = "from the environment") =>
	findServiceAt(
		new URL(server),
		{},
		{
			STEMMA_DATA_FOLDER,
			STEMMA_BASE_URL: service,
			STEMMA_CLIENT_ID: "cl_1",
			STEMMA_CLIENT_SECRET: secret,
		},
	);

describe("the service whose MCP server an address is", () => {
	it.each([
		["https://stemma.example", "https://stemma.example/mcp"],
		["https://stemma.example/", "https://STEMMA.example:443/mcp"],
		["https://shared.example/stemma", "https://shared.example/stemma/mcp"],
	])("is found: %s, %s", async (service, server) => {
		expect(await find(service, server)).toMatchObject({ url: service, clientId: "cl_1" });
	});

	it.each([
		["https://stemma.example", "http://stemma.example/mcp"],
		["https://stemma.example", "https://stemma.example:8443/mcp"],
		["https://stemma.example", "https://stemma.example.evil.example/mcp"],
		["https://stemma.example", "https://evil.example/mcp?https://stemma.example/mcp"],
		["https://shared.example/stemma", "https://shared.example/other/mcp"],
		["no address", "https://stemma.example/mcp"],
	])("is none of another's: %s, %s", async (service, server) => {
		expect(await find(service, server)).toBeUndefined();
	});

	it("is not looked for where its credentials are not whole", async () => {
		expect(await find("https://stemma.example", "https://stemma.example/mcp", "")).toBeUndefined();
	});

	it("has to be there where its folder was named", async () => {
		const data = join(STEMMA_DATA_FOLDER, "nowhere");
		await expect(findServiceAt(new URL("https://orders.example/mcp"), { data }, {})).rejects.toThrow(
			"does not exist",
		);
	});
});
