import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
	findPostgres,
	type PostgresServer,
	startPostgresServer,
} from "@stemma/simulators/postgres/postgres-server";
import { startProgram } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const source = dirname(fileURLToPath(import.meta.url));
const readme = readFileSync(join(source, "../README.md"), "utf8");
const bin = findPostgres();

/** Parts of a program that the README leaves to its reader. */
const AGENT = `import { crashGraph, createCrashPorts } from ${JSON.stringify(join(source, "test-support/crash-graph.ts"))};
export const graph = crashGraph;
export const ports = createCrashPorts(() => undefined);`;

describe.skipIf(bin === undefined)("the README (needs Postgres 15)", () => {
	let server: PostgresServer;
	let folder: string;
	beforeAll(async () => {
		server = await startPostgresServer(bin ?? "");
		// Within the package, so that the program finds what the package depends on.
		const parent = join(source, "../.stemma");
		mkdirSync(parent, { recursive: true });
		folder = mkdtempSync(join(parent, "readme-"));
	});
	afterAll(async () => {
		rmSync(folder, { recursive: true, force: true });
		await server.stop();
	});

	it("shows a program that runs", async () => {
		const [, code = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
		writeFileSync(join(folder, "agent.js"), AGENT);
		writeFileSync(join(folder, "main.ts"), code);
		const program = startProgram({
			args: [join(folder, "main.ts")],
			env: { DATABASE_URL: server.toUrl("postgres", "readme") },
		});
		expect(await program.ended).toEqual({ code: 0, signal: null });
		expect(program.stdout()).toMatch(
			/^run\.started$[\s\S]*^run\.completed$\s+completed note: "Refunded \[1\]\."$/m,
		);
	});
});
