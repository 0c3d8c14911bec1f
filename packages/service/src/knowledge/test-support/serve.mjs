// Serves a data folder until it is killed: `node serve.mjs <folder> [configuration]`. Tells its address and credentials.
import { readFileSync } from "node:fs";
import { resolveConfiguration, startService } from "../../../dist/index.js";

const [, , data, more = "{}"] = process.argv;
const content = { data, listen: { port: 0 }, log: { level: "silent" }, ...JSON.parse(more) };
const { url, bootstrapCredentials } = await startService(resolveConfiguration({ content }));
console.log(
	JSON.stringify({ url, credentials: JSON.parse(readFileSync(bootstrapCredentials.path, "utf8")) }),
);
