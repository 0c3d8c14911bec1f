import { expect, it } from "vitest";
import { addParameters, isRedirectUri, isRegisteredRedirectUri, toRedirectHost } from "./redirect-uri";

it.each([
	["https://app.example/callback", true],
	["https://app.example/callback?from=stemma", true],
	["http://127.0.0.1:3334/callback", true],
	["http://localhost/callback", true],
	["http://[::1]:9/", true],
	["http://app.example/callback", false],
	["http://127.0.0.1.app.example/", false],
	["http://127.1/callback", false],
	["http://localhost@app.example/", false],
	["https://user:password@app.example/", false],
	["https://app.example/callback#part", false],
	["https://app.example\\@evil.example/", false],
	["https://app.example/\nlocation", false],
	["https://äpp.example/", false],
	["javascript:alert(1)", false],
	["data:text/html,x", false],
	["com.example.app:/callback", false],
	["//app.example/", false],
	["/callback", false],
	["", false],
])("tells whether %j can be a redirect address: %s", (uri, expected) => {
	expect(isRedirectUri(uri)).toBe(expected);
});

it.each([
	["https://app.example/callback", "https://app.example/callback", true],
	["https://app.example/callback", "https://app.example/callback/", false],
	["https://app.example/callback", "https://app.example/callback?next=x", false],
	["https://app.example/callback", "https://app.example:8443/callback", false],
	["https://app.example/callback", "https://APP.example/callback", false],
	["https://app.example/callback", "https://app.example/a/../callback", false],
	["https://app.example/callback", "https://evil.example/callback", false],
	["http://127.0.0.1/callback", "http://127.0.0.1:50123/callback", true],
	["http://localhost:1/callback", "http://localhost:50123/callback", true],
	["http://127.0.0.1/callback", "http://127.0.0.1:50123/other", false],
	["http://127.0.0.1/callback", "http://localhost:50123/callback", false],
	["http://127.0.0.1/callback", "http://127.0.0.1:50123.evil.example/callback", false],
])("of an app with %j, %j is one: %s", (registered, given, expected) => {
	expect(isRegisteredRedirectUri(given, [registered])).toBe(expected);
});

it("adds parameters behind those that there are", () => {
	expect(addParameters("https://app.example/cb", { code: "a b", state: undefined })).toBe(
		"https://app.example/cb?code=a+b",
	);
	expect(addParameters("https://app.example/cb?x=%20", { state: "&" })).toBe(
		"https://app.example/cb?x=%20&state=%26",
	);
});

it("has a host, but on the person's own computer", () => {
	expect(toRedirectHost("https://app.example:8443/cb")).toBe("app.example:8443");
	expect(toRedirectHost("http://localhost:3/cb")).toBeNull();
});
