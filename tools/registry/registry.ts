import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findStablePort, type Harness } from "@stemma/simulators/processes";
import { PUBLISHED, packPublished } from "../packed/published";
import { createNpm, type Npm } from "./npm";

const execute = promisify(execFile);
const verdaccio = fileURLToPath(new URL("node_modules/verdaccio/bin/verdaccio", import.meta.url));

/** `npm run test:all` installs it; without the registry of npm it says so, and tests with it are skipped. */
export const isInstalled = existsSync(verdaccio);

/**
 * Starts a registry that has the packages of this repository, as `npm publish` puts them there, and gets all others from the
 * registry that npm is set to. It ends with the harness.
 */
export async function startRegistry(harness: Harness): Promise<Npm> {
	const folder = await harness.folder();
	const { stdout } = await execute("npm", ["config", "get", "registry"]);
	const config = join(folder, "config.yaml");
	await writeFile(config, JSON.stringify(configure(folder, stdout.trim())));
	const port = await findStablePort();
	const server = harness.start({
		args: [verdaccio, "--config", config, "--listen", `127.0.0.1:${port}`],
		cwd: folder,
		// Machines behind a proxy of their own trust it by this.
		env: { HOME: folder, NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? "" },
	});
	await server.waitForOutput(/http address/);
	const npm = await createNpm(folder, `http://127.0.0.1:${port}/`);
	for (const name of PUBLISHED) {
		const file = join(folder, `${name}.tgz`);
		await packPublished(name, file);
		// Provenance is that of a workflow.
		await npm.npm(folder, "publish", file, "--provenance=false");
	}
	return npm;
}

const EVERYONE = { access: "$all", publish: "$all" };

/** Settings of Verdaccio. Its YAML is JSON here. */
const configure = (folder: string, upstream: string): object => ({
	storage: join(folder, "storage"),
	auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: -1 } },
	uplinks: { upstream: { url: upstream, maxage: "60m", timeout: "60s" } },
	packages: {
		"@stemma/*": EVERYONE,
		stemma: EVERYONE,
		"create-stemma": EVERYONE,
		"**": { access: "$all", proxy: "upstream" },
	},
	max_body_size: "100mb",
	web: { enable: false },
	log: { type: "stdout", format: "pretty", level: "warn", colors: false },
});
