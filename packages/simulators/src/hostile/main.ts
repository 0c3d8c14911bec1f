import { parseArgs } from "node:util";
import type { RouteName } from "./route.ts";
import { startHostileServer } from "./server.ts";

/**
 * Program that stands in for a hostile service: prints one line of JSON, then serves until it is ended.
 *
 * `node packages/simulators/src/hostile/main.ts --port 0 --always 'search={"kind":"reset","when":"in-headers"}'`
 */
const { values } = parseArgs({
	options: {
		port: { type: "string", default: "0" },
		/** `<route>=<behaviour as JSON>`, again for each request of the route. */
		next: { type: "string", multiple: true, default: [] },
		/** The same, for all requests after them. */
		always: { type: "string", multiple: true, default: [] },
	},
});
const server = await startHostileServer({ port: Number(values.port) });
for (const text of values.next) server.enqueue(...readBehaviour(text));
for (const text of values.always) server.setDefault(...readBehaviour(text));
process.stdout.write(`${JSON.stringify({ base_url: server.baseUrl })}\n`);

function readBehaviour(text: string): [RouteName, Parameters<typeof server.setDefault>[1]] {
	const end = text.indexOf("=");
	return [text.slice(0, end) as RouteName, JSON.parse(text.slice(end + 1))];
}
