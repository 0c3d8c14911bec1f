import { expect, test } from "vitest";
import { createTestApp, readError } from "../test-support/test-app";
import { readPublicOrigin } from "./public-origin";

const createApp = (options?: Parameters<typeof createTestApp>[0]) => {
	const { app } = createTestApp(options);
	app.get("/origin", (context) => context.text(readPublicOrigin(context)));
	return app;
};
const app = createApp();

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

test("is what the configuration says, whatever a request does", async () => {
	const named = createApp({ publicOrigin: "https://stemma.example" });
	for (const host of ["127.0.0.1:4000", "evil.example", 'a"b'])
		expect(await (await named.request(`http://${host}/origin`)).text()).toBe("https://stemma.example");
});

test.each(['a"b', "a'b", "a,b", "a;b", "a=b"])("a host that is none is refused: %s", async (host) => {
	const answer = await app.request(`http://${host}/origin`);
	expect(answer.status).toBe(400);
	expect(await readError(answer)).toMatchObject({ code: "invalid_host" });
});
