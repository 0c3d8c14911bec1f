import { expect, test } from "vitest";
import { describeBrowser } from "./describe-browser";

test.each([
	[
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
		"Chrome, Linux",
	],
	[
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
		"Edge, Windows",
	],
	[
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
		"Safari, iOS",
	],
	["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox, macOS"],
	["curl/8.5.0", "curl/8.5.0"],
	[null, undefined],
	["", undefined],
])("describes %s as %s", (userAgent, expected) => {
	expect(describeBrowser(userAgent)).toBe(expected);
});
