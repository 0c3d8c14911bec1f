import { describe, expect, it } from "vitest";
import { connect, failure, sendError, serveMcp } from "../test-support/mcp-server";

const METADATA = "https://mcp.example/.well-known/oauth-protected-resource";
const refusalOf = async (status: number, challenge: string | undefined, token?: string) => {
	const server = await serveMcp({
		era: "none",
		handlers: {
			"tools/list": ({ id }, response) => {
				if (challenge !== undefined) response.setHeader("www-authenticate", challenge);
				sendError(response, status, id, -32001, "No");
			},
		},
	});
	return failure(connect(server, { token }).listTools());
};

describe("401", () => {
	it("says where to have a token", async () => {
		const error = await refusalOf(
			401,
			`Bearer realm="a", resource_metadata="${METADATA}", scope="files:read"`,
		);
		expect(error).toMatchObject({ name: "AuthenticationError", status: 401 });
		expect(error.hint).toBe(
			`The MCP server asks for a credential: pass \`auth: mcpOAuth({ … })\`, a \`token\`, or \`headers\`, with the scopes files:read. ${METADATA} names the authorization server.`,
		);
	});

	it.each([
		undefined,
		"Bearer",
		'Bearer resource_metadata=""',
		`Bearer resource_metadata="${"x".repeat(2000)}"`,
	])("says no more than there is: %#", async (challenge) => {
		const error = await refusalOf(401, challenge);
		expect(error).toMatchObject({
			name: "AuthenticationError",
			hint: "The MCP server asks for a credential: pass `auth: mcpOAuth({ … })`, a `token`, or `headers`.",
		});
	});

	it("repeats no credential", async () => {
		const error = await refusalOf(
			401,
			'Bearer resource_metadata="https://a/?t=a-secret-token"',
			"a-secret-token",
		);
		expect(error.hint).toContain("https://a/?t=[redacted]");
	});
});

describe("403", () => {
	it("names the scopes that are missing", async () => {
		const error = await refusalOf(
			403,
			`Bearer error="insufficient_scope", scope="files:write", resource_metadata="${METADATA}"`,
		);
		expect(error).toMatchObject({ name: "PermissionError", status: 403, code: "insufficient_scope" });
		expect(error.hint).toContain("files:write");
		expect(error.hint).toContain(METADATA);
	});

	it("may have another reason", async () => {
		expect(await refusalOf(403, undefined)).toMatchObject({
			name: "PermissionError",
			hint: "The credential is not allowed to do this.",
		});
	});
});

it("a token that is refused is asked for once more", async () => {
	const tokens = ["old", "new"];
	const server = await serveMcp({
		era: "modern",
		handlers: {
			"tools/list": ({ headers }, response) =>
				headers.authorization === "Bearer new" ? { tools: [] } : void response.writeHead(401).end(),
		},
	});
	expect(await connect(server, { token: () => tokens.shift() ?? "new" }).listTools()).toEqual({ tools: [] });
	expect(server.count("tools/list")).toBe(2);
});
