import { expect, test } from "vitest";
import { isExactOrigin, listOwnOrigins } from "./origins";

test.each([
	"https://app.example",
	"http://localhost:3000",
	"http://127.0.0.1:8080",
	"http://[::1]:3000",
	"capacitor://localhost",
	"chrome-extension://abcdef",
])("%s is an origin", (text) => expect(isExactOrigin(text)).toBe(true));

test.each([
	"https://app.example/",
	"https://app.example/path",
	"https://app.example:443",
	"http://app.example:80",
	"HTTPS://app.example",
	"https://APP.example",
	"https://user@app.example",
	"https://*.example",
	"https://app.example?x",
	"app.example",
	"localhost:3000",
	"null",
	"*",
	"",
	"https://",
	"https://app.example ",
	" https://app.example",
])("%j is none", (text) => expect(isExactOrigin(text)).toBe(false));

test.each([
	["127.0.0.1", 4000, ["http://127.0.0.1:4000", "http://localhost:4000"]],
	["0.0.0.0", 80, ["http://127.0.0.1", "http://localhost"]],
	["::1", 4000, ["http://127.0.0.1:4000", "http://localhost:4000"]],
	["2001:db8::1", 4000, ["http://[2001:db8::1]:4000"]],
	["stemma.example", 4000, ["http://stemma.example:4000"]],
	["127.0.0.1", 0, []],
])("a service on %s, port %i has the origins %j", (host, port, origins) => {
	expect(listOwnOrigins({ host, port })).toEqual(origins);
	for (const origin of origins) expect(isExactOrigin(origin)).toBe(true);
});
