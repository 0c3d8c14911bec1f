/** A runtime on a free port of this machine, which the program prints; it ends when its standard input does. */
const NODE = `
import { createOptions } from "./runtime-agents.mjs";
import { startRuntime } from "@stemma/runtime";
import { defineTool } from "@stemma/local";
const runtime = await startRuntime({ ...createOptions(defineTool), port: 0, log: () => undefined });
console.log(runtime.port);
process.stdin.resume().on("end", () => process.exit());
`;

const FETCH = `
import { createOptions } from "./runtime-agents.mjs";
import { createRuntime } from "@stemma/runtime";
import { defineTool } from "@stemma/local";
const { fetch } = await createRuntime({ ...createOptions(defineTool), log: () => undefined });
`;

const BUN = `${FETCH}
console.log(Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 60, fetch }).port);
process.stdin.resume().on("end", () => process.exit());
`;

const DENO = `${FETCH}
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) }, fetch);
await Deno.stdin.readable.pipeTo(new WritableStream());
Deno.exit();
`;

/** By their files. */
export const RUNTIME_PROGRAMS = {
	"runtime-node.mjs": NODE,
	"runtime-bun.mjs": BUN,
	"runtime-deno.mjs": DENO,
};

/** What a worker is bundled from. It is made before any request, as programs make it. */
export const RUNTIME_WORKER = `${FETCH.replace("const { fetch }", "const runtime")}
export default { fetch: (request) => runtime.fetch(request) };
`;
