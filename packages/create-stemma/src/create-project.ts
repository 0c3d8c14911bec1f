import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "../package.json";
import { listFiles } from "./list-files";
import { ProjectError } from "./project-error";

/** Options of a new project. */
export interface CreateProjectOptions {
	/** Folder of the project, which is created where it is missing. Relative to the working folder. */
	readonly folder: string;
	/** Name of its package. Default: the name of the folder, in lower case, with hyphens. */
	readonly name?: string | undefined;
}

/** A project that was made. */
export interface CreatedProject {
	/** Absolute. */
	readonly folder: string;
	readonly name: string;
	/** Relative to the folder, with slashes, sorted. */
	readonly files: readonly string[];
}

const TEMPLATE = fileURLToPath(new URL("../template", import.meta.url));

/** Names that an empty folder may hold: a repository, and files of desktops. */
const IGNORED: ReadonlySet<string> = new Set([".git", ".DS_Store", "Thumbs.db"]);

/**
 * Makes a project in an empty folder: an agent, documents, a tool in code, a chat page, tests and settings. Installs nothing
 * and needs no network.
 *
 * @throws ProjectError `invalid_name`, `folder_not_empty`, `folder_not_writable`; nothing was written then.
 */
export async function createProject({ folder, name }: CreateProjectOptions): Promise<CreatedProject> {
	const target = resolve(folder);
	const packageName = name ?? toPackageName(basename(target));
	assertPackageName(packageName);
	await assertEmpty(target);
	await cp(TEMPLATE, target, { recursive: true });
	// npm leaves a file of that name out of its packages.
	await rename(join(target, "_gitignore"), join(target, ".gitignore"));
	const manifest = join(target, "package.json");
	await writeFile(manifest, toManifest(await readFile(manifest, "utf8"), packageName));
	return { folder: target, name: packageName, files: await listFiles(target) };
}

/** `My Desk` → `my-desk`. */
const toPackageName = (folderName: string): string =>
	folderName
		.toLowerCase()
		.replaceAll(/[^a-z0-9._~-]+/g, "-")
		.replaceAll(/^[-._]+|-+$/g, "");

function assertPackageName(name: string): void {
	if (/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name) && name.length <= 214) return;
	throw new ProjectError(
		"invalid_name",
		`${JSON.stringify(name)} is no name of a package.`,
		"Use lower-case letters, digits and hyphens: --name my-desk",
	);
}

async function assertEmpty(folder: string): Promise<void> {
	try {
		await mkdir(folder, { recursive: true });
		const names = await readdir(folder);
		const found = names.filter((name) => !IGNORED.has(name));
		if (found.length === 0) return;
		throw new ProjectError(
			"folder_not_empty",
			`${folder} is not empty: ${found.slice(0, 3).join(", ")}${found.length > 3 ? ", …" : ""}.`,
			"Name a folder that is empty or does not exist yet. Nothing was written.",
		);
	} catch (cause) {
		if (cause instanceof ProjectError) throw cause;
		throw new ProjectError(
			"folder_not_writable",
			`${folder} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
			"Check the path, and whether you may write there.",
			{ cause },
		);
	}
}

/** Manifest of the template with the project's name, and with the packages of this version, which belong together. */
function toManifest(template: string, name: string): string {
	const { dependencies, ...manifest } = JSON.parse(template);
	const versions = Object.fromEntries(
		Object.keys(dependencies).map((dependency) => [dependency, `^${version}`]),
	);
	return `${JSON.stringify({ ...manifest, name, dependencies: versions }, undefined, "\t")}\n`;
}
