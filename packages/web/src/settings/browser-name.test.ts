import { expect, it } from "vitest";
import { toBrowserName } from "./browser-name";

it.each([
	[
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
		"Chrome 141, Linux",
	],
	[
		"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
		"Edge 141, Windows",
	],
	[
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 15.7; rv:140.0) Gecko/20100101 Firefox/140.0",
		"Firefox 140, macOS",
	],
	[
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1 Version/18.5 Mobile/15 Safari/604.1",
		"Safari 18, iPhone",
	],
	["curl/8.0 <script>", "curl/8.0 <script>"],
	["", undefined],
	[null, undefined],
])("names the browser of %j", (userAgent, name) => {
	expect(toBrowserName(userAgent)).toBe(name);
});
