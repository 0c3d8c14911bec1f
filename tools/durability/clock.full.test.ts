import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Stemma } from "@stemma/client";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, expect, it } from "vitest";
import { type ServiceProcess, startService } from "../end-to-end/servers";

// The service while its machine's clock is set back, and when it starts with such a clock.

const harness = createHarness();
afterAll(() => harness.end());

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const TOKEN_LIFE = 900 * SECOND;

async function fetchToken({ url, credentials }: ServiceProcess): Promise<string> {
	const { client_id, client_secret } = credentials;
	const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const { access_token } = await (await fetch(`${url}/oauth/token`, { method: "POST", body })).json();
	return access_token;
}

/** Status of a request with a token. */
const use = async ({ url }: ServiceProcess, token: string): Promise<number> =>
	(await fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${token}` } })).status;

/** A client of its own for each step: it has no token from before. */
const connect = ({ url, credentials }: ServiceProcess): Stemma =>
	new Stemma({ baseUrl: url, clientId: credentials.client_id, clientSecret: credentials.client_secret });

/** A data folder, and a clock for the services that use it. */
async function createMachine() {
	const data = await harness.folder();
	const file = join(await harness.folder(), "offset");
	const preload = fileURLToPath(new URL("set-clock.mjs", import.meta.url));
	return {
		data,
		env: { NODE_OPTIONS: `--import=${preload}`, CLOCK_OFFSET_FILE: file },
		/** Sets the clock so many milliseconds ahead. */
		setClock: (milliseconds: number): Promise<void> => writeFile(file, String(milliseconds)),
	};
}

it("a clock that is set back lengthens no token and reorders no list, also after a restart", async () => {
	const { data, env, setClock } = await createMachine();
	const created: string[] = [];
	const create = async (service: ServiceProcess, name: string): Promise<void> => {
		created.push((await connect(service).knowledge.create({ name })).id);
	};

	await setClock(0);
	const first = await startService(harness, { data, env });
	const token = await fetchToken(first);
	await create(first, "before");
	await setClock(TOKEN_LIFE - 20 * SECOND);
	expect(await use(first, token)).toBe(200);

	await setClock(-HOUR);
	await create(first, "set back");
	await create(first, "set back again");
	await expect.poll(() => use(first, token), { timeout: 90 * SECOND }).toBe(401);
	const second = await fetchToken(first);
	expect(await use(first, second)).toBe(200);
	first.program.kill("SIGTERM");
	await first.program.ended;

	const restarted = await startService(harness, { data, env });
	expect(restarted.program.output()).toContain('"code":"clock_behind"');
	expect(await use(restarted, second)).toBe(401);
	expect(await use(restarted, await fetchToken(restarted))).toBe(200);
	await create(restarted, "after a restart");

	const { data: listed } = await connect(restarted).knowledge.list();
	expect(listed.map(({ id }) => id)).toEqual(created);
	expect([...created].sort()).toEqual(created);
	const times = listed.map(({ created_at }) => created_at);
	expect([...times].sort()).toEqual(times);
});

it("a clock that was years ahead once is not followed after a restart", async () => {
	const { data, env, setClock } = await createMachine();
	await setClock(2 * 365 * 24 * HOUR);
	const first = await startService(harness, { data, env });
	const token = await fetchToken(first);
	await connect(first).knowledge.create({ name: "of the future" });
	first.program.kill("SIGTERM");
	await first.program.ended;

	await setClock(0);
	const restarted = await startService(harness, { data, env });
	expect(restarted.program.output()).toContain("more than a day behind");
	expect(await use(restarted, token)).toBe(401);
	const { created_at } = await connect(restarted).knowledge.create({ name: "of today" });
	expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(HOUR);
});
