import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Of a command that does not end by itself. */
const TIMEOUT_MS = 250_000;

/** npm and npx as on a new machine: an empty home and cache, and one registry. */
export interface Npm {
	/** Runs `npm …`. @throws Error with what it wrote, where it fails. */
	npm(cwd: string, ...args: readonly string[]): Promise<NpmOutput>;
	npx(cwd: string, ...args: readonly string[]): Promise<NpmOutput>;
}

export interface NpmOutput {
	readonly stdout: string;
	readonly stderr: string;
}

/** @param folder - for home, cache and settings. */
export async function createNpm(folder: string, registry: string): Promise<Npm> {
	await mkdir(join(folder, "home"), { recursive: true });
	// Without any token npm publishes nothing; this registry takes every one.
	const settings = `registry=${registry}\n${registry.replace("http:", "")}:_authToken=any\n`;
	await writeFile(join(folder, "npmrc"), settings);
	const env = {
		PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
		HOME: join(folder, "home"),
		NO_COLOR: "1",
		npm_config_userconfig: join(folder, "npmrc"),
		npm_config_cache: join(folder, "cache"),
		npm_config_audit: "false",
		npm_config_fund: "false",
		npm_config_update_notifier: "false",
		npm_config_yes: "true",
	};
	const run =
		(program: string) =>
		(cwd: string, ...args: readonly string[]): Promise<NpmOutput> =>
			execute(program, args, { cwd, env, timeout: TIMEOUT_MS });
	return { npm: run("npm"), npx: run("npx") };
}
