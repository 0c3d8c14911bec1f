import { describe, expect, it } from "vitest";
import { createTrustedProxies, isTrustedProxyEntry } from "./trusted-proxies";

const proxies = createTrustedProxies(["10.0.0.0/8", "loopback", "2001:db8:1::/48"]);

const find = (peer: string | undefined, headers: Readonly<Record<string, string>> = {}) =>
	proxies.findClient(peer, (name) => headers[name]);

const forwardedFor = (value: string) => ({ "x-forwarded-for": value });
const forwarded = (value: string) => ({ forwarded: value });

describe("the client behind trusted proxies", () => {
	it.each([
		["one proxy", "10.0.0.1", forwardedFor("203.0.113.7"), "203.0.113.7"],
		["this machine", "127.0.0.1", forwardedFor("203.0.113.7"), "203.0.113.7"],
		["this machine over IPv6", "::1", forwardedFor("203.0.113.7"), "203.0.113.7"],
		["IPv4 as IPv6", "::ffff:10.0.0.1", forwardedFor("203.0.113.7"), "203.0.113.7"],
		["a chain", "10.0.0.1", forwardedFor("203.0.113.7, 10.1.1.1,2001:db8:1::5"), "203.0.113.7"],
		["what the client claims", "10.0.0.1", forwardedFor("192.0.2.99, 203.0.113.7"), "203.0.113.7"],
		["a claim to be a proxy", "10.0.0.1", forwardedFor("10.9.9.9, 203.0.113.7"), "203.0.113.7"],
		["proxies alone", "10.0.0.1", forwardedFor("10.0.0.3, 10.0.0.2"), "10.0.0.3"],
		["a port", "10.0.0.1", forwardedFor("203.0.113.7:4711"), "203.0.113.7"],
		["IPv6 with a port", "10.0.0.1", forwardedFor("[2001:db8::7]:4711"), "2001:db8::7"],
		["a hop that cannot be read", "10.0.0.1", forwardedFor("203.0.113.7, unknown, 10.0.0.2"), "10.0.0.2"],
		["an empty header", "10.0.0.1", forwardedFor(""), "10.0.0.1"],
		["Forwarded", "10.0.0.1", forwarded("for=203.0.113.7;proto=https;by=10.0.0.1"), "203.0.113.7"],
		["Forwarded, quoted", "10.0.0.1", forwarded('For="[2001:db8::7]:4711"'), "2001:db8::7"],
		[
			"a chain of Forwarded",
			"10.0.0.1",
			forwarded("for=192.0.2.9, for=203.0.113.7, for=10.0.0.2"),
			"203.0.113.7",
		],
		["Forwarded, obfuscated", "10.0.0.1", forwarded("for=203.0.113.7, for=_hidden"), "10.0.0.1"],
		["Forwarded that is cut off", "10.0.0.1", forwarded('for="203.0.113.7, for=203.0.113.8'), "10.0.0.1"],
		[
			"both, alike",
			"10.0.0.1",
			{ ...forwardedFor("203.0.113.7"), ...forwarded("for=203.0.113.7") },
			"203.0.113.7",
		],
		[
			"both, of which one is forged",
			"10.0.0.1",
			{ ...forwardedFor("203.0.113.7"), ...forwarded("for=192.0.2.1") },
			"10.0.0.1",
		],
	])("is found for %s", (_, peer, headers, address) => {
		expect(find(peer, headers).address).toBe(address);
	});

	it("is the other end of the connection, where that is no trusted proxy", () => {
		const headers = { ...forwardedFor("192.0.2.1"), "x-forwarded-proto": "https" };
		expect(find("203.0.113.7", headers)).toEqual({ address: "203.0.113.7", isSecure: false });
		expect(find(undefined, headers)).toEqual({ address: undefined, isSecure: false });
	});

	it("has sent the request over HTTPS where the proxy says so", () => {
		expect(find("10.0.0.1", { "x-forwarded-proto": "HTTPS, http" }).isSecure).toBe(true);
		expect(find("10.0.0.1", forwarded("for=203.0.113.7;proto=https")).isSecure).toBe(true);
		expect(
			find("10.0.0.1", forwarded("for=192.0.2.1;proto=https, for=203.0.113.7;proto=http")).isSecure,
		).toBe(false);
		expect(find("10.0.0.1").isSecure).toBe(false);
	});

	it("is found quickly in a long header", () => {
		const start = performance.now();
		find("10.0.0.1", { ...forwardedFor(",".repeat(16_000)), ...forwarded(`for="${"\\a".repeat(8000)}`) });
		expect(performance.now() - start).toBeLessThan(500);
	});
});

it.each([
	["loopback", true],
	["10.0.0.1", true],
	["10.0.0.0/8", true],
	["2001:db8::/32", true],
	["0.0.0.0/0", false],
	["::/0", false],
	["10.0.0.0/33", false],
	["10.0.0.0/8/8", false],
	["10.0.0", false],
	["proxy.example", false],
	["fe80::1%eth0", false],
])("the entry %s is taken: %s", (entry, isTaken) => {
	expect(isTrustedProxyEntry(entry)).toBe(isTaken);
	if (!isTaken) expect(() => createTrustedProxies([entry])).toThrow(TypeError);
});
