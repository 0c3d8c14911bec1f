import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { copyBuild, createClone } from "../fresh-clone/clone";
import { isServer, readSteps } from "./readme-steps";
import { type ShellRun, startShell } from "./shell";

/** A checkout in a folder of its own, where a reader follows READMEs. */
export interface Checkout {
	/** Runs `npm start` until it says how to go on, and does what it says about pages. Returns what it printed. */
	start(): Promise<string>;
	/** Runs commands at its root, to their end. Returns what they print. */
	run(commands: string): Promise<string>;
	/** Does what the README of an example says, step by step. Returns the servers that stay up. */
	follow(example: string): Promise<FollowedReadme>;
	/** The address that stands for one in a README: another one where its port is taken on this machine. */
	addressOf(address: string): string;
	close(): Promise<void>;
}

/** What came of the steps of a README. */
export interface FollowedReadme {
	/** Of each block that shows what its commands print. */
	readonly outputs: readonly { readonly shown: string; readonly printed: string }[];
}

/** Ports that READMEs name for pages and servers of examples. The service's own are the business of `npm start`. */
const PORTS = ["4121", "4391", "5173", "5174", "8080", "8081"];

export async function createCheckout(): Promise<Checkout> {
	const folder = createClone();
	copyBuild(folder);
	const running: ShellRun[] = [];
	const translate = await movePorts(folder);
	let printed = "";

	async function runCommands(commands: string): Promise<string> {
		const run = startShell(folder, translate(commands));
		running.push(run);
		if (isServer(commands)) await run.waitForOutput(/https?:\/\/(?:localhost|127\.0\.0\.1):\d+/);
		else if ((await run.ended) !== 0) throw new Error(`These commands failed:\n${commands}\n${run.output()}`);
		printed += run.stdout();
		return run.stdout();
	}

	/** The value that was printed last and begins as the placeholder does. */
	function editFile(file: string, placeholder: string): void {
		const values = printed.match(new RegExp(`\\b${placeholder.replace("…", "")}[\\w-]+`, "g"));
		replaceInFile(join(folder, file), placeholder, values?.at(-1) ?? "");
	}

	return {
		addressOf: translate,
		async start() {
			const run = startShell(folder, "npm start");
			running.push(run);
			await run.waitForOutput(/Ctrl-C stops both/);
			const [, address = "", defaultAddress = ""] =
				/write (\S+) in place of (\S+)\.\n/.exec(run.stdout()) ?? [];
			if (defaultAddress !== "")
				replaceInFile(join(folder, "examples/browser-esm/index.html"), defaultAddress, address);
			return run.stdout();
		},
		run: runCommands,
		async follow(example) {
			const readme = readFileSync(join(folder, "examples", example, "README.md"), "utf8");
			const outputs: { shown: string; printed: string }[] = [];
			for (const step of readSteps(readme)) {
				if (step.kind === "edit") editFile(join("examples", example, step.file), step.placeholder);
				else {
					const text = await runCommands(step.commands);
					if (step.output !== undefined) outputs.push({ shown: step.output, printed: text });
				}
			}
			return { outputs };
		},
		async close() {
			await Promise.all(running.map((run) => run.stop()));
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function replaceInFile(file: string, old: string, by: string): void {
	const text = readFileSync(file, "utf8");
	if (!text.includes(old) || by === "") throw new Error(`"${old}" of ${file} cannot be replaced by "${by}".`);
	writeFileSync(file, text.replaceAll(old, by));
}

/** Puts free ports in the place of those that are taken, in the files of the examples. Returns what does it in commands. */
async function movePorts(folder: string): Promise<(text: string) => string> {
	const moved = new Map<string, string>();
	for (const port of PORTS) if (!(await isFree(port))) moved.set(port, await findFreePort());
	const translate = (text: string): string =>
		text.replaceAll(/(?<=[: ])\d{4}\b/g, (port) => moved.get(port) ?? port);
	const files = readdirSync(join(folder, "examples"), { recursive: true, encoding: "utf8" });
	for (const file of moved.size === 0 ? [] : files.filter((name) => /\.(?:mjs|ts|html)$/.test(name))) {
		const path = join(folder, "examples", file);
		writeFileSync(path, translate(readFileSync(path, "utf8")));
	}
	return translate;
}

const isFree = (port: string): Promise<boolean> => listen(Number(port)).then((found) => found !== undefined);

const findFreePort = async (): Promise<string> => String(await listen(0));

/** Listens for a moment. Returns the port, if it could. */
function listen(port: number): Promise<number | undefined> {
	const server = createServer();
	return new Promise((resolve) => {
		server.on("error", () => resolve(undefined));
		server.listen(port, "localhost", () => {
			const address = server.address();
			server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
		});
	});
}
