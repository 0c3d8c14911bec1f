// node bundle.mjs <project> <entry> <out> <platform> <minify>: bundles an app as React Native does for a release on `android` or
// `ios`, with the configuration of a project; `minified`, or `plain` as for Hermes. Prints, as JSON, what the files beside the entry and below import by name (and what that is),
// and warnings.
import { mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { mergeConfig } from "@react-native/metro-config";
import Metro from "metro";

const [project, entry, out, platform, minify] = process.argv.slice(2);
const folder = import.meta.dirname;
const cache = join(folder, "node_modules", ".cache");
const imports = {};
const warnings = [];

function resolveRequest(context, specifier, platform) {
	const isOfApp = context.originModulePath.startsWith(dirname(entry)) && !specifier.startsWith(".");
	// What cannot be had stays so: within `try` that is no error.
	if (isOfApp) imports[specifier] = "nothing";
	const resolution = context.resolveRequest(context, specifier, platform);
	if (isOfApp && resolution.type === "sourceFile")
		imports[specifier] = relative(dirname(entry), resolution.filePath);
	return resolution;
}

const { default: ofProject } = await import(join(project, "metro.config.js"));
const config = mergeConfig(ofProject, {
	cacheStores: ({ FileStore }) => [new FileStore({ root: join(cache, "metro") })],
	fileMapCacheDirectory: cache,
	maxWorkers: 2,
	reporter: { update: ({ type, message }) => type.includes("warning") && warnings.push(message) },
	resolver: { useWatchman: false, resolveRequest },
	watchFolders: [folder],
});
mkdirSync(cache, { recursive: true });
await Metro.runBuild(config, { entry, out, platform, dev: false, minify: minify === "minified" });
console.log(JSON.stringify({ imports, warnings }));
