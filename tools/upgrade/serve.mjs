// node serve.mjs <data folder> <nothing>: prints {"url", "credentials"} as one line of JSON, then serves with no vendor.
import { resolveConfiguration, startService } from "../../packages/service/dist/index.js";

const [data = ""] = process.argv.slice(2);
const { STEMMA_ENCRYPTION_KEY } = process.env;
const configuration = resolveConfiguration({
	content: { data, listen: { port: 0 }, log: { level: "error" } },
	environment: { STEMMA_ENCRYPTION_KEY },
});
const { url, bootstrapCredentials } = await startService(configuration);
process.stdout.write(`${JSON.stringify({ url, credentials: bootstrapCredentials.path })}\n`);
