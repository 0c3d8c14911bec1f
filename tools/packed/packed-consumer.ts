import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The isomorphic packages, each by its folder. */
export const ISOMORPHIC = ["core", "engine", "client", "local", "routing"] as const;

const SCENARIOS = [
	...["scenario.mjs", "models-scenario.mjs", "client-scenario.mjs", "server-scenario.mjs"],
	...["every-method.mjs", "held-text.mjs", "mcp-steps.mjs", "a2a-steps.mjs", "remote-steps.mjs"],
];

/** A folder outside the workspace with the packages installed from their tarballs, as a user has them. */
export interface PackedConsumer {
	readonly folder: string;
	write(name: string, content: string): Promise<string>;
	remove(): Promise<void>;
}

export interface PackedConsumerOptions {
	/** Emptied first. Default: a new one. */
	readonly folder?: string;
	/** Third-party dependencies are copied with all that they need, for what does not follow links. Default false. */
	readonly isCopied?: boolean;
	/** Which peers are there; without `none` they are those of the workspace. Default `required`. */
	readonly peers?: "none" | "required" | "all";
}

/** Packs the built packages and lays them out with their third-party dependencies; nothing is fetched. */
export async function createPackedConsumer(
	packages: readonly string[] = ISOMORPHIC,
	{ folder: targetFolder, isCopied = false, peers = "required" }: PackedConsumerOptions = {},
): Promise<PackedConsumer> {
	const folder = targetFolder ?? (await mkdtemp(join(tmpdir(), "stemma-consumer-")));
	if (targetFolder !== undefined) await empty(targetFolder);
	const place = isCopied ? copyDependency : linkDependency;
	await Promise.all(packages.map((name) => install(name, folder, place, peers)));
	const scenarios = join(root, "tools", "packed", "scenarios");
	for (const scenario of SCENARIOS) await cp(join(scenarios, scenario), join(folder, scenario));
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

async function empty(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
}

/** Puts what the package in `dependent` depends on into the folder of a consumer. */
type PlaceDependency = (name: string, dependent: string, consumer: string) => Promise<void>;

interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly peerDependencies?: Readonly<Record<string, string>>;
	readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const readManifest = async (folder: string): Promise<Manifest> =>
	JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

async function install(
	name: string,
	consumer: string,
	place: PlaceDependency,
	peers: PackedConsumerOptions["peers"],
): Promise<void> {
	const source = join(root, "packages", name);
	const manifest = await readManifest(source);
	const tarball = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
	await execute(join(root, "node_modules", ".bin", "pnpm"), ["pack", "--pack-destination", consumer], {
		cwd: source,
	});
	const target = join(consumer, "node_modules", manifest.name);
	await mkdir(target, { recursive: true });
	await execute("tar", ["-xzf", join(consumer, tarball), "-C", target, "--strip-components=1"]);
	for (const dependency of listThirdParties(manifest, peers)) await place(dependency, source, consumer);
}

function listThirdParties(manifest: Manifest, peers: PackedConsumerOptions["peers"]): readonly string[] {
	const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
	const wanted = Object.keys(peerDependencies).filter(
		(name) => peers === "all" || (peers === "required" && peerDependenciesMeta[name]?.optional !== true),
	);
	return [...Object.keys(dependencies), ...wanted].filter((name) => !name.startsWith("@stemma/"));
}

async function linkDependency(name: string, dependent: string, consumer: string): Promise<void> {
	const link = join(consumer, "node_modules", name);
	await mkdir(dirname(link), { recursive: true });
	await symlink(join(dependent, "node_modules", name), link, "dir");
}

/** All side by side, which goes well as long as no two of them need another version of the same. */
async function copyDependency(name: string, dependent: string, consumer: string): Promise<void> {
	const manifest = findPackageJSON(name, pathToFileURL(join(dependent, "package.json")));
	if (manifest === undefined) throw new Error(`${dependent} has no ${name}.`);
	const source = await realpath(dirname(manifest));
	const target = join(consumer, "node_modules", name);
	const { version, dependencies = {} } = await readManifest(source);
	const { version: placed } = await readManifest(target).catch(() => ({ version: undefined }));
	if (placed === version) return;
	if (placed !== undefined) throw new Error(`${name} is needed as ${placed} and as ${version}.`);
	await cp(source, target, { recursive: true });
	for (const next of Object.keys(dependencies)) await copyDependency(next, source, consumer);
}
