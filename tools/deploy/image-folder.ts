import { execFile } from "node:child_process";
import { chmod, cp, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findLast, flatten, type Instruction, type Stage } from "./read-dockerfile.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** What an image would have at its root, and how it is started. */
export interface ImageFolder {
	/** Where a path of the image is. */
	toPath(path: string): string;
	/** Text in which paths of the image are those of this folder. */
	translate(text: string): string;
	readonly entrypoint: readonly string[];
	readonly command: readonly string[];
	readonly healthcheck: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** Of the user, as in the image. */
	readonly uid: number;
	readonly workingFolder: string;
}

/**
 * Follows the Dockerfile without a Docker: what the build stage installs and builds stands in the checkout already; what it
 * packs is packed, and what the target copies is copied. Nothing is fetched.
 *
 * @param folder - an empty one.
 */
export async function createImageFolder(
	stages: readonly Stage[],
	target: string,
	folder: string,
): Promise<ImageFolder> {
	const instructions = flatten(stages, target);
	const find = (keyword: string): readonly string[] => findLast(instructions, keyword)?.args ?? [];
	const image = join(folder, "image");
	const built = join(folder, "built");
	const [workingFolder = "/"] = find("WORKDIR");
	const copies = instructions.filter(({ keyword }) => keyword === "COPY");
	const sources = copies.flatMap(({ flags, args }) => (flags.from === "build" ? args.slice(0, 1) : []));
	for (const { args } of flatten(stages, "build").filter(({ keyword }) => keyword === "RUN"))
		await repeatRun(args, sources, built);
	const [uid = 0] = find("USER")[0]?.split(":").map(Number) ?? [];
	for (const copy of copies) await repeatCopy(copy, { built, image, workingFolder });
	await cp(process.execPath, join(image, "usr/local/bin/node"));
	await rm(built, { recursive: true });
	const toPath = (path: string): string => join(image, path);
	return {
		toPath,
		translate: (text) => text.replaceAll(/(?<=^|=)\/(app|data|agents|run\/secrets)\b/g, toPath),
		entrypoint: find("ENTRYPOINT"),
		command: find("CMD"),
		healthcheck: find("HEALTHCHECK"),
		environment: toEnvironment(instructions),
		uid,
		workingFolder: toPath(workingFolder),
	};
}

/** Packing alone, and folders: the checkout is installed and built. */
async function repeatRun(args: readonly string[], sources: readonly string[], built: string): Promise<void> {
	const [program = "", ...rest] = args;
	const toBuilt = (path: string): string => join(built, path);
	if (program === "mkdir") for (const path of rest) await mkdir(toBuilt(path), { recursive: true });
	const isCopied = sources.some((source) => `${source}/`.startsWith(`${rest.at(-1)}/`));
	if (!rest.includes("deploy") || !isCopied) return;
	const target = toBuilt(rest.at(-1) ?? "");
	await mkdir(dirname(target), { recursive: true });
	// The lockfile was checked when the checkout was installed.
	const offline = ["--offline", "--config.minimum-release-age=0", "--reporter=silent"];
	await execute(join(root, "node_modules/.bin", program), [...offline, ...rest.slice(0, -1), target], {
		cwd: root,
		env: { ...process.env, CI: "true" },
	});
}

interface Folders {
	readonly built: string;
	readonly image: string;
	readonly workingFolder: string;
}

async function repeatCopy(
	{ flags, args }: Instruction,
	{ built, image, workingFolder }: Folders,
): Promise<void> {
	const [source = "", target = ""] = args;
	const from = flags.from === "build" ? join(built, source) : join(root, source);
	const to = target === "./" ? join(image, workingFolder) : join(image, target);
	const isFile = flags.from !== "build";
	await mkdir(to, { recursive: true });
	if (isFile) await cp(from, join(to, basename(source)));
	// Thousands of files.
	else await execute("cp", ["-RP", `${from}/.`, to]);
	await chmod(to, 0o755);
}

const toEnvironment = (instructions: readonly Instruction[]): Readonly<Record<string, string>> =>
	Object.fromEntries(
		instructions
			.filter(({ keyword }) => keyword === "ENV")
			.flatMap(({ args }) => args.map((variable) => variable.split("=", 2) as [string, string])),
	);
