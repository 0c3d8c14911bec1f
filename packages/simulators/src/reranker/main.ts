import { parseArgs } from "node:util";
import { startRerankerSimulator } from "./simulator.ts";
import { VENDORS, type VendorName } from "./vendors.ts";

/**
 * Program that stands in for a vendor of rerankers: prints one line of JSON, then serves until it is ended.
 *
 * `node packages/simulators/src/reranker/main.ts --vendor cohere --port 0 --api-key test`
 */
const { values } = parseArgs({
	options: {
		vendor: { type: "string", default: "cohere" },
		port: { type: "string", default: "0" },
		"api-key": { type: "string" },
	},
});
const { vendor, port, "api-key": apiKey } = values;
if (!Object.hasOwn(VENDORS, vendor)) throw new Error(`--vendor is one of ${Object.keys(VENDORS).join(", ")}`);
const simulator = await startRerankerSimulator({
	vendor: vendor as VendorName,
	port: Number(port),
	...(apiKey === undefined ? {} : { apiKey }),
});
process.stdout.write(`${JSON.stringify({ base_url: simulator.baseUrl })}\n`);
