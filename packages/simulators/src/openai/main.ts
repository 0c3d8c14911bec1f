import { parseArgs } from "node:util";
import { startOpenAiSimulator } from "./simulator.ts";

/**
 * Program that stands in for a vendor of OpenAI's format: prints one line of JSON, then serves until it is ended.
 *
 * `node packages/simulators/src/openai/main.ts --port 0 --api-key sk-test`
 */
const { values } = parseArgs({
	options: { port: { type: "string", default: "0" }, "api-key": { type: "string" } },
});
const apiKey = values["api-key"];
const simulator = await startOpenAiSimulator({
	port: Number(values.port),
	...(apiKey === undefined ? {} : { apiKey }),
});
process.stdout.write(`${JSON.stringify({ base_url: simulator.baseUrl })}\n`);
