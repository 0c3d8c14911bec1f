import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createPackedConsumer, ISOMORPHIC } from "../packed/packed-consumer";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = fileURLToPath(new URL(".", import.meta.url));

/** `npm run test:all` installs it; without the registry it says so, and tests with it are skipped. */
export const isMetroInstalled = existsSync(join(folder, "node_modules", "metro"));

/** What Metro has made of the app, with the packages as users have them. */
export interface AppBundle {
	readonly file: string;
	readonly code: string;
	/** What the packages, and what they depend on, import by name, and the file that it is. */
	readonly imports: Readonly<Record<string, string>>;
	/** Of Metro, and what it wrote to standard error. */
	readonly warnings: readonly string[];
	/** The folder of the example within it. */
	readonly example: string;
}

/** What a release is made for. */
export interface Release {
	/** Default `android`. */
	readonly platform?: Platform;
	/** As for engines other than Hermes. Default false. */
	readonly isMinified?: boolean;
}

export type Platform = "android" | "ios";

const PROGRAM = ["app.js", "client-app.js", "body-stream-fetch.js", "thread-app.js"];

/** In place of the example's own: where the service is, a test says as it starts the app. */
const SETTINGS = "export const { BASE_URL, CLIENT_KEY, AGENT } = globalThis.exampleSettings;\n";

export async function bundleApp({
	platform = "android",
	isMinified = false,
}: Release = {}): Promise<AppBundle> {
	const packages = [...new Set([...ISOMORPHIC, "react"])];
	const app = await createPackedConsumer(packages, {
		folder: join(folder, ".stemma", platform),
		isCopied: true,
		// An app has one React: that of its React Native.
		peers: "none",
	});
	for (const file of PROGRAM) await cp(join(folder, file), join(app.folder, file));
	const example = join(app.folder, "example");
	await cp(join(root, "examples", "react-native-app"), example, { recursive: true });
	await rm(join(example, "node_modules"), { recursive: true, force: true });
	await app.write(join("example", `settings.${platform}.js`), SETTINGS);
	const file = join(folder, ".stemma", `${platform}.bundle.js`);
	const entry = join(app.folder, "app.js");
	const minify = isMinified ? "minified" : "plain";
	const command = [join(folder, "bundle.mjs"), example, entry, file, platform, minify];
	const { stdout, stderr } = await execute(process.execPath, command);
	const { imports, warnings } = JSON.parse(stdout);
	const code = await readFile(file, "utf8");
	return { file, code, imports, warnings: [...warnings, ...stderr.split("\n").filter(Boolean)], example };
}
