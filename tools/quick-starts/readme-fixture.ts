import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Harness, Program } from "@stemma/simulators/processes";
import { type ServiceProcess, startService } from "../end-to-end/servers";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "packages/cli/dist/main.js");
const EXAMPLES = ["node-quickstart", "browser-esm", "self-hosted-runtime", "cjs-quickstart", "web-route"];

/**
 * A folder like a checkout where `npm start` is up: the quick starts are there, `npm run stemma` is the command line, and a
 * service runs on `.stemma/demo`. Ports alone differ, in files and commands: those of the README may be taken here.
 */
export interface ReadmeFixture {
	readonly folder: string;
	readonly service: ServiceProcess;
	/** What takes the place of a port in the README. */
	portFor(port: string): string;
	/** Runs commands as a shell does, at the root. Returns what they wrote to standard output. */
	run(commands: string): Promise<string>;
	/** Starts a command that goes on: `node …` or `npm run stemma -- …`. */
	start(command: string, env?: Readonly<Record<string, string>>): Program;
	/** As somebody with an editor would. */
	replaceInFile(file: string, old: string, by: string): Promise<void>;
	/** A file as it is in the repository. */
	original(file: string): Promise<string>;
}

export async function createReadmeFixture(
	harness: Harness,
	options: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ReadmeFixture> {
	const folder = await harness.folder();
	const data = join(folder, ".stemma/demo");
	await mkdir(data, { recursive: true });
	await writeFile(join(folder, "package.json"), JSON.stringify({ scripts: { stemma: `node ${main}` } }));
	const service = await startService(harness, { data, ...options });
	const ports = new Map([
		["4000", new URL(service.url).port],
		["4121", await findFreePort()],
		["8080", await findFreePort()],
		["8081", await findFreePort()],
	]);
	const translate = (text: string): string =>
		text.replaceAll(/(?<=[: ])(4000|4121|8080|8081)\b/g, (port) => ports.get(port) ?? port);
	await Promise.all(EXAMPLES.map((name) => copyExample(name, folder, translate)));

	async function replaceInFile(file: string, old: string, by: string): Promise<void> {
		const text = await readFile(join(folder, file), "utf8");
		if (!text.includes(old)) throw new Error(`${file} has no "${old}".`);
		await writeFile(join(folder, file), text.replaceAll(old, by));
	}

	return {
		folder,
		service,
		portFor: (port) => ports.get(port) ?? port,
		replaceInFile,
		original: (file) => readFile(join(root, file), "utf8"),
		async run(commands) {
			const options = { cwd: folder, env: shellEnvironment() };
			const { stdout } = await promisify(execFile)("sh", ["-ec", translate(commands)], options);
			return stdout;
		},
		start(command, env = {}) {
			const [, ...args] = translate(command).replace("npm run stemma --", `node ${main}`).split(" ");
			return harness.start({ args, env, cwd: folder });
		},
	};
}

/** Nothing of this process's own settings, and the Node that runs it. */
const shellEnvironment = (): NodeJS.ProcessEnv => ({
	PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
	HOME: process.env.HOME,
});

async function copyExample(name: string, folder: string, translate: (text: string) => string): Promise<void> {
	const source = join(root, "examples", name);
	const target = join(folder, "examples", name);
	const isOwn = (file: string): boolean => !/[\\/](node_modules|\.env)$/.test(file);
	await cp(source, target, { recursive: true, filter: isOwn });
	await symlink(join(source, "node_modules"), join(target, "node_modules"), "dir");
	const files = TEXTS.filter((file) => file.startsWith(`${name}/`));
	await Promise.all(
		files.map(async (file) => {
			const path = join(folder, "examples", file);
			await writeFile(path, translate(await readFile(path, "utf8")));
		}),
	);
}

/** What names a port. */
const TEXTS = [
	"node-quickstart/server.mjs",
	"browser-esm/index.html",
	"browser-esm/serve.mjs",
	"self-hosted-runtime/run.mjs",
	"cjs-quickstart/ask.cjs",
	"web-route/route.mjs",
	"web-route/serve.mjs",
];

async function findFreePort(): Promise<string> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	return address === null || typeof address === "string" ? "" : String(address.port);
}
