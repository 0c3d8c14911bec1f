import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type MachineCheck, toWarning } from "./machine-check";

/** Versions that belong together. */
export interface VersionSources {
	/** Version of this command line. */
	readonly own: string;
	/** Folder of a project, whose installed packages are looked at. */
	readonly project: string;
	/** Version of the service that runs on the data folder; left out where none runs. */
	readonly service?: string | undefined;
}

/** Checks that this command line, a running service and the packages of a project have one version. */
export async function checkVersions({ own, project, service }: VersionSources): Promise<MachineCheck> {
	const installed = await listInstalled(join(project, "node_modules"));
	const all = [...installed, ...(service === undefined ? [] : [["the service", service] as const])];
	const others = all.filter(([, version]) => version !== own).map(([name, version]) => `${name} ${version}`);
	if (others.length === 0) return { name: "versions", result: own };
	return toWarning("versions", `${own}, and ${others.length} other${others.length === 1 ? "" : "s"}`, {
		code: "versions_differ",
		message: `This is stemma ${own}, beside ${others.join(", ")}.`,
		hint: `All packages are released together. Install one version of each, such as npm install stemma@${own}, and start the service again.`,
	});
}

async function listInstalled(modules: string): Promise<(readonly [name: string, version: string])[]> {
	const scoped = await readdir(join(modules, "@stemma")).catch(() => []);
	const names = ["stemma", ...scoped.map((name) => `@stemma/${name}`)];
	const versions = await Promise.all(names.map((name) => readVersion(join(modules, name, "package.json"))));
	return names.flatMap((name, index) => {
		const version = versions[index];
		return version === undefined ? [] : [[name, version] as const];
	});
}

async function readVersion(manifest: string): Promise<string | undefined> {
	try {
		const { version } = JSON.parse(await readFile(manifest, "utf8"));
		return typeof version === "string" ? version : undefined;
	} catch {
		// Not installed, or not by npm.
		return undefined;
	}
}
