// node serve.mjs <data folder> <base URL of a model vendor>: prints {"url", "credentials"} as one line of JSON, then serves the
// database of STEMMA_DATABASE_URL, beside other instances.
import { resolveConfiguration, startService } from "../../../packages/service/dist/index.js";

const [data = "", vendor = ""] = process.argv.slice(2);
const { STEMMA_DATABASE_URL, STEMMA_DATABASE_OWNER_URL } = process.env;
const configuration = resolveConfiguration({
	content: {
		data,
		listen: { port: 0 },
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
