import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectedOfModels, UNSIGNED } from "../packed/models-scenario.mjs";
import { createPackedConsumer } from "../packed/packed-consumer";
import { expected } from "../packed/scenario.mjs";
import { type RunningVendors, startVendors } from "../packed/vendors";
import { startApp } from "./app-host";

const execute = promisify(execFile);
const folder = fileURLToPath(new URL(".", import.meta.url));
const bundle = join(folder, ".stemma", "app.bundle.js");
/** `npm test` installs it; without the registry it says so, and these are skipped. */
const isInstalled = existsSync(join(folder, "node_modules", "metro"));
const hermes = join(folder, "node_modules", "hermes-compiler", "hermesc", "linux64-bin", "hermesc");
const runsHermes = process.platform === "linux" && process.arch === "x64" && existsSync(hermes);

let code: string;
/** What the packages, and what they depend on, import by name, and the file that it is. */
let imports: Readonly<Record<string, string>>;
async function bundleApp(): Promise<void> {
	const app = await createPackedConsumer(undefined, {
		folder: join(folder, ".stemma", "app"),
		isCopied: true,
	});
	const entry = join(app.folder, "app.js");
	await cp(join(folder, "app.js"), entry);
	const { stdout } = await execute(process.execPath, [join(folder, "bundle.mjs"), entry, bundle]);
	imports = JSON.parse(stdout);
	code = await readFile(bundle, "utf8");
}

describe.skipIf(!isInstalled)("the packed packages, bundled by Metro", () => {
	beforeAll(bundleApp);

	it("take the entries for React Native, and nothing of Node", () => {
		expect(imports["@stemma/routing/bedrock"]).toBe("node_modules/@stemma/routing/dist/bedrock.cjs");
		expect(Object.keys(imports).filter((specifier) => isBuiltin(specifier))).toEqual([]);
		expect(code).not.toMatch(/["'`]node:/);
	});

	it.skipIf(!runsHermes)("are JavaScript that Hermes knows", async () => {
		const { stderr } = await execute(hermes, ["-emit-binary", "-O0", "-w", "-out", `${bundle}.hbc`, bundle]);
		expect(stderr).toBe("");
	});

	it("find neither body streams nor WebCrypto nor Buffer", async () => {
		const app = startApp(code);
		expect(await app.call("describePlatform")).toEqual(["fetch", "TextDecoder"]);
		expect(await app.call("describePackages")).toEqual(["function", "function"]);
	});

	it("run a graph", async () => {
		const app = startApp(code);
		expect(await app.call("scenario")).toEqual(expected);
		expect(app.problems).toEqual([]);
	});

	// Hermes has a TextDecoder since React Native 0.85.
	describe.each([true, false])("with a TextDecoder: %s", (hasTextDecoder) => {
		let running: RunningVendors;
		beforeAll(async () => {
			running = await startVendors();
		});
		afterAll(() => running.close());

		it("ask models by their keys; AWS keys cannot sign", async () => {
			const app = startApp(code, { hasTextDecoder });
			const outcome = await app.call("modelsScenario", JSON.stringify(running.vendors));
			expect(outcome).toEqual({ ...expectedOfModels, signed: UNSIGNED });
			expect(app.problems).toEqual([]);
			const { requests } = running.bedrock;
			expect(new Set(requests.map(({ credential }) => credential?.kind))).toEqual(
				new Set(["bearer", undefined]),
			);
			await expect.poll(() => requests.at(-1)).toMatchObject({ isAborted: true });
			const isStreamed = requests.some(({ operation }) => operation?.name === "converse-stream");
			expect(isStreamed).toBe(hasTextDecoder);
		});
	});
});
