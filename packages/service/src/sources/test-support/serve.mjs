// Serves a data folder until it is killed: `node serve.mjs <data folder> <folder of documents>`. Tells its address and credentials.
import { readFileSync } from "node:fs";
import { resolveConfiguration, startService } from "../../../dist/index.js";

const [, , data, documents] = process.argv;
const content = { data, listen: { port: 0 }, log: { level: "silent" } };
const limits = { requests_per_minute: 10_000_000 };
const sources = { folders: [documents] };
// Stand-ins of other servers are on this machine.
const outbound = { allow: ["127.0.0.1"] };
const { url, bootstrapCredentials } = await startService(
	resolveConfiguration({ content: { ...content, limits, sources, outbound } }),
);
console.log(
	JSON.stringify({ url, credentials: JSON.parse(readFileSync(bootstrapCredentials.path, "utf8")) }),
);
