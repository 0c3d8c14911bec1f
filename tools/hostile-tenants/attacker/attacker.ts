// Process of the hostile tenant: node attacker.ts <settings, JSON>. Prints the tallies of its attacks as JSON, then ends.
import { createRandom } from "../../durability/random.ts";
import { SERVICE_ATTACKS } from "../attacks/index.ts";
import { RUNTIME_ATTACKS } from "../attacks/runtime.ts";
import { repeatAttack } from "./attack.ts";
import type { AttackerReport, AttackerSettings } from "./attacker-process.ts";
import { type HostileTenant, readFields, toHostile } from "./hostile.ts";
import { startHostileEndpoints } from "./hostile-endpoints.ts";
import { createPacer } from "./pacer.ts";
import { sendRequest } from "./send-request.ts";
import { createTally } from "./tally.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as AttackerSettings;
const ended = new AbortController();
const endpoints = await startHostileEndpoints();

let { token } = settings.target;
const tenant: HostileTenant = {
	...settings.target,
	token: () => token,
	endpoints: endpoints.origin,
	random: createRandom(settings.seed),
	pacer: createPacer(settings.perSecond),
	signal: ended.signal,
};

async function setModel(): Promise<void> {
	await sendRequest(`${tenant.url}/v1/workspace/llm-settings`, {
		method: "PUT",
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
		body: JSON.stringify({
			provider: "openai-compatible",
			base_url: `${endpoints.origin}/v1`,
			model: "hello",
			api_key: "sk-hostile",
		}),
	});
}

/** Time in milliseconds after which the tenant gets another access token, as its flood of tokens would lock itself out. */
const RENEWAL_MS = 60_000;

/** Gets another access token; where it is refused for now, the next try is soon enough. */
async function renewToken(): Promise<void> {
	const { url, clientId: client_id, clientSecret: client_secret } = tenant;
	const credentials = { grant_type: "client_credentials", client_id, client_secret };
	const { status, text } = await sendRequest(`${url}/oauth/token`, {
		method: "POST",
		headers: { "content-type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams(credentials).toString(),
	});
	const { access_token } = readFields(text);
	if (status === 200 && typeof access_token === "string") token = access_token;
}

const all = settings.kind === "service" ? SERVICE_ATTACKS : RUNTIME_ATTACKS;
const chosen =
	settings.attacks.length === 0 ? all : all.filter(({ name }) => settings.attacks.includes(name));
if (settings.kind === "service") {
	await setModel();
	setInterval(() => void renewToken().catch(() => undefined), RENEWAL_MS);
}
const tallies = chosen.map((attack) => ({ attack, tally: createTally() }));
// A bug of the attacker must not look like a service that stands firm.
const failures: string[] = [];
setTimeout(() => ended.abort(), settings.seconds * 1000);
await Promise.all(
	tallies.map(({ attack, tally }) =>
		repeatAttack(attack, toHostile(tenant, tally)).catch((error: unknown) => {
			if (!ended.signal.aborted)
				failures.push(`${attack.name}: ${error instanceof Error ? error.stack : error}`);
		}),
	),
);
const report: AttackerReport = {
	attacks: tallies.map(({ attack: { name, expects }, tally }) => ({ name, expects, ...tally.read() })),
	failures,
};
process.stdout.write(JSON.stringify(report), () => process.exit(0));
