import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { build, createLogger } from "vite";
import type { PackedConsumer } from "../packed/packed-consumer";
import { LAZY_RUN_ALL } from "../packed/programs";
import { BUNDLED } from "./pages";

/** A page that Vite has built, as it does for production. */
export interface BuiltPage {
	/** Where it is below the consumer's folder. */
	readonly path: string;
	/** The names of its scripts. */
	readonly chunks: readonly string[];
	readonly warnings: readonly string[];
}

export async function buildPage(consumer: PackedConsumer): Promise<BuiltPage> {
	await consumer.write("bundled.html", BUNDLED);
	await consumer.write("run-all.mjs", LAZY_RUN_ALL);
	const warnings: string[] = [];
	const warn = (message: string): void => void warnings.push(message);
	await build({
		root: consumer.folder,
		base: "./",
		configFile: false,
		logLevel: "silent",
		customLogger: { ...createLogger("silent"), warn, warnOnce: warn },
		build: { outDir: "built", rolldownOptions: { input: join(consumer.folder, "bundled.html") } },
	});
	const chunks = await readdir(join(consumer.folder, "built", "assets"));
	return { path: "/built/bundled.html", chunks, warnings };
}
