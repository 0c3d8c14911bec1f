import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ImageFolder } from "./image-folder.ts";

/** A process that has of this machine what a container has: its image, its variables, its user. */
export interface Container {
	readonly child: ChildProcess;
	/** Standard output and error. */
	output(): string;
	waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
	readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface ContainerOptions {
	/** The program, `node`, and its arguments, as the image or the compose file has them. */
	readonly args: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	/** What starts it, such as `unshare`. */
	readonly through?: readonly string[];
	/** The program has the image as its root, so that paths are as they are. Default false. */
	readonly hasOwnRoot?: boolean;
}

/** Only root can become another user; whoever is not is none already. */
const isRoot = process.getuid?.() === 0;

export function startContainer(
	image: ImageFolder,
	{ args, environment = {}, through = [], hasOwnRoot = false }: ContainerOptions,
): Container {
	const translate = hasOwnRoot ? (text: string): string => text : image.translate;
	const node = hasOwnRoot ? "node" : image.toPath("/usr/local/bin/node");
	const translated = args.slice(1).map(translate);
	const variables = { ...image.environment, ...environment };
	const [program = node, ...rest] = [...through, node, ...translated];
	const child = spawn(program, rest, {
		cwd: image.workingFolder,
		env: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, translate(value)])),
		stdio: ["ignore", "pipe", "pipe"],
		...(isRoot && through.length === 0 ? { uid: image.uid, gid: image.uid } : {}),
	});
	process.once("exit", () => child.kill("SIGKILL"));
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream?.on("data", (chunk) => {
			output += chunk;
			child.emit("said");
		});
	const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
	return {
		child,
		ended,
		output: () => output,
		async waitForOutput(pattern) {
			let isOver = false;
			void ended.then(() => {
				isOver = true;
				child.emit("said");
			});
			for (;;) {
				const found = pattern.exec(output);
				if (found !== null) return found;
				if (isOver) throw new Error(`It ended before it said ${pattern}:\n${output}`);
				await once(child, "said");
			}
		},
	};
}

/** Runs it to its end. */
export async function runContainer(
	image: ImageFolder,
	options: ContainerOptions,
): Promise<{ readonly code: number | null; readonly output: string }> {
	const { ended, output } = startContainer(image, options);
	const { code } = await ended;
	return { code, output: output() };
}
