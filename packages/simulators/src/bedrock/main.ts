import { parseArgs } from "node:util";
import { startBedrockSimulator } from "./simulator.ts";

/**
 * Program that stands in for Amazon Bedrock: prints one line of JSON, then serves until it is ended.
 *
 * `node packages/simulators/src/bedrock/main.ts --port 0 --bearer-key key`
 */
const { values } = parseArgs({
	options: {
		port: { type: "string", default: "0" },
		region: { type: "string", default: "us-east-1" },
		"access-key-id": { type: "string" },
		"secret-access-key": { type: "string" },
		"session-token": { type: "string" },
		"bearer-key": { type: "string", multiple: true, default: [] },
		model: { type: "string", multiple: true },
	},
});
const {
	"access-key-id": accessKeyId,
	"secret-access-key": secretAccessKey,
	"session-token": sessionToken,
} = values;
const credential =
	accessKeyId === undefined || secretAccessKey === undefined
		? undefined
		: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
const simulator = await startBedrockSimulator({
	port: Number(values.port),
	region: values.region,
	credentials: credential === undefined ? [] : [credential],
	bearerKeys: values["bearer-key"],
	...(values.model === undefined ? {} : { models: { enabled: values.model } }),
});
process.stdout.write(`${JSON.stringify({ base_url: simulator.baseUrl })}\n`);
