import { describe, expect, it } from "vitest";
import { resolveConnection } from "./resolve-connection";

const folder = {
	path: "data",
	credentials: { clientId: "cl_file", clientSecret: "from the file" },
	url: "http://127.0.0.1:5000",
};

const environment = {
	STEMMA_BASE_URL: "https://stemma.example",
	STEMMA_CLIENT_ID: "cl_environment",
	STEMMA_CLIENT_SECRET: "from the environment",
};

describe("resolveConnection", () => {
	it.each([
		["the option", "http://option", environment, folder, "http://option"],
		["the environment", undefined, environment, folder, "https://stemma.example"],
		["the data folder", undefined, {}, folder, "http://127.0.0.1:5000"],
		[
			"the default",
			undefined,
			{ ...environment, STEMMA_BASE_URL: "" },
			{ ...folder, url: "" },
			"http://127.0.0.1:4000",
		],
	])("takes the address from %s", (_, option, variables, dataFolder, url) => {
		expect(resolveConnection(option, variables, dataFolder).url).toBe(url);
	});

	it("keeps the secret of a folder from whoever listens at the usual address", () => {
		const { url: _, ...stopped } = folder;
		expect(() => resolveConnection(undefined, {}, stopped)).toThrow(
			expect.objectContaining({ code: "connection_failed" }),
		);
		expect(resolveConnection("http://option", {}, stopped).url).toBe("http://option");
	});

	it("sends the secret of a folder to the folder's own service first", () => {
		const elsewhere = { STEMMA_BASE_URL: "https://stemma.example" };
		expect(resolveConnection(undefined, elsewhere, folder).url).toBe(folder.url);
		expect(resolveConnection("http://option", elsewhere, folder).url).toBe("http://option");
		const { url: _, ...stopped } = folder;
		expect(resolveConnection(undefined, elsewhere, stopped).url).toBe("https://stemma.example");
	});

	it("prefers the credentials of the environment, and says where they are from", () => {
		expect(resolveConnection(undefined, environment, folder)).toMatchObject({
			clientId: "cl_environment",
			clientSecret: "from the environment",
			credentialSource: "STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET",
		});
		expect(resolveConnection(undefined, {}, folder)).toMatchObject({
			clientId: "cl_file",
			credentialSource: expect.stringContaining("first-credentials.json"),
		});
	});

	it("says which half is missing", () => {
		expect(() => resolveConnection(undefined, { STEMMA_CLIENT_ID: "cl_1" }, folder)).toThrow(
			"STEMMA_CLIENT_ID is set, and STEMMA_CLIENT_SECRET is not.",
		);
		expect(() => resolveConnection(undefined, { STEMMA_CLIENT_SECRET: "s" }, folder)).toThrow(
			"STEMMA_CLIENT_SECRET is set, and STEMMA_CLIENT_ID is not.",
		);
	});

	it("says what to set when there is nothing", () => {
		expect(() => resolveConnection(undefined, {}, undefined)).toThrow(
			expect.objectContaining({ hint: expect.stringContaining("STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET") }),
		);
	});
});
