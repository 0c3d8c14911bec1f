import { execFile } from "node:child_process";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createPackedConsumer, ISOMORPHIC } from "../packed/packed-consumer";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = fileURLToPath(new URL(".", import.meta.url));

/** What Metro has made of the app, with the packages as users have them. */
export interface AppBundle {
	readonly file: string;
	readonly code: string;
	/** What the packages, and what they depend on, import by name, and the file that it is. */
	readonly imports: Readonly<Record<string, string>>;
	/** Of Metro. */
	readonly warnings: readonly string[];
	/** The folder of the example within it. */
	readonly example: string;
}

const PROGRAM = ["app.js", "client-app.js", "body-stream-fetch.js", "thread-app.js"];

/** In place of the example's own: where the service is, a test says as it starts the app. */
const SETTINGS = "export const { BASE_URL, CLIENT_KEY, AGENT } = globalThis.exampleSettings;\n";

export async function bundleApp(): Promise<AppBundle> {
	const packages = [...new Set([...ISOMORPHIC, "react"])];
	const app = await createPackedConsumer(packages, {
		folder: join(folder, ".stemma", "app"),
		isCopied: true,
		// An app has one React: that of its React Native.
		peers: "none",
	});
	for (const file of PROGRAM) await cp(join(folder, file), join(app.folder, file));
	const example = join(app.folder, "example");
	await cp(join(root, "examples", "react-native-app"), example, { recursive: true });
	await rm(join(example, "node_modules"), { recursive: true, force: true });
	await app.write(join("example", "settings.android.js"), SETTINGS);
	const file = join(folder, ".stemma", "app.bundle.js");
	const command = [join(folder, "bundle.mjs"), example, join(app.folder, "app.js"), file];
	const { stdout } = await execute(process.execPath, command);
	return { file, code: await readFile(file, "utf8"), ...JSON.parse(stdout), example };
}
