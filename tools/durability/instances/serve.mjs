// node serve.mjs <data folder> <base URL of a model vendor>: prints {"url", "credentials"} as one line of JSON, then serves the
// database of STEMMA_DATABASE_URL on the port STEMMA_INSTANCE_PORT (left out: a free one), beside other instances and behind a proxy.
import { resolveConfiguration, startService } from "../../../packages/service/dist/index.js";

const [data = "", vendor = ""] = process.argv.slice(2);
const { STEMMA_DATABASE_URL, STEMMA_DATABASE_OWNER_URL, STEMMA_INSTANCE_PORT = "0" } = process.env;
const configuration = resolveConfiguration({
	content: {
		data,
		listen: { port: Number(STEMMA_INSTANCE_PORT), trusted_proxies: ["loopback"] },
		log: { level: "error" },
		providers: { slow: { provider: "openai-compatible", base_url: vendor, default_model: "slow" } },
		chat: "slow",
		outbound: { allow: ["127.0.0.1"] },
		limits: { requests_per_minute: 10_000_000, concurrent_runs: 1000 },
	},
	environment: { STEMMA_DATABASE_URL, STEMMA_DATABASE_OWNER_URL },
});
const { url, bootstrapCredentials } = await startService(configuration);
process.stdout.write(`${JSON.stringify({ url, credentials: bootstrapCredentials.path })}\n`);
