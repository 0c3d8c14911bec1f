import { expect, test } from "vitest";
import { toPersonClaims } from "./person-claims";

const options = { trustEmail: false, groupsClaim: "groups" };
const claims = { iss: "https://login.example", sub: "u1" };

test("reads a person", () => {
	const given = { ...claims, email: " Ada@Example.com", email_verified: true, name: "Ada\u202e", sid: "s1" };
	expect(toPersonClaims({ ...given, groups: ["a", 7, "b"] }, options)).toEqual({
		...{ issuer: "https://login.example", subject: "u1", email: "ada@example.com", name: "Ada", sid: "s1" },
		groups: ["a", "b"],
	});
});

test.each([
	[{ email: "ada@example.com" }, undefined],
	[{ email: "ada@example.com", email_verified: false }, undefined],
	[{ email: "ada@example.com", email_verified: "false" }, undefined],
	[{ email: "ada@example.com", email_verified: "true" }, "ada@example.com"],
	[{ email: "no address", email_verified: true }, undefined],
	[{ email_verified: true }, undefined],
])("takes no address that is not verified: %j", (more, email) => {
	expect(toPersonClaims({ ...claims, ...more }, options)?.email).toBe(email);
});

test("takes addresses of an issuer that is trusted with them", () => {
	const given = { ...claims, email: "ada@example.com" };
	expect(toPersonClaims(given, { ...options, trustEmail: true })?.email).toBe("ada@example.com");
});

test.each([{ iss: "x" }, { iss: "x", sub: "" }, { iss: "x", sub: undefined }])(
	"is nobody without a subject: %j",
	(given) => {
		expect(toPersonClaims(given, options)).toBeUndefined();
	},
);

test.each([
	["staff", ["staff"]],
	[undefined, []],
	[{ a: 1 }, []],
])("reads groups %j", (groups, expected) => {
	expect(toPersonClaims({ ...claims, groups }, options)?.groups).toEqual(expected);
});
