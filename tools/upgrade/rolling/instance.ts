import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findStablePort, type Harness, type Program } from "@stemma/simulators/processes";

/** What all instances of a test have in common. */
export interface InstanceOptions {
	readonly harness: Harness;
	/** Variables that name the database. */
	readonly environment: Readonly<Record<string, string>>;
	/** Base URL of the vendor of the deployment's model. */
	readonly vendor: string;
}

/** Instance of the service that is replaced by one of another version: it keeps its port and its folder. */
export interface ReplaceableInstance {
	readonly port: number;
	/** File of the credentials that a first start writes. */
	readonly credentials: string;
	/** Stops what serves, as an operator does. Nothing happens where nothing serves. @throws where it does not end as it should. */
	stop(): Promise<void>;
	/** Starts the command of a clone. @throws where it does not serve. */
	start(clone: string): Promise<void>;
}

export async function createInstance(options: InstanceOptions): Promise<ReplaceableInstance> {
	const { harness, environment, vendor } = options;
	const folder = await harness.folder();
	const port = await findStablePort();
	const config = join(folder, "stemma.config.json");
	await writeFile(config, JSON.stringify(toSettings(vendor)));
	const data = join(folder, "data");
	let program: Program | undefined;
	return {
		port,
		credentials: join(data, "first-credentials.json"),
		async stop() {
			program?.kill("SIGTERM");
			const ending = await program?.ended;
			if (ending !== undefined && ending.code !== 0)
				throw new Error(`It ended with ${ending.code ?? ending.signal}: ${program?.output()}`);
		},
		async start(clone) {
			program = harness.start({
				args: [
					join(clone, "packages/cli/dist/main.js"),
					...["serve", "--data", data, "--port", String(port), "--config", config],
				],
				env: { ...environment, HOME: folder },
			});
			await program.waitForOutput(new RegExp(`http://[\\w.:[\\]]+:${port}`, "u"));
		},
	};
}

const toSettings = (vendor: string) => ({
	listen: { trusted_proxies: ["loopback"] },
	log: { level: "error" },
	providers: { main: { provider: "openai-compatible", base_url: vendor, default_model: "simulated-1" } },
	chat: "main",
	outbound: { allow: ["127.0.0.1"] },
	limits: { requests_per_minute: 1_000_000, concurrent_runs: 1_000 },
});
