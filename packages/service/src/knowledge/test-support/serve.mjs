// Serves a data folder until it is killed: `node serve.mjs <folder>`. Tells its address and credentials.
import { readFileSync } from "node:fs";
import { resolveConfiguration, startService } from "../../../dist/index.js";

const content = { data: process.argv[2], listen: { port: 0 }, log: { level: "silent" } };
const { url, bootstrapCredentials } = await startService(resolveConfiguration({ content }));
console.log(
	JSON.stringify({ url, credentials: JSON.parse(readFileSync(bootstrapCredentials.path, "utf8")) }),
);
