// Process of the hostile tenant: node attacker.ts <settings, JSON>. Prints the tallies of its attacks as JSON, then ends.
import { createRandom } from "../../durability/random.ts";
import { SERVICE_ATTACKS } from "../attacks/index.ts";
import { RUNTIME_ATTACKS } from "../attacks/runtime.ts";
import { repeatAttack } from "./attack.ts";
import type { AttackerReport, AttackerSettings } from "./attacker-process.ts";
import { type HostileTenant, toHostile } from "./hostile.ts";
import { startHostileEndpoints } from "./hostile-endpoints.ts";
import { createPacer } from "./pacer.ts";
import { sendRequest } from "./send-request.ts";
import { createTally } from "./tally.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as AttackerSettings;
const ended = new AbortController();
const endpoints = await startHostileEndpoints();

const tenant: HostileTenant = {
	...settings.target,
	endpoints: endpoints.origin,
	random: createRandom(settings.seed),
	pacer: createPacer(settings.perSecond),
	signal: ended.signal,
};

async function setModel(): Promise<void> {
	await sendRequest(`${tenant.url}/v1/workspace/llm-settings`, {
		method: "PUT",
		headers: { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" },
		body: JSON.stringify({
			provider: "openai-compatible",
			base_url: `${endpoints.origin}/v1`,
			model: "hello",
			api_key: "sk-hostile",
		}),
	});
}

const all = settings.kind === "service" ? SERVICE_ATTACKS : RUNTIME_ATTACKS;
const chosen =
	settings.attacks.length === 0 ? all : all.filter(({ name }) => settings.attacks.includes(name));
if (settings.kind === "service") await setModel();
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
