import { expect, test } from "vitest";
import { readPublicOrigin } from "./public-origin";
import { createTestApp } from "./test-support/test-app";

const { app } = createTestApp();
app.get("/origin", (context) => context.text(readPublicOrigin(context)));

test.each([
	["http://127.0.0.1:4000", undefined, "http://127.0.0.1:4000"],
	["http://kb.example", "https", "https://kb.example"],
	["http://kb.example", "HTTPS, http", "https://kb.example"],
	["https://kb.example", "http", "https://kb.example"],
	["http://kb.example", "javascript", "http://kb.example"],
	["http://[::1]:4000", undefined, "http://[::1]:4000"],
])("%s with x-forwarded-proto %s is %s", async (url, forwarded, origin) => {
	const headers = {
		"x-forwarded-host": "evil.example",
		...(forwarded && { "x-forwarded-proto": forwarded }),
	};
	expect(await (await app.request(`${url}/origin`, { headers })).text()).toBe(origin);
});
