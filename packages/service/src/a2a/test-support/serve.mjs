// Serves a data folder until it is killed: `node serve.mjs <configuration as JSON>`. Tells its address.
import { resolveConfiguration, startService } from "../../../dist/index.js";

const content = JSON.parse(process.argv[2] ?? "{}");
const { url } = await startService(resolveConfiguration({ content }));
console.log(url);
