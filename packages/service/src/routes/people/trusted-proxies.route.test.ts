import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
	PAGE_HEADERS,
	type PeopleFixture,
	startPeopleFixture,
} from "../../people/test-support/people-fixture";
import { isAboutOneInstance } from "../../test-support/alternating-service";
import { sendTo } from "../../test-support/send-request";

let fixture: PeopleFixture;
beforeAll(async () => {
	fixture = await startPeopleFixture(built, { listen: { port: 0, trusted_proxies: ["10.0.0.0/8"] } });
});
afterAll(() => fixture?.close());

const PROXY = "10.0.0.1";
const MORE_THAN_A_MINUTE = 70;

/** Tries to sign in, again and again, and returns the last status. */
async function tryLinks(address: string, headers: Readonly<Record<string, string>>): Promise<number> {
	const { fetch } = fixture.deployment.service;
	const send = sendTo((request) => fetch(request, { address }), undefined, "http://localhost:4000");
	const json = { token: `sl_${"b".repeat(43)}` };
	let status = 0;
	for (let count = 0; count < MORE_THAN_A_MINUTE && status !== 429; count++)
		({ status } = await send("POST", "/v1/session", { json, headers: { ...PAGE_HEADERS, ...headers } }));
	return status;
}

it.skipIf(isAboutOneInstance("rates are exchanged after a moment"))(
	"gives each person behind a trusted proxy a rate of their own",
	async () => {
		expect(await tryLinks(PROXY, { "x-forwarded-for": "203.0.113.1" })).toBe(429);
		const one = { token: `sl_${"b".repeat(43)}` };
		const { fetch } = fixture.deployment.service;
		const from = (address: string, headers: Readonly<Record<string, string>>) =>
			sendTo((request) => fetch(request, { address }), undefined, "http://localhost:4000")(
				"POST",
				"/v1/session",
				{ json: one, headers: { ...PAGE_HEADERS, ...headers } },
			);
		expect((await from(PROXY, { "x-forwarded-for": "203.0.113.2" })).status).toBe(401);
		expect((await from(PROXY, { forwarded: "for=203.0.113.1" })).status).toBe(429);
		// What the client puts in front is not what the proxy says.
		expect((await from(PROXY, { "x-forwarded-for": "198.51.100.9, 203.0.113.1" })).status).toBe(429);
	},
);

it.skipIf(isAboutOneInstance("rates are exchanged after a moment"))(
	"takes no other peer's word, neither for the address nor for HTTPS",
	async () => {
		for (let count = 0; count < MORE_THAN_A_MINUTE; count++)
			await tryLinksOnce("192.0.2.50", `198.51.100.${count}`);
		expect(await tryLinksOnce("192.0.2.50", "198.51.100.200")).toBe(429);
		const { fetch } = fixture.deployment.service;
		const ask = async (address: string) => {
			const send = sendTo((request) => fetch(request, { address }), undefined, "http://kb.example");
			const headers = { ...PAGE_HEADERS, origin: "https://kb.example", "x-forwarded-proto": "https" };
			const { body } = await send("POST", "/v1/session", { json: { token: "x" }, headers });
			return (body as { error: { code: string } }).error.code;
		};
		expect(await ask("192.0.2.51")).toBe("https_required");
		expect(await ask(PROXY)).toBe("sign_in_link_invalid");
	},
);

async function tryLinksOnce(address: string, forwarded: string): Promise<number> {
	const { fetch } = fixture.deployment.service;
	const send = sendTo((request) => fetch(request, { address }), undefined, "http://localhost:4000");
	const headers = { ...PAGE_HEADERS, "x-forwarded-for": forwarded };
	return (await send("POST", "/v1/session", { json: { token: `sl_${"c".repeat(43)}` }, headers })).status;
}
