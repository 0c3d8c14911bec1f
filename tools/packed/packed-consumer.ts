import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The isomorphic packages, each by its folder. */
export const ISOMORPHIC = ["core", "engine", "client", "local", "routing"] as const;

/** A folder outside the workspace with the packages installed from their tarballs, as a user has them. */
export interface PackedConsumer {
	readonly folder: string;
	write(name: string, content: string): Promise<string>;
	remove(): Promise<void>;
}

/** Packs the built packages and lays them out with their third-party dependencies; nothing is fetched. */
export async function createPackedConsumer(
	packages: readonly string[] = ISOMORPHIC,
): Promise<PackedConsumer> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-consumer-"));
	await Promise.all(packages.map((name) => install(name, folder)));
	await cp(join(root, "tools", "packed", "scenario.mjs"), join(folder, "scenario.mjs"));
	await writeFile(join(folder, "package.json"), '{ "name": "consumer", "private": true }\n');
	return {
		folder,
		async write(name, content) {
			await writeFile(join(folder, name), content);
			return join(folder, name);
		},
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}

async function install(name: string, consumer: string): Promise<void> {
	const source = join(root, "packages", name);
	const manifest: { name: string; version: string; dependencies?: Record<string, string> } = JSON.parse(
		await readFile(join(source, "package.json"), "utf8"),
	);
	const tarball = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
	await execute(join(root, "node_modules", ".bin", "pnpm"), ["pack", "--pack-destination", consumer], {
		cwd: source,
	});
	const target = join(consumer, "node_modules", manifest.name);
	await mkdir(target, { recursive: true });
	await execute("tar", ["-xzf", join(consumer, tarball), "-C", target, "--strip-components=1"]);
	for (const dependency of Object.keys(manifest.dependencies ?? {})) {
		if (dependency.startsWith("@stemma/")) continue;
		const link = join(consumer, "node_modules", dependency);
		await mkdir(dirname(link), { recursive: true });
		await symlink(join(source, "node_modules", dependency), link, "dir");
	}
}
